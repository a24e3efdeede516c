"""C++ programs that show labelled answers, compiled against a tree."""

import os
import subprocess

PRELUDE = """
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>
#include "acl/acl.h"
#include "aclnnop/aclnn_ops_nn.h"

static void show(const char *label, long long value) { std::printf("%s: %lld\\n", label, value); }
static void show(const char *label, const std::string &text) { std::printf("%s: %s\\n", label, text.c_str()); }
#define SHOW(call) show(#call, call)
static std::string text() {
    const char *recent = aclGetRecentErrMsg();
    std::string all = recent != nullptr ? recent : "(none)";
    for (char &letter : all) if (letter == '\\n') letter = '|';
    return all;
}
static void *device(size_t bytes) {
    void *address = nullptr;
    aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    return address;
}
static void *upload(const std::vector<float> &values) {
    void *address = device(4 * values.size());
    aclrtMemcpy(address, 4 * values.size(), values.data(), 4 * values.size(), ACL_MEMCPY_HOST_TO_DEVICE);
    return address;
}
static std::string floats(const void *address, size_t count) {
    std::vector<float> values(count);
    aclrtMemcpy(values.data(), 4 * count, address, 4 * count, ACL_MEMCPY_DEVICE_TO_HOST);
    std::string all;
    for (float value : values) { char word[32]; std::snprintf(word, sizeof word, "%g ", value); all += word; }
    return all.substr(0, all.size() - 1);
}
static aclTensor *tensor(const std::vector<int64_t> &shape, void *address, const int64_t *strides = nullptr) {
    const int64_t *dims = shape.data();
    return aclCreateTensor(dims, shape.size(), ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, shape.size(), address);
}
static aclrtStream begin() {
    aclrtStream stream = nullptr;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    return stream;
}
"""


class Programs:
    """Compiles and runs C++ programs against a tree."""

    def __init__(self, tree, work):
        self.tree, self.work = tree, work
        self.count = 0

    def compile(self, source, *flags):
        self.count += 1
        file, target = self.work / f"p{self.count}.cpp", self.work / f"p{self.count}"
        file.write_text(source)
        libraries = ["-lascendcl", "-lnnopbase", "-lopapi_nn"]
        places = ["-I", self.tree / "include", "-L", self.tree / "lib64", f"-Wl,-rpath,{self.tree / 'lib64'}"]
        command = ["g++", "-std=c++17", "-pthread", *flags, file, *places, *libraries, "-o", target]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return target

    def run(self, program, **environment):
        done = subprocess.run(
            [program], capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **environment}
        )
        assert done.returncode == 0, f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def answers(self, body, *flags, **environment):
        """Labelled answers that a program shows; ``body`` follows the prelude."""
        output = self.run(self.compile(PRELUDE + body, *flags), **environment)
        return dict(line.split(": ", 1) for line in output.splitlines())
