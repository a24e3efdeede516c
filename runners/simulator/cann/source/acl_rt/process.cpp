// Initialisation, SoC name and versions.
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <string>

#include "chips.h"
#include "state.h"

namespace simulator {
namespace {

struct Process {
    std::mutex lock;
    uint64_t references = 0;
    bool finalized = false;
    bool configured = false;
    std::string configuration;
};

Process &process() {
    static Process &only = *new Process;
    return only;
}

bool read_file(const std::string &path, std::string *text) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return false;
    std::ostringstream all;
    all << file.rdbuf();
    *text = all.str();
    return true;
}

std::string value_of(const std::string &text, const std::string &key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(key + "=", 0) == 0) return line.substr(key.size() + 1);
    }
    return "";
}

// Version line of a package below share/info; '-' and '_' in its name are alike.
bool package_version(const std::string &package, std::string *version) {
    const char *home = getenv("ASCEND_HOME_PATH");
    if (home == nullptr) return false;
    for (const char spelling : {'-', '_'}) {
        std::string folder = package, text;
        for (char &letter : folder) {
            if (letter == '-' || letter == '_') letter = spelling;
        }
        if (read_file(std::string(home) + "/share/info/" + folder + "/version.info", &text)) {
            *version = value_of(text, "Version");
            return !version->empty();
        }
    }
    return false;
}

void copy_text(char *to, size_t room, const std::string &text) {
    strncpy(to, text.c_str(), room - 1);
    to[room - 1] = '\0';
}

}  // namespace

const Chip *chip_of(const std::string &soc) {
    const Chip *best = nullptr;
    for (const Chip &chip : chips) {
        const size_t length = strlen(chip.prefix);
        if (soc.compare(0, length, chip.prefix) == 0 && (best == nullptr || length > strlen(best->prefix)))
            best = &chip;
    }
    return best;
}

const char *soc_name() {
    static std::mutex lock;
    static std::set<std::string> &names = *new std::set<std::string>;
    const char *wanted = getenv("ACLNN_SIM_SOC");
    const std::string name = wanted != nullptr && *wanted != '\0' ? wanted : "Ascend910B1";
    if (chip_of(name) == nullptr) return nullptr;
    const std::lock_guard<std::mutex> hold(lock);
    return names.insert(name).first->c_str();
}

const Chip *current_chip() {
    const char *name = soc_name();
    return name == nullptr ? nullptr : chip_of(name);
}

}  // namespace simulator

using namespace simulator;

extern "C" {

aclError aclInit(const char *configPath) {
    Process &state = process();
    const std::lock_guard<std::mutex> hold(state.lock);
    if (state.references > 0) {
        ++state.references;
        return fail(ACL_ERROR_REPEAT_INITIALIZE, "already initialised (aclInit)");
    }
    if (soc_name() == nullptr) {
        return fail(ACL_ERROR_INTERNAL_ERROR,
                    std::string("ACLNN_SIM_SOC is no SoC name the simulator knows: ") + getenv("ACLNN_SIM_SOC"));
    }
    std::string configuration;
    if (configPath != nullptr && *configPath != '\0' && !read_file(configPath, &configuration)) {
        return fail(ACL_ERROR_INVALID_FILE, std::string("cannot read ") + configPath + " (aclInit)");
    }
    if (state.configured && configuration != state.configuration) {
        return fail(ACL_ERROR_INVALID_PARAM, "the configuration differs from the one of the first aclInit");
    }
    state.configured = true;
    state.configuration = configuration;
    state.references = 1;
    state.finalized = false;
    return ACL_SUCCESS;
}

aclError aclFinalize(void) {
    Process &state = process();
    const std::lock_guard<std::mutex> hold(state.lock);
    if (state.finalized) return fail(ACL_ERROR_REPEAT_FINALIZE, "already finalised (aclFinalize)");
    state.references = 0;
    state.finalized = true;
    return ACL_SUCCESS;
}

aclError aclFinalizeReference(uint64_t *refCount) {
    Process &state = process();
    const std::lock_guard<std::mutex> hold(state.lock);
    if (state.references == 0) return fail(ACL_ERROR_REPEAT_FINALIZE, "no reference is left (aclFinalizeReference)");
    state.finalized = --state.references == 0;
    if (refCount != nullptr) *refCount = state.references;
    return ACL_SUCCESS;
}

const char *aclrtGetSocName(void) { return soc_name(); }

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion) {
    if (majorVersion == nullptr || minorVersion == nullptr || patchVersion == nullptr) {
        return fail_null("aclrtGetVersion", "a version pointer");
    }
    *majorVersion = 1;
    *minorVersion = 17;
    *patchVersion = 0;
    return ACL_SUCCESS;
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version) {
    static const char *const folders[] = {"runtime",   "runtime",    "bisheng-compiler", "hccl",
                                          "oam-tools", "ops-legacy", "ops-legacy",       "driver"};
    if (version == nullptr) return fail_null("aclsysGetCANNVersion", "version");
    if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER) {
        return fail(ACL_ERROR_INVALID_PARAM, "no such package (aclsysGetCANNVersion)");
    }
    std::string text;
    if (!package_version(folders[name], &text)) {
        return fail(ACL_ERROR_INVALID_FILE, "no version.info of this package; is ASCEND_HOME_PATH set?");
    }
    memset(version, 0, sizeof *version);
    copy_text(version->version, sizeof version->version, text);
    char *const parts[] = {version->majorVersion, version->minorVersion, version->releaseVersion,
                           version->patchVersion};
    std::istringstream words(text);
    std::string word;
    for (char *part : parts) {
        if (std::getline(words, word, '.')) copy_text(part, ACL_PKG_VERSION_PARTS_MAX_SIZE, word);
    }
    return ACL_SUCCESS;
}

aclError aclsysGetVersionStr(char *pkgName, char *versionStr) {
    if (pkgName == nullptr || versionStr == nullptr) return fail_null("aclsysGetVersionStr", "a pointer");
    std::string text;
    if (!package_version(pkgName, &text))
        return fail(ACL_ERROR_INVALID_FILE, std::string("no version.info of ") + pkgName);
    copy_text(versionStr, ACL_PKG_VERSION_MAX_SIZE, text);
    return ACL_SUCCESS;
}

aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum) {
    char text[ACL_PKG_VERSION_MAX_SIZE];
    if (versionNum == nullptr) return fail_null("aclsysGetVersionNum", "versionNum");
    const aclError status = aclsysGetVersionStr(pkgName, text);
    if (status != ACL_SUCCESS) return status;
    int major = 0, minor = 0, release = 0;
    sscanf(text, "%d.%d.%d", &major, &minor, &release);
    *versionNum = major * 10000000 + minor * 100000 + release * 1000;
    return ACL_SUCCESS;
}
}
