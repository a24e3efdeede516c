"""The two-phase protocol in C: statuses, what refusals leave alone, one-shot and repeatable executors."""

import pytest

SILU = """
static aclTensor *x, *y;
static void *in, *out;
static aclnnStatus phase_1(uint64_t *size, aclOpExecutor **executor) {
    return aclnnSiluGetWorkspaceSize(x, y, size, executor);
}
static aclrtStream prepare() {
    aclrtStream stream = begin();
    in = upload({0, 1, -1, 2});
    out = upload({9, 9, 9, 9});
    x = tensor({2, 2}, in);
    y = tensor({2, 2}, out);
    return stream;
}
"""

PROGRAM = """
int main() {
    aclrtStream stream = prepare();
    uint64_t size = 77;
    aclOpExecutor *executor = reinterpret_cast<aclOpExecutor *>(0x77), *mark = executor;
    show("null size", phase_1(nullptr, &executor));
    show("null executor", phase_1(&size, nullptr));
    show("null tensor", aclnnSiluGetWorkspaceSize(nullptr, y, &size, &executor));
    show("text", text());
    show("cleared", text());
    aclTensor *wrong = tensor({3}, out);
    show("wrong shape", aclnnSiluGetWorkspaceSize(x, wrong, &size, &executor));
    show("left alone", size == 77 && executor == mark);
    show("run null", aclnnSilu(nullptr, 0, nullptr, stream));
    show("run garbage", aclnnSilu(nullptr, 0, mark, stream));
    show("phase 1", phase_1(&size, &executor));
    show("size", size);
    show("of another API", aclnnHardshrink(nullptr, 0, executor, stream));
    show("run", aclnnSilu(nullptr, size, executor, stream));
    show("run again", aclnnSilu(nullptr, size, executor, stream));
    show("why", text());
    show("before", floats(out, 4));
    show("synchronised", aclrtSynchronizeStream(stream));
    show("after", floats(out, 4));
    show("destroy used", aclDestroyAclOpExecutor(executor));
    show("destroy twice", aclDestroyAclOpExecutor(executor));
    show("destroy null", aclDestroyAclOpExecutor(nullptr));
    show("repeatable null", aclSetAclOpExecutorRepeatable(nullptr));
    show("repeatable garbage", aclSetAclOpExecutorRepeatable(mark));
    phase_1(&size, &executor);
    aclDestroyTensor(x);
    show("tensor destroyed between", aclnnSilu(nullptr, size, executor, stream));
    show("stale tensor", phase_1(&size, &executor));
}
"""
EXPECTED = {
    "null size": "161001",
    "null executor": "161001",
    "null tensor": "161001",
    "cleared": "(none)",
    "wrong shape": "161002",
    "left alone": "1",
    "run null": "161001",
    "run garbage": "161001",
    "phase 1": "0",
    "size": "0",
    "of another API": "161001",
    "run": "0",
    "run again": "161001",
    "before": "9 9 9 9",
    "synchronised": "0",
    "after": "0 0.731059 -0.268941 1.76159",
    "destroy used": "0",
    "destroy twice": "561000",
    "destroy null": "561103",
    "repeatable null": "561103",
    "repeatable garbage": "561000",
    "tensor destroyed between": "561103",
    "stale tensor": "561103",
}


@pytest.fixture(scope="module")
def answers(programs):
    return programs.answers(SILU + PROGRAM)


@pytest.mark.parametrize(("step", "answer"), EXPECTED.items())
def test_steps(answers, step, answer):
    assert answers[step] == answer


def test_texts_name_the_class_the_fault_and_the_function(answers):
    newest = answers["text"].split("|")[0]
    assert newest.startswith("[PID: ")
    assert newest.endswith("AclNN_Parameter_Error(EZ1001): self is null (aclnnSiluGetWorkspaceSize)")
    assert "executor was already consumed" in answers["why"].split("|")[0]


def test_older_texts_follow_the_newest(answers):
    assert "executor is null (aclnnSiluGetWorkspaceSize)" in answers["text"].split("|")[2]


TRANSPOSED = """
int main() {
    aclrtStream stream = prepare();
    const int64_t strides[] = {1, 2};
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    aclTensor *t = tensor({2, 2}, in, strides);
    show("phase 1", aclnnSiluGetWorkspaceSize(t, y, &size, &executor));
    show("size", size);
    MAKE
    show("null workspace", aclnnSilu(nullptr, size, executor, stream));
    show("then", aclnnSilu(device(size), size, executor, stream));
    aclrtSynchronizeStream(stream);
    show("out", floats(out, 4));
}
"""


@pytest.mark.parametrize("make", ["", "aclSetAclOpExecutorRepeatable(executor);"])
def test_a_null_workspace_uses_up_even_a_repeatable_executor(programs, make):
    answers = programs.answers(SILU + TRANSPOSED.replace("MAKE", make))
    assert answers == {"phase 1": "0", "size": "512", "null workspace": "161001", "then": "161001", "out": "9 9 9 9"}


def test_a_strided_input_goes_through_the_workspace(programs):
    body = TRANSPOSED.replace("MAKE", "").replace(
        'show("null workspace", aclnnSilu(nullptr, size, executor, stream));', ""
    )
    assert programs.answers(SILU + body)["out"] == "0 -0.268941 0.731059 1.76159"


def test_a_repeatable_executor_follows_changed_addresses(programs):
    body = """
int main() {
    aclrtStream stream = prepare();
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    phase_1(&size, &executor);
    show("repeatable", aclSetAclOpExecutorRepeatable(executor));
    show("first", aclnnSilu(nullptr, size, executor, stream));
    void *in_2 = upload({1, 1, 1, 0}), *out_2 = upload({9, 9, 9, 9});
    show("input", aclSetInputTensorAddr(executor, 0, x, in_2));
    show("output", aclSetOutputTensorAddr(executor, 0, y, out_2));
    show("second", aclnnSilu(nullptr, size, executor, stream));
    aclrtSynchronizeStream(stream);
    show("first out", floats(out, 4));
    show("second out", floats(out_2, 4));
    show("null tensor", aclSetTensorAddr(executor, 0, nullptr, in));
    show("null executor", AclSetTensorAddr(nullptr, 0, x, in));
    aclTensorList *list = aclCreateTensorList(&x, 1);
    show("past the list", aclSetDynamicTensorAddr(executor, 0, 1, list, in));
    show("in the list", aclSetDynamicInputTensorAddr(executor, 0, 0, list, in));
    show("destroyed", aclDestroyAclOpExecutor(executor));
    show("run destroyed", aclnnSilu(nullptr, size, executor, stream));
}"""
    answers = programs.answers(SILU + body)
    assert answers.pop("first out") == "0 0.731059 -0.268941 1.76159"
    assert answers.pop("second out") == "0.731059 0.731059 0.731059 0"
    refused = {"null tensor": "561103", "null executor": "561103", "past the list": "161002", "run destroyed": "161001"}
    assert answers == {**dict.fromkeys(answers, "0"), **refused}


def test_an_empty_tensor_needs_no_memory(programs):
    body = """
int main() {
    aclrtStream stream = prepare();
    uint64_t size = 5;
    aclOpExecutor *executor = nullptr;
    aclTensor *empty = tensor({0, 3}, nullptr);
    show("phase 1", aclnnSiluGetWorkspaceSize(empty, tensor({0, 3}, nullptr), &size, &executor) + size);
    show("phase 2", aclnnSilu(nullptr, 0, executor, stream) + aclrtSynchronizeStream(stream));
}"""
    assert list(programs.answers(SILU + body).values()) == ["0", "0"]


def test_an_api_without_a_contract_checks_pointers_and_says_that_it_is_not_simulated(programs):
    body = """
int main() {
    uint64_t size = 3;
    aclOpExecutor *executor = nullptr;
    aclTensor *t = tensor({2}, nullptr);
    show("null", aclnnGeluGetWorkspaceSize(nullptr, t, &size, &executor));
    show("null size", aclnnGeluGetWorkspaceSize(t, t, nullptr, &executor));
    show("optional null", aclnnAdaLayerNormGetWorkspaceSize(t, t, t, nullptr, nullptr, 1e-5, t, &size, &executor));
    show("text", text());
    show("left alone", size == 3 && executor == nullptr);
    show("phase 2", aclnnGelu(nullptr, 0, executor, nullptr));
}"""
    answers = programs.answers(body)
    assert "AclNN_Inner_Error(EZ9999): not simulated" in answers.pop("text")
    assert list(answers.values()) == ["161001", "161001", "561000", "1", "161001"]


@pytest.mark.parametrize(
    ("soc", "status"),
    [("Ascend910B3", "0"), ("Ascend910A", "161002"), ("Ascend950PR_9599", "0"), ("Ascend910_9391", "0")],
)
def test_the_soc_decides_what_is_supported(programs, soc, status):
    if not hasattr(programs, "bfloat16"):
        programs.bfloat16 = programs.compile(
            '#include <cstdio>\n#include "acl/acl.h"\n#include "aclnnop/aclnn_silu_backward.h"\n'
            "int main() { int64_t n = 4; uint64_t size; aclOpExecutor *e;\n"
            "aclTensor *t = aclCreateTensor(&n, 1, ACL_BF16, nullptr, 0, ACL_FORMAT_ND, &n, 1, nullptr);\n"
            'std::printf("%d", aclnnSiluBackwardGetWorkspaceSize(t, t, t, &size, &e)); }'
        )
    assert programs.run(programs.bfloat16, ACLNN_SIM_SOC=soc) == status
