"""Return codes of the runtime: process, devices, contexts, memory, copies, options, versions, half precision."""

import pytest

PROGRAM = """
int main() {
    void *p = nullptr, *other = nullptr;
    int32_t device_id = -1, major = 0, minor = 0, patch = 0;
    int64_t option = -1;
    uint64_t references = 9;
    size_t free_bytes = 0, total = 0;
    char host[64] = {0};
    aclrtContext context = nullptr;
    SHOW(aclInit("/no/such/file.json"));
    SHOW(aclInit(nullptr));
    show("again", aclInit(nullptr));
    SHOW(aclrtGetDevice(&device_id));
    SHOW(aclrtMalloc(&p, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    show("copy without context", aclrtMemcpy(host, 8, host + 8, 8, ACL_MEMCPY_HOST_TO_HOST));
    SHOW(aclrtCreateStream(&other));
    SHOW(aclrtResetDevice(0));
    SHOW(aclrtSetDevice(8));
    SHOW(aclrtSetDevice(-1));
    SHOW(aclrtSetDevice(7));
    SHOW(aclrtGetDevice(&device_id) + device_id);
    SHOW(aclrtResetDevice(7));
    SHOW(aclrtSetDevice(0));
    SHOW(aclrtCreateContext(nullptr, 0));
    SHOW(aclrtCreateContext(&context, 0));
    SHOW(aclrtDestroyContext(context));
    SHOW(aclrtSetCurrentContext(context));
    SHOW(aclrtSetDevice(0) + aclrtResetDevice(0));
    SHOW(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    SHOW(aclrtMalloc(&p, 0, ACL_MEM_MALLOC_HUGE_FIRST));
    SHOW(aclrtMalloc(&p, size_t(1) << 50, ACL_MEM_MALLOC_HUGE_FIRST));
    show("malloc", aclrtMalloc(&p, 32, ACL_MEM_MALLOC_HUGE_FIRST));
    show("alignment", reinterpret_cast<uintptr_t>(p) % 64);
    SHOW(aclrtFree(nullptr));
    SHOW(aclrtFree(host));
    show("free inside", aclrtFree(static_cast<char *>(p) + 8));
    SHOW(aclrtFreeHost(nullptr));
    SHOW(aclrtMemcpy(p, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE));
    SHOW(aclrtMemcpy(p, 32, nullptr, 8, ACL_MEMCPY_HOST_TO_DEVICE));
    SHOW(aclrtMemcpy(p, 8, host, 16, ACL_MEMCPY_HOST_TO_DEVICE));
    SHOW(aclrtMemcpy(p, 64, host, 33, ACL_MEMCPY_HOST_TO_DEVICE));
    SHOW(aclrtMemcpy(p, 32, p, 32, ACL_MEMCPY_DEVICE_TO_DEVICE));
    SHOW(aclrtMemcpy(p, 32, host, 8, static_cast<aclrtMemcpyKind>(6)));
    SHOW(aclrtMemcpy(host, 64, p, 4, ACL_MEMCPY_DEVICE_TO_HOST));
    show("unwritten", static_cast<unsigned char>(host[0]));
    SHOW(aclrtMemset(p, 32, 0x1AB, 32));
    aclrtMemcpy(host, 64, p, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    show("set", static_cast<unsigned char>(host[3]));
    SHOW(aclrtMemset(p, 64, 0, 33));
    SHOW(aclrtMemsetAsync(p, 8, 0, 9, nullptr));
    SHOW(aclrtFree(p));
    show("free again", aclrtFree(p));
    show("copy to freed", aclrtMemcpy(p, 32, host, 8, ACL_MEMCPY_HOST_TO_DEVICE));
    SHOW(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    show("all memory free", free_bytes == total && total > 0);
    SHOW(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &option) + option);
    SHOW(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &option));
    SHOW(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    show("process sees the context's", aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &option) + option);
    SHOW(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 4));
    SHOW(aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(9), 1));
    SHOW(aclrtCtxSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, 1));
    SHOW(aclrtSynchronizeStreamWithTimeout(nullptr, 0));
    SHOW(aclrtSynchronizeDeviceWithTimeout(-2));
    SHOW(aclrtDestroyStream(nullptr));
    show("foreign stream", aclrtSynchronizeStream(host));
    show("peeked", aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
    show("taken", aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    show("then", aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    SHOW(aclrtGetVersion(&major, &minor, &patch));
    show("version", major * 100 + minor);
    show("soc", aclrtGetSocName());
    SHOW(aclrtResetDevice(0));
    show("after reset", aclrtMalloc(&p, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    SHOW(aclFinalize());
    show("finalize again", aclFinalize());
    show("init after finalize", aclInit(""));
    show("count down", aclFinalizeReference(&references));
    show("left", references);
    show("below zero", aclFinalizeReference(&references));
    show("other configuration", aclInit(CONFIGURATION));
}
"""
EXPECTED = {
    'aclInit("/no/such/file.json")': 100003,
    "aclInit(nullptr)": 0,
    "again": 100002,
    "aclrtGetDevice(&device_id)": 107002,
    "aclrtMalloc(&p, 8, ACL_MEM_MALLOC_HUGE_FIRST)": 107002,
    "copy without context": 107002,
    "aclrtCreateStream(&other)": 107002,
    "aclrtSetDevice(8)": 107001,
    "aclrtSetDevice(-1)": 107001,
    "aclrtSetDevice(7)": 0,
    "aclrtGetDevice(&device_id) + device_id": 7,
    "aclrtResetDevice(7)": 0,
    "aclrtSetDevice(0)": 0,
    "aclrtCreateContext(nullptr, 0)": 100000,
    "aclrtCreateContext(&context, 0)": 0,
    "aclrtDestroyContext(context)": 0,
    "aclrtSetCurrentContext(context)": 107002,
    "aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST)": 100000,
    "aclrtMalloc(&p, 0, ACL_MEM_MALLOC_HUGE_FIRST)": 100000,
    "aclrtMalloc(&p, size_t(1) << 50, ACL_MEM_MALLOC_HUGE_FIRST)": 207001,
    "malloc": 0,
    "alignment": 0,
    "aclrtFree(nullptr)": 100000,
    "aclrtFree(host)": 107000,
    "free inside": 107000,
    "aclrtFreeHost(nullptr)": 100000,
    "aclrtMemcpy(p, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE)": 0,
    "aclrtMemcpy(p, 32, nullptr, 8, ACL_MEMCPY_HOST_TO_DEVICE)": 100000,
    "aclrtMemcpy(p, 8, host, 16, ACL_MEMCPY_HOST_TO_DEVICE)": 107000,
    "aclrtMemcpy(p, 64, host, 33, ACL_MEMCPY_HOST_TO_DEVICE)": 107000,
    "aclrtMemcpy(p, 32, p, 32, ACL_MEMCPY_DEVICE_TO_DEVICE)": 0,
    "aclrtMemcpy(p, 32, host, 8, static_cast<aclrtMemcpyKind>(6))": 100000,
    "aclrtMemcpy(host, 64, p, 4, ACL_MEMCPY_DEVICE_TO_HOST)": 0,
    "unwritten": 0xFF,
    "aclrtMemset(p, 32, 0x1AB, 32)": 0,
    "set": 0xAB,
    "aclrtMemset(p, 64, 0, 33)": 107000,
    "aclrtMemsetAsync(p, 8, 0, 9, nullptr)": 107000,
    "aclrtFree(p)": 0,
    "free again": 107000,
    "copy to freed": 107000,
    "aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total)": 0,
    "all memory free": 1,
    "aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &option) + option": 0,
    "aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &option)": 107021,
    "aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1)": 0,
    "process sees the context's": 1,
    "aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 4)": 107000,
    "aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(9), 1)": 100000,
    "aclrtCtxSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, 1)": 100000,
    "aclrtSynchronizeStreamWithTimeout(nullptr, 0)": 107000,
    "aclrtSynchronizeDeviceWithTimeout(-2)": 107000,
    "aclrtDestroyStream(nullptr)": 100000,
    "foreign stream": 107017,
    "peeked": 107017,
    "taken": 107017,
    "then": 0,
    "aclrtGetVersion(&major, &minor, &patch)": 0,
    "version": 117,
    "soc": "Ascend910B1",
    "aclrtResetDevice(0)": 0,
    "after reset": 107002,
    "aclFinalize()": 0,
    "finalize again": 100037,
    "init after finalize": 0,
    "count down": 0,
    "left": 0,
    "below zero": 100037,
    "other configuration": 100000,
}


@pytest.fixture(scope="module")
def answers(programs, tmp_path_factory):
    configuration = tmp_path_factory.mktemp("configuration") / "acl.json"
    configuration.write_text("{}")
    return programs.answers(PROGRAM, f'-DCONFIGURATION="{configuration}"')


@pytest.mark.parametrize(("call", "answer"), EXPECTED.items())
def test_answers_as_documented(answers, call, answer):
    assert answers[call] == str(answer)


def test_reset_without_set_is_507007(programs):
    assert programs.answers('int main() { show("reset", aclrtResetDevice(0)); }')["reset"] == "507007"


def test_every_reference_to_a_device_counts(programs):
    body = """
int main() {
    void *p = nullptr;
    aclrtSetDevice(0);
    aclrtSetDevice(0);
    show("first reset", aclrtResetDevice(0));
    show("still usable", aclrtMalloc(&p, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    show("second reset", aclrtResetDevice(0));
    show("freed with the device", aclrtFree(p));
}"""
    assert list(programs.answers(body).values()) == ["0", "0", "0", "107000"]


@pytest.mark.parametrize(("visible", "count"), [("1,2", 2), ("3,1", 1), ("0,x,2", 1), ("", 0), ("7", 1), ("8", 0)])
def test_visible_devices_are_renumbered_up_to_the_first_bad_item(programs, visible, count):
    if not hasattr(programs, "counting"):
        programs.counting = programs.compile(
            '#include <cstdio>\n#include "acl/acl.h"\n'
            'int main() { uint32_t n = 9; aclrtGetDeviceCount(&n); std::printf("%u %d", n, aclrtSetDevice(n)); }'
        )
    assert programs.run(programs.counting, ASCEND_RT_VISIBLE_DEVICES=visible) == f"{count} 107001"


def test_a_soc_name_nobody_knows_fails_at_init(programs):
    body = """
int main() {
    show("init", aclInit(nullptr));
    show("text", text());
    show("soc", aclrtGetSocName() == nullptr);
}"""
    answers = programs.answers(body, ACLNN_SIM_SOC="Ascend1")
    assert (answers["init"], answers["soc"]) == ("500000", "1")
    assert "ACLNN_SIM_SOC is no SoC name the simulator knows: Ascend1" in answers["text"]


HALVES = {
    "1.0f": 0x3C00,
    "-2.5f": 0xC100,
    "1.00048828125f": 0x3C00,
    "1.00146484375f": 0x3C02,
    "65519.0f": 0x7BFF,
    "1e9f": 0x7BFF,
    "-1e9f": 0xFBFF,
    "NAN": 0x7BFF,
    "INFINITY": 0x7BFF,
    "5.9604645e-8f": 0x0001,
    "2e-8f": 0x0000,
    "6.1e-5f": 0x03FF,
    "-0.0f": 0x8000,
}


def test_half_precision_saturates_and_rounds_to_even(programs):
    lines = "".join(f'show("{number}", aclFloatToFloat16({number}));' for number in HALVES)
    answers = programs.answers(f"#include <cmath>\nint main() {{ {lines} }}")
    assert {number: int(bits) for number, bits in answers.items()} == HALVES


WIDENED = {0x3C00: 1.0, 0x8001: -(2.0**-24), 0x7BFF: 65504.0, 0x7C00: 65536.0, 0xFC00: -65536.0, 0x7E00: 98304.0}


def test_half_precision_widens_without_infinity_and_nan(programs):
    lines = "".join(f'std::printf("{bits}: %.17g\\n", aclFloat16ToFloat({bits}));' for bits in WIDENED)
    answers = programs.answers(f"int main() {{ {lines} }}")
    assert {int(bits): float(value) for bits, value in answers.items()} == WIDENED


def test_versions_come_from_the_tree(programs, tree):
    body = """
int main() {
    char version[128] = {0};
    int32_t number = 0;
    aclCANNPackageVersion parts;
    SHOW(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &parts));
    show("release", std::string(parts.version) + " " + parts.majorVersion + " " + parts.minorVersion);
    SHOW(aclsysGetCANNVersion(static_cast<aclCANNPackageName>(99), &parts));
    char package[] = "ops_nn", unknown[] = "nothing";
    SHOW(aclsysGetVersionStr(package, version));
    show("version", version);
    SHOW(aclsysGetVersionNum(package, &number));
    show("number", number);
    SHOW(aclsysGetVersionStr(unknown, version));
}"""
    answers = list(programs.answers(body, ASCEND_HOME_PATH=str(tree)).values())
    assert answers == ["0", "9.1.0.simulated 9 1", "100000", "0", "9.1.0.simulated", "0", "90100000", "100003"]


def test_the_marker_tells_a_simulation_from_cann(programs):
    answers = programs.answers('int main() { show("marker", aclnnSimulatorMarker()); }')
    assert answers["marker"].startswith("simulated CANN")
