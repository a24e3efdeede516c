"""The headers compile as C and as every C++ from 11 to 20, and the libraries export what they declare."""

import re
import subprocess

import pytest

from conformance.dtype import DTYPES
from conformance.load import load_contracts
from conformance.tensor import Format
from runners.simulator.cann.signatures import by_header, read_signatures

NAMES = {
    "float32": "ACL_FLOAT", "float64": "ACL_DOUBLE", "bfloat16": "ACL_BF16",
}  # fmt: skip


def syntax(tree, source, *flags):
    done = subprocess.run(
        [*flags, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-I", tree / "include", "-"],
        input=source, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stderr


def includes(tree, pattern):
    names = sorted(path.relative_to(tree / "include") for path in (tree / "include").rglob("*.h"))
    return "".join(f'#include "{name}"\n' for name in names if re.match(pattern, str(name)))


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
def test_every_header_compiles_as(tree, standard):
    assert syntax(tree, includes(tree, ".*"), "g++", f"-std={standard}", "-x", "c++") == ""


def test_the_runtime_headers_compile_as_c(tree):
    assert syntax(tree, includes(tree, "acl/"), "gcc", "-std=c99", "-x", "c") == ""


@pytest.mark.parametrize(
    "name", ["aclnn_silu.h", "aclnnop/aclnn_silu.h", "aclnnop/level2/aclnn_silu.h", "aclnnop/aclnn_ops_nn.h"]
)
def test_paths_that_programs_include(tree, name):
    source = f'#include "{name}"\nauto phase = &aclnnSiluGetWorkspaceSize;'
    assert syntax(tree, source, "g++", "-I", str(tree / "include" / "aclnnop"), "-x", "c++") == ""


def test_numbers_of_types_and_formats_are_those_of_the_suite(tree):
    types = [f"{NAMES.get(n, 'ACL_' + n.upper())} == {d.acl}" for n, d in DTYPES.items()]
    formats = [f"ACL_FORMAT_{f.name} == {f.value}" for f in Format if f is not Format.UNDEFINED]
    source = "".join(f'static_assert({fact}, "");\n' for fact in types + formats)
    assert syntax(tree, '#include "acl/acl.h"\n' + source, "g++", "-x", "c++") == ""


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in lines.splitlines()}


def declared(tree, name):
    return set(re.findall(r"\b([aA]cl\w+)\(", (tree / "include" / name).read_text()))


@pytest.mark.parametrize("alias", ["libacl_rt.so", "libascendcl.so"])
def test_the_runtime_exports_all_it_declares(tree, alias):
    wanted = declared(tree, "acl/acl_rt.h") | declared(tree, "acl/acl_base_rt.h")
    assert len(wanted) == 64
    assert wanted - exported(tree / "lib64" / alias) == set()


def test_the_base_library_exports_all_it_declares(tree):
    wanted = declared(tree, "aclnn/acl_meta.h")
    assert len(wanted) == 47
    assert wanted - exported(tree / "lib64" / "libnnopbase.so") == set()


@pytest.mark.parametrize("library", ["libopapi_nn.so", "libopapi.so"])
def test_both_phases_of_every_api_are_exported(tree, library):
    apis = {signature.api for signature in read_signatures(load_contracts())}
    assert len(apis) >= 507
    wanted = apis | {f"{api}GetWorkspaceSize" for api in apis}
    assert {name for name in exported(tree / "lib64" / library) if name.startswith("aclnn")} == wanted


def test_the_marker_is_exported(tree):
    assert "aclnnSimulatorMarker" in exported(tree / "lib64" / "libacl_rt.so")


def test_operator_libraries_bring_the_others_along(tree):
    headers = subprocess.run(
        ["readelf", "-d", tree / "lib64" / "libopapi_nn.so"], capture_output=True, text=True, check=True
    )
    needed = re.findall(r"NEEDED.*\[(lib(?:acl|nn|op)\w+\.so)\]", headers.stdout)
    assert needed == ["libopapi_math.so", "libnnopbase.so", "libacl_rt.so"]


def test_contracts_and_the_table_agree_on_every_prototype():
    table = {signature.api: signature for signature in read_signatures({})}
    for signature in read_signatures(load_contracts()):
        if signature.simulated and signature.api in table:
            listed = [(p.c_type.replace(" ", ""), p.name) for p in table[signature.api].parameters]
            assert [(p.c_type.replace(" ", ""), p.name) for p in signature.parameters] == listed, signature.api


def test_no_header_declares_an_api_twice():
    declared_in = [s.api for members in by_header(read_signatures(load_contracts())).values() for s in members]
    assert len(declared_in) == len(set(declared_in))
