"""Bad memory is a device fault at synchronisation: a status and a text, never a crash of the process."""

import pytest

PROGRAM = """
static void run(const char *label, void *in, void *out, void *workspace = nullptr, int64_t rows = 2,
                const int64_t *strides = nullptr) {
    aclrtStream stream;
    aclrtCreateStream(&stream);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    aclTensor *x = tensor({rows, 2}, in, strides), *y = tensor({rows, 2}, out);
    aclnnStatus first = aclnnSiluGetWorkspaceSize(x, y, &size, &executor);
    aclnnStatus second = aclnnSilu(workspace, size, executor, stream);
    if (strcmp(label, "freed before synchronisation") == 0) aclrtFree(out);
    aclError fault = aclrtSynchronizeStream(stream);
    show(label, std::to_string(first) + " " + std::to_string(second) + " " + std::to_string(fault) + " " + text());
    show((std::string(label) + " afterwards").c_str(), aclrtSynchronizeStream(stream));
}

int main() {
    begin();
    const int64_t turned[] = {1, 2};
    static float host[4];
    void *good = upload({1, 2, 3, 4}), *out = upload({9, 9, 9, 9}), *stale = upload({1, 2, 3, 4}), *pinned = nullptr;
    aclrtMallocHost(&pinned, 16);
    aclrtFree(stale);
    run("good", good, out);
    run("null data", nullptr, out);
    run("host pointer", host, out);
    run("address nobody owns", reinterpret_cast<void *>(0x12340), out);
    run("pinned host memory", pinned, out);
    run("use after free", stale, out);
    run("output past its allocation", good, static_cast<char *>(out) + 4);
    run("input past its allocation", good, upload(std::vector<float>(6, 9)), nullptr, 3);
    run("freed before synchronisation", good, upload({9, 9, 9, 9}));
    run("workspace too small", good, out, device(256), 2, turned);
    run("workspace on the host", good, out, host, 2, turned);
    run("inside an allocation", static_cast<char *>(upload({0, 0, 1, 2, 3, 4})) + 8, out);
    show("out", floats(out, 4));
}
"""
FAULTS = {
    "null data": "self touches a null address",
    "host pointer": "self touches an address outside every device allocation",
    "address nobody owns": "self touches an address outside every device allocation",
    "pinned host memory": "self touches a pinned host allocation of 16 bytes",
    "use after free": "self touches a freed device allocation of 16 bytes",
    "output past its allocation": "out touches bytes 4 to 20 of a device allocation of 16 bytes",
    "input past its allocation": "self touches bytes 0 to 24 of a device allocation of 16 bytes",
    "freed before synchronisation": "out touches a freed device allocation of 16 bytes",
    "workspace too small": "workspace touches bytes 0 to 512 of a device allocation of 256 bytes",
    "workspace on the host": "workspace touches an address outside every device allocation",
}


@pytest.fixture(scope="module")
def answers(programs):
    return programs.answers(PROGRAM)


@pytest.mark.parametrize(("case", "text"), FAULTS.items())
def test_bad_memory_is_reported_when_synchronising(answers, case, text):
    assert answers[case].startswith("0 0 507015 ")
    assert answers[case].endswith(f"Device_Error(EZ9999): aicore exception: {text} (aclnnSilu)")


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_reported_once(answers, case):
    assert answers[f"{case} afterwards"] == "0"


@pytest.mark.parametrize("case", ["good", "inside an allocation"])
def test_good_memory_is_not(answers, case):
    assert answers[case] == "0 0 0 (none)"


def test_nothing_wrote_after_the_last_good_call(answers):
    assert answers["out"] == "0.731059 1.76159 2.85772 3.92806"


def test_a_fault_drops_the_work_behind_it(programs):
    body = """
int main() {
    aclrtStream stream = begin();
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    void *out = upload({9});
    aclnnSiluGetWorkspaceSize(tensor({1}, nullptr), tensor({1}, out), &size, &executor);
    aclnnSilu(nullptr, size, executor, stream);
    aclrtMemsetAsync(out, 4, 0, 4, stream);
    show("fault", aclrtSynchronizeDevice());
    show("out", floats(out, 1));
    aclrtMemsetAsync(out, 4, 0, 4, stream);
    show("recovered", aclrtSynchronizeStream(stream));
    show("then", floats(out, 1));
}"""
    assert list(programs.answers(body).values()) == ["507015", "9", "0", "0"]


def test_a_bad_asynchronous_copy_surfaces_when_synchronising(programs):
    body = """
int main() {
    aclrtStream stream = begin();
    char host[64] = {0};
    void *small = device(8);
    show("queued", aclrtMemcpyAsync(small, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    show("synchronised", aclrtSynchronizeStream(stream));
    show("last", aclrtGetLastError(ACL_RT_THREAD_LEVEL));
}"""
    assert list(programs.answers(body).values()) == ["0", "107000", "107000"]
