// Finds and loads the bridge library beside this one, and starts an interpreter when the process has none.
#include "python_side.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "device_side.h"
#include "objects.h"

namespace simulator {
namespace {

constexpr const char *bridge_library = "libaclnn_simulator.so";

struct Bridge {
    std::string problem;
    void (*prepare)(const char *, const char *, const BridgeArgument *, uint64_t, BridgeAnswer *) = nullptr;
    void (*launch)(uint64_t, int32_t, BridgeAnswer *) = nullptr;
    void (*execute)(uint64_t, const BridgeSpan *, uint64_t, const BridgeSpan *, BridgeAnswer *) = nullptr;
    void (*repeat)(uint64_t, BridgeAnswer *) = nullptr;
    void (*drop)(uint64_t, BridgeAnswer *) = nullptr;
};

void fill(BridgeAnswer *answer, const std::string &text) {
    answer->status = inner_error;
    strncpy(answer->text, text.c_str(), sizeof answer->text - 1);
}

std::string bridge_path() {
    Dl_info here{};
    if (dladdr(reinterpret_cast<void *>(&aclCreateTensor), &here) == 0 || here.dli_fname == nullptr) return bridge_library;
    const std::string own = here.dli_fname;
    const size_t slash = own.rfind('/');
    return slash == std::string::npos ? bridge_library : own.substr(0, slash + 1) + bridge_library;
}

// The interpreter of the process must be of the version the bridge was built for; empty when it is, or is none yet.
std::string version_problem(void *library) {
    using Version = const char *(*)();
    const char *built_for = static_cast<const char *>(dlsym(library, "aclnn_simulator_python"));
    const Version running = reinterpret_cast<Version>(dlsym(RTLD_DEFAULT, "Py_GetVersion"));
    if (built_for == nullptr || running == nullptr || strncmp(running(), built_for, strlen(built_for)) == 0) return "";
    return std::string("the simulated CANN was built for Python ") + built_for + " but this process runs " + running();
}

// A fresh interpreter finds its standard library by PYTHONHOME: the path of a program on PATH would mislead it.
void start_interpreter(void *library, const Bridge &bridge) {
    const char *home = static_cast<const char *>(dlsym(library, "aclnn_simulator_home"));
    const auto started = reinterpret_cast<int (*)()>(dlsym(library, "aclnn_simulator_has_interpreter"));
    const bool set = home != nullptr && started != nullptr && started() == 0 && getenv("PYTHONHOME") == nullptr;
    if (set) setenv("PYTHONHOME", home, 1);
    BridgeAnswer answer{};
    bridge.drop(0, &answer);
    if (set) unsetenv("PYTHONHOME");
}

Bridge load() {
    Bridge bridge;
    const std::string path = bridge_path();
    void *early = dlsym(RTLD_DEFAULT, "Py_GetVersion");
    void *library = dlopen(path.c_str(), (early == nullptr ? RTLD_GLOBAL : RTLD_LOCAL) | RTLD_NOW);
    if (library == nullptr) {
        bridge.problem = std::string("cannot load the simulator: ") + dlerror();
        return bridge;
    }
    bridge.problem = version_problem(library);
    if (!bridge.problem.empty()) return bridge;
    const auto symbol = [library](auto *pointer, const char *name) {
        *pointer = reinterpret_cast<std::remove_reference_t<decltype(*pointer)>>(dlsym(library, name));
    };
    symbol(&bridge.prepare, "aclnn_simulator_prepare");
    symbol(&bridge.launch, "aclnn_simulator_launch");
    symbol(&bridge.execute, "aclnn_simulator_execute");
    symbol(&bridge.repeat, "aclnn_simulator_repeat");
    symbol(&bridge.drop, "aclnn_simulator_drop");
    start_interpreter(library, bridge);
    return bridge;
}

const Bridge &bridge() {
    static const Bridge &only = *new Bridge(load());
    return only;
}

// Answer of a request; prefilled, as an interpreter that fails to start fills nothing.
template <class Request>
BridgeAnswer ask(Request request) {
    BridgeAnswer answer{};
    fill(&answer, "the Python simulator did not answer; its error is on stderr");
    if (bridge().problem.empty()) {
        request(bridge(), &answer);
    } else {
        fill(&answer, bridge().problem);
    }
    return answer;
}

}  // namespace

BridgeAnswer prepare(const char *api, const BridgeArgument *arguments, uint64_t count) {
    const char *soc = soc_name();
    return ask([=](const Bridge &python, BridgeAnswer *answer) {
        python.prepare(api, soc == nullptr ? "" : soc, arguments, count, answer);
    });
}

BridgeAnswer PreparedCall::launch(bool workspace_is_null) const {
    return ask([=](const Bridge &python, BridgeAnswer *answer) { python.launch(number_, workspace_is_null, answer); });
}

BridgeAnswer PreparedCall::execute(const BridgeSpan *tensors, uint64_t count, const BridgeSpan &workspace) const {
    return ask([&](const Bridge &python, BridgeAnswer *answer) {
        python.execute(number_, tensors, count, &workspace, answer);
    });
}

BridgeAnswer PreparedCall::repeat() const {
    return ask([=](const Bridge &python, BridgeAnswer *answer) { python.repeat(number_, answer); });
}

PreparedCall::~PreparedCall() {
    ask([=](const Bridge &python, BridgeAnswer *answer) { python.drop(number_, answer); });
}

}  // namespace simulator
