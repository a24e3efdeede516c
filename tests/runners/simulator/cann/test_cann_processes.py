"""Threads, forks, many executors, repeated initialisation, and Python processes."""

import os
import subprocess
import sys

import pytest
from cann_programs import PRELUDE

WORK = """
static bool works(float value, aclrtStream stream) {
    void *in = upload({value, value}), *out = upload({9, 9});
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    aclTensor *x = tensor({2}, in), *y = tensor({2}, out);
    bool good = aclnnSiluGetWorkspaceSize(x, y, &size, &executor) == 0;
    good = good && aclnnSilu(nullptr, size, executor, stream) == 0;
    aclDestroyTensor(x);
    aclDestroyTensor(y);
    good = good && aclrtSynchronizeStream(stream) == 0;
    char expected[64];
    std::snprintf(expected, sizeof expected, "%g", value / (1 + std::exp(-value)));
    good = good && floats(out, 2) == std::string(expected) + " " + expected;
    return good && aclrtFree(in) == 0 && aclrtFree(out) == 0;
}
"""


def test_threads_with_streams_of_their_own(programs):
    body = """
int main() {
    begin();
    std::vector<std::thread> threads;
    std::vector<int> good(8, 0);
    for (int id = 0; id < 8; ++id) threads.emplace_back([id, &good] {
        aclrtStream stream = nullptr;
        aclrtSetDevice(id % 2);
        aclrtCreateStream(&stream);
        for (int i = 0; i < 25; ++i) good[id] += works(static_cast<float>(id + 1), stream);
        aclrtDestroyStream(stream);
    });
    for (std::thread &thread : threads) thread.join();
    for (int id = 0; id < 8; ++id) show(std::to_string(id).c_str(), good[id]);
}"""
    assert set(programs.answers("#include <cmath>\n" + WORK + body).values()) == {"25"}


def test_phase_2_and_synchronisation_in_another_thread(programs):
    body = """
int main() {
    aclrtStream stream = begin();
    void *out = upload({9});
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    aclnnSiluGetWorkspaceSize(tensor({1}, upload({1})), tensor({1}, out), &size, &executor);
    std::thread([&] {
        show("phase 2", aclnnSilu(nullptr, size, executor, stream));
        show("without context", aclrtSynchronizeStream(stream));
        aclrtSetDevice(0);
        show("with context", aclrtSynchronizeStream(stream));
    }).join();
    show("out", floats(out, 1));
}"""
    assert list(programs.answers(body).values()) == ["0", "107002", "0", "0.731059"]


def test_error_texts_stay_in_their_thread(programs):
    body = """
int main() {
    begin();
    aclrtFree(nullptr);
    std::thread([] { show("other", text()); }).join();
    show("own", text().empty());
}"""
    assert programs.answers(body)["other"] == "(none)"


def test_children_initialise_after_a_fork(programs):
    body = """
#include <sys/wait.h>
#include <unistd.h>
int main() {
    int good = 0;
    for (int child = 0; child < 2; ++child) {
        if (fork() == 0) _exit(works(1, begin()) ? 0 : 1);
        int status = 1;
        wait(&status);
        good += status == 0;
    }
    show("children", good);
    show("parent", works(2, begin()));
}"""
    assert list(programs.answers("#include <cmath>\n" + WORK + body).values()) == ["2", "1"]


def test_a_child_forked_after_work_still_works(programs):
    body = """
#include <sys/wait.h>
#include <unistd.h>
int main() {
    aclrtStream stream = begin();
    show("parent", works(1, stream));
    if (fork() == 0) _exit(works(2, stream) ? 0 : 1);
    int status = 1;
    wait(&status);
    show("child", status);
    show("parent again", works(3, stream));
}"""
    assert list(programs.answers("#include <cmath>\n" + WORK + body).values()) == ["1", "0", "1"]


def test_repeated_initialisation(programs):
    body = """
int main() {
    int good = 0;
    for (int round = 0; round < 3; ++round) {
        aclrtStream stream = begin();
        good += works(1, stream) && aclrtDestroyStream(stream) == 0 && aclrtResetDevice(0) == 0 && aclFinalize() == 0;
    }
    show("rounds", good);
}"""
    assert programs.answers("#include <cmath>\n" + WORK + body)["rounds"] == "3"


def test_executors_nobody_runs_do_not_get_in_the_way(programs):
    body = """
int main() {
    aclrtStream stream = begin();
    aclTensor *x = tensor({2}, nullptr), *wrong = tensor({3}, nullptr);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    int good = 0;
    for (int i = 0; i < 500; ++i) good += aclnnSiluGetWorkspaceSize(x, x, &size, &executor) == 0;
    for (int i = 0; i < 500; ++i) good += aclnnSiluGetWorkspaceSize(x, wrong, &size, &executor) == 161002;
    show("answers", good);
    show("works", works(1, stream));
}"""
    assert list(programs.answers("#include <cmath>\n" + WORK + body).values()) == ["1000", "1"]


def test_more_work_than_a_queue_holds(programs):
    body = """
int main() {
    aclrtStream stream = begin();
    void *in = upload({1}), *out = upload({9});
    aclTensor *x = tensor({1}, in), *y = tensor({1}, out);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    int good = 0;
    for (int i = 0; i < 1500; ++i) {
        aclnnSiluGetWorkspaceSize(x, y, &size, &executor);
        good += aclnnSilu(nullptr, size, executor, stream) == 0;
    }
    show("queued", good);
    show("synchronised", aclrtSynchronizeStream(stream));
    show("out", floats(out, 1));
}"""
    assert list(programs.answers(body).values()) == ["1500", "0", "0.731059"]


IN_PYTHON = """
import sys, threading, cffi
ffi = cffi.FFI()
ffi.cdef('''
typedef struct T T; int aclInit(char *); int aclrtSetDevice(int); int aclrtMalloc(void **, size_t, int);
int aclrtMemcpy(void *, size_t, void *, size_t, int); int aclrtSynchronizeStream(void *);
T *aclCreateTensor(int64_t *, uint64_t, int, int64_t *, int64_t, int, int64_t *, uint64_t, void *);
int aclnnSiluGetWorkspaceSize(T *, T *, uint64_t *, void **); int aclnnSilu(void *, uint64_t, void *, void *);
''')
names = "libascendcl.so", "libnnopbase.so", "libopapi_nn.so"
runtime, base, nn = (ffi.dlopen(f"{sys.argv[1]}/lib64/{name}") for name in names)
def work():
    assert runtime.aclrtSetDevice(0) == 0
    memory, dims, values = ffi.new("void **"), ffi.new("int64_t[]", [2]), ffi.new("float[]", [0, 1])
    size, executor = ffi.new("uint64_t *"), ffi.new("void **")
    assert runtime.aclrtMalloc(memory, 8, 0) == 0 and runtime.aclrtMemcpy(memory[0], 8, values, 8, 1) == 0
    t = base.aclCreateTensor(dims, 1, 0, ffi.NULL, 0, 2, dims, 1, memory[0])
    assert nn.aclnnSiluGetWorkspaceSize(t, t, size, executor) == 0
    assert nn.aclnnSilu(ffi.NULL, 0, executor[0], ffi.NULL) == 0 and runtime.aclrtSynchronizeStream(ffi.NULL) == 0
    assert runtime.aclrtMemcpy(values, 8, memory[0], 8, 2) == 0
    results.append([round(x, 3) for x in values])
results = []
runtime.aclInit(ffi.NULL)
threads = [threading.Thread(target=work) for _ in range(3)]
[t.start() for t in threads]; [t.join() for t in threads]
print(results, "bridge" in " ".join(sys.modules))
"""


def test_a_python_process_computes_in_its_own_interpreter(tree):
    done = subprocess.run([sys.executable, "-c", IN_PYTHON, tree], capture_output=True, text=True, check=False)
    assert done.stdout == "[[0.0, 0.731], [0.0, 0.731], [0.0, 0.731]] True\n", done.stderr


@pytest.mark.parametrize(
    ("places", "status"),
    [(os.pathsep.join(p for p in sys.path if p), "0"), ("/nowhere", "561000")],
    ids=["good", "bad"],
)
def test_the_environment_says_where_python_finds_us(programs, places, status):
    if not hasattr(programs, "asking"):
        body = """int main() { uint64_t n; aclOpExecutor *e; aclTensor *t = tensor({1}, nullptr);
        show("status", aclnnSiluGetWorkspaceSize(t, t, &n, &e)); show("text", text()); }"""
        programs.asking = programs.compile(PRELUDE + body)
    output = programs.run(programs.asking, ACLNN_SIM_PYTHONPATH=places)
    assert output.splitlines()[0] == f"status: {status}"
    assert ("did not answer" in output) is (status != "0")
