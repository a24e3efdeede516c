// Makes the same small two-phase call over and over: argv[1] times, on the simulated CANN.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"
#include "aclnnop/aclnn_silu_backward.h"

static void check(int status, const char *what) {
    if (status == 0) return;
    const char *text = aclGetRecentErrMsg();
    std::fprintf(stderr, "%s: status %d: %s\n", what, status, text != nullptr ? text : "");
    std::exit(1);
}

static aclTensor *tensor(float value) {
    const int64_t shape[] = {2, 3};
    const float values[] = {value, value, value, value, value, value};
    void *address = nullptr;
    check(aclrtMalloc(&address, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(aclrtMemcpy(address, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    return aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, address);
}

int main(int, char **argv) {
    const long calls = std::atol(argv[1]);
    aclrtStream stream = nullptr;
    check(aclInit(nullptr), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    check(aclrtCreateStream(&stream), "aclrtCreateStream");
    aclTensor *gradOutput = tensor(1), *self = tensor(2), *gradInput = tensor(-1);
    for (long i = 0; i < calls; ++i) {
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        check(aclnnSiluBackwardGetWorkspaceSize(gradOutput, self, gradInput, &size, &executor), "phase 1");
        void *workspace = nullptr;
        if (size > 0) check(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
        check(aclnnSiluBackward(workspace, size, executor, stream), "phase 2");
        check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
        if (workspace != nullptr) aclrtFree(workspace);
    }
    check(aclrtDestroyStream(stream), "aclrtDestroyStream");
    check(aclFinalize(), "aclFinalize");
    return 0;
}
