// System parameters of the process and of the current context.
#include <string>

#include "state.h"

namespace simulator {
namespace {

aclError check_option(aclSysParamOpt option, bool of_context, const char *function) {
    const aclSysParamOpt last = of_context ? ACL_OPT_STRONG_CONSISTENCY : ACL_OPT_ENABLE_KERNEL_EARLY_START;
    if (option >= ACL_OPT_DETERMINISTIC && option <= last) return ACL_SUCCESS;
    return fail(ACL_ERROR_INVALID_PARAM, std::string("no such option (") + function + ")");
}

aclError check_value(aclSysParamOpt option, int64_t value, const char *function) {
    const int64_t largest = option == ACL_OPT_DETERMINISTIC ? 3 : 1;
    if (value >= 0 && value <= largest) return ACL_SUCCESS;
    return fail(ACL_ERROR_RT_PARAM_INVALID, "value " + std::to_string(value) + " is out of range (" + function + ")");
}

}  // namespace
}  // namespace simulator

using namespace simulator;

extern "C" {

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
    aclError status = check_option(opt, false, "aclrtSetSysParamOpt");
    if (status == ACL_SUCCESS) status = check_value(opt, value, "aclrtSetSysParamOpt");
    if (status != ACL_SUCCESS) return status;
    const std::lock_guard<std::mutex> hold(tables().lock);
    tables().options[opt] = value;
    return ACL_SUCCESS;
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value) {
    if (value == nullptr) return fail_null("aclrtGetSysParamOpt", "value");
    const aclError status = check_option(opt, false, "aclrtGetSysParamOpt");
    if (status != ACL_SUCCESS) return status;
    const std::lock_guard<std::mutex> hold(tables().lock);
    const auto found = tables().options.find(opt);
    *value = found == tables().options.end() ? 0 : found->second;
    return ACL_SUCCESS;
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
    aclError status = check_option(opt, true, "aclrtCtxSetSysParamOpt");
    if (status == ACL_SUCCESS) status = check_value(opt, value, "aclrtCtxSetSysParamOpt");
    if (status != ACL_SUCCESS) return status;
    const ContextPointer context = required_context("aclrtCtxSetSysParamOpt", &status);
    if (context == nullptr) return status;
    const std::lock_guard<std::mutex> hold(tables().lock);
    context->options[opt] = tables().options[opt] = value;
    return ACL_SUCCESS;
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value) {
    if (value == nullptr) return fail_null("aclrtCtxGetSysParamOpt", "value");
    aclError status = check_option(opt, true, "aclrtCtxGetSysParamOpt");
    if (status != ACL_SUCCESS) return status;
    const ContextPointer context = required_context("aclrtCtxGetSysParamOpt", &status);
    if (context == nullptr) return status;
    const std::lock_guard<std::mutex> hold(tables().lock);
    const auto found = context->options.find(opt);
    if (found == context->options.end())
        return fail(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "option not set in this context");
    *value = found->second;
    return ACL_SUCCESS;
}
}
