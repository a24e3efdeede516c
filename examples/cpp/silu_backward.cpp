// SiLU backward: gradInput = gradOutput * s * (1 + self * (1 - s)) with s the sigmoid of self.
//
// CANN is an installation's folder, or build/cann after `make cann`:
//     g++ -I CANN/include -L CANN/lib64 silu_backward.cpp -lascendcl -lnnopbase -lopapi_nn
//     LD_LIBRARY_PATH=CANN/lib64 ./a.out
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_silu_backward.h"

// Ends the program with the latest error text when a call fails.
static void check(int status, const char *what) {
    if (status == 0) return;
    const char *text = aclGetRecentErrMsg();
    std::fprintf(stderr, "%s: status %d: %s\n", what, status, text != nullptr ? text : "");
    std::exit(1);
}

// A contiguous float tensor in device memory.
struct DeviceTensor {
    std::vector<int64_t> shape;
    size_t bytes;
    void *address = nullptr;
    aclTensor *handle = nullptr;

    DeviceTensor(std::vector<int64_t> dims, const std::vector<float> &values)
        : shape(std::move(dims)), bytes(values.size() * sizeof(float)) {
        check(aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
        check(aclrtMemcpy(address, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
        handle = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape.data(),
                                 shape.size(), address);
    }

    DeviceTensor(const DeviceTensor &) = delete;

    ~DeviceTensor() {
        aclDestroyTensor(handle);
        aclrtFree(address);
    }

    void print(const char *name) const {
        std::vector<float> values(bytes / sizeof(float));
        check(aclrtMemcpy(values.data(), bytes, address, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
        std::printf("%s:", name);
        for (float value : values) std::printf(" %g", value);
        std::printf("\n");
    }
};

static void run(aclrtStream stream) {
    const DeviceTensor gradOutput({2, 3}, std::vector<float>(6, 1));
    const DeviceTensor self({2, 3}, {1, 2, 3, 4, 5, 6});
    const DeviceTensor gradInput({2, 3}, std::vector<float>(6, -1));

    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
    check(
        aclnnSiluBackwardGetWorkspaceSize(gradOutput.handle, self.handle, gradInput.handle, &workspaceSize, &executor),
        "aclnnSiluBackwardGetWorkspaceSize");
    void *workspace = nullptr;
    if (workspaceSize > 0) check(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(aclnnSiluBackward(workspace, workspaceSize, executor, stream), "aclnnSiluBackward");
    check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");

    gradInput.print("gradInput");
    if (workspace != nullptr) aclrtFree(workspace);
}

int main() {
    aclrtStream stream = nullptr;
    check(aclInit(nullptr), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    check(aclrtCreateStream(&stream), "aclrtCreateStream");
    run(stream);
    check(aclrtDestroyStream(stream), "aclrtDestroyStream");
    check(aclrtResetDevice(0), "aclrtResetDevice");
    check(aclFinalize(), "aclFinalize");
    return 0;
}
