// Per-thread error text and last status, and the mark that says this is a simulation.
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <deque>
#include <string>

#include "state.h"

namespace simulator {
namespace {

constexpr size_t kept_messages = 64;
thread_local std::deque<std::string> recent;
thread_local std::string handed_out;
thread_local aclError last_error = ACL_SUCCESS;

std::string stamp() {
    timeval now{};
    gettimeofday(&now, nullptr);
    tm local{};
    localtime_r(&now.tv_sec, &local);
    char day[32], text[96];
    strftime(day, sizeof day, "%Y-%m-%d-%H:%M:%S", &local);
    snprintf(text, sizeof text, "[PID: %d] %s.%03d.%03d", static_cast<int>(getpid()), day,
             static_cast<int>(now.tv_usec / 1000), static_cast<int>(now.tv_usec % 1000));
    return text;
}

const char *class_of(aclError status) {
    if (status == ACL_ERROR_RT_CONTEXT_NULL) return "Runtime_Context_Error(EE1018)";
    if (status >= 500000) return "Inner_Error(EE9999)";
    if (status >= 200000 && status < 300000) return "Resource_Error(EL0004)";
    return "Runtime_Parameter_Error(EE1001)";
}

}  // namespace

void report(const std::string &label, const std::string &text) {
    recent.push_front(stamp() + " " + label + ": " + text);
    if (recent.size() > kept_messages) recent.pop_back();
}

aclError note(aclError status) {
    if (status != ACL_SUCCESS) last_error = status;
    return status;
}

aclError fail(aclError status, const std::string &text) {
    report(class_of(status), text);
    return note(status);
}

aclError fail_null(const char *function, const char *parameter) {
    return fail(ACL_ERROR_INVALID_PARAM, std::string(parameter) + " is null (" + function + ")");
}

}  // namespace simulator

using namespace simulator;

extern "C" {

const char *aclGetRecentErrMsg(void) {
    if (recent.empty()) return nullptr;
    handed_out = recent.front();
    recent.pop_front();
    if (!recent.empty()) handed_out += "\n        TraceBack (most recent call last):";
    for (const std::string &older : recent) handed_out += "\n        " + older;
    recent.clear();
    return handed_out.c_str();
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
    return level == ACL_RT_THREAD_LEVEL ? last_error : fail(ACL_ERROR_INVALID_PARAM, "no such level of errors");
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
    const aclError status = aclrtPeekAtLastError(level);
    last_error = ACL_SUCCESS;
    return status;
}

const char *aclnnSimulatorMarker(void) {
    return "simulated CANN of aclnn-conformance: computes on the host, drives no device";
}
}
