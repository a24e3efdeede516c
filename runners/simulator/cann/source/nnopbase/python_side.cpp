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
    if (dladdr(reinterpret_cast<void *>(&aclCreateTensor), &here) == 0 || here.dli_fname == nullptr)
        return bridge_library;
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

// An environment variable that has another value while this object lives.
class Setting {
  public:
    Setting(const char *name, const std::string &value) : name_(name), was_set_(getenv(name) != nullptr) {
        if (was_set_) previous_ = getenv(name);
        setenv(name, value.c_str(), 1);
    }
    ~Setting() { was_set_ ? setenv(name_, previous_.c_str(), 1) : unsetenv(name_); }
    Setting(const Setting &) = delete;
    Setting &operator=(const Setting &) = delete;

  private:
    const char *name_;
    bool was_set_;
    std::string previous_;
};

// Where Python finds the simulator: as the environment says, else as it was when the bridge was built.
std::string places_of(void *library) {
    const char *given = getenv("ACLNN_SIM_PYTHONPATH");
    return given != nullptr && *given != '\0' ? given
                                              : static_cast<const char *>(dlsym(library, "aclnn_simulator_places"));
}

// A running interpreter is told our places; a fresh one also where its standard library is, as the programs on PATH
// would mislead it. Both before cffi looks for its own package.
void start_interpreter(void *library, const Bridge &bridge) {
    const auto running = reinterpret_cast<int (*)()>(dlsym(library, "aclnn_simulator_has_interpreter"));
    const auto add_places = reinterpret_cast<void (*)(const char *)>(dlsym(library, "aclnn_simulator_add_places"));
    const std::string places = places_of(library);
    BridgeAnswer answer{};
    if (running() != 0) {
        add_places(places.c_str());
        bridge.drop(0, &answer);
        return;
    }
    const char *home = getenv("PYTHONHOME"), *path = getenv("PYTHONPATH");
    const Setting home_setting(
        "PYTHONHOME", home != nullptr ? home : static_cast<const char *>(dlsym(library, "aclnn_simulator_home")));
    const Setting path_setting("PYTHONPATH", path != nullptr ? places + ":" + path : places);
    bridge.drop(0, &answer);
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
