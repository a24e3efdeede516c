"""Text that is generated: operator headers, C++ stubs, the product table, status codes, version files."""

from __future__ import annotations

from collections.abc import Iterable

from conformance.product import PRODUCTS, Product
from conformance.status import CODES, PREFIX, SUCCESS
from runners.simulator.cann.signatures import Signature, by_header

VERSION = "9.1.0.simulated"
PACKAGES = ("runtime", "bisheng-compiler", "hccl", "oam-tools", "ops-legacy", "ops-nn", "ops-math", "opbase")
WITHOUT_BFLOAT16 = frozenset({"ascend310p", "ascend910"})
RESULTS = ("uint64_t* workspaceSize", "aclOpExecutor** executor")
PHASE_2 = "(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream)"


def phase_1(signature: Signature) -> str:
    """C declaration of an API's phase 1, without semicolon."""
    words = [f"{parameter.c_type} {parameter.name}" for parameter in signature.parameters]
    return f"aclnnStatus {signature.api}GetWorkspaceSize({', '.join([*words, *RESULTS])})"


def phase_2(signature: Signature) -> str:
    """C declaration of an API's phase 2, without semicolon."""
    return f"aclnnStatus {signature.api}{PHASE_2}"


def operator_headers(signatures: Iterable[Signature]) -> dict[str, str]:
    """File name → text of every header of ``include/aclnnop``, with the umbrella header."""
    grouped = by_header(signatures)
    headers = {name: _header(name, members) for name, members in grouped.items()}
    headers["aclnn_util.h"] = _guarded("aclnn_util.h", '#include "aclnn/aclnn_base.h"')
    headers["aclnn_ops_nn.h"] = _guarded("aclnn_ops_nn.h", "\n".join(f'#include "aclnnop/{name}"' for name in grouped))
    return headers


def level_2_header(name: str) -> str:
    """The header of that name at its older place, ``aclnnop/level2``."""
    return _guarded(f"level2_{name}", f'#include "aclnnop/{name}"')


def stubs(signatures: Iterable[Signature]) -> str:
    """C++ source of both phases of every API, over the functions that ``api.h`` declares."""
    parts = ['#include "aclnnop/aclnn_ops_nn.h"', '#include "api.h"', "", "using namespace simulator;"]
    return "\n".join([*parts, *(_stub(signature) for signature in signatures)])


def chips() -> str:
    """C++ table of SoC name prefixes, cores and capabilities, from the one table of products."""
    rows = ",\n".join(_chip(prefix, product) for product in PRODUCTS.values() for prefix in product.soc_prefixes)
    return f'#pragma once\n#include "state.h"\nnamespace simulator {{\nconst Chip chips[] = {{\n{rows}}};\n}}\n'


def status_header() -> str:
    """``aclnn/opdev/op_errno.h``: the status codes of aclnn, one of them also in its old misspelling."""
    names = {"ACLNN_SUCCESS" if number == SUCCESS else PREFIX + name: number for name, number in CODES.items()}
    names[f"{PREFIX}INNER_KEY_CONFILICT"] = CODES["INNER_KEY_CONFLICT"]
    return _guarded("op_errno.h", "\n".join(f"#define {name} {number}" for name, number in names.items()))


def set_env(root: str) -> str:
    """Shell lines that make a tree at ``root`` the CANN in use."""
    return (
        "# Source this file to use the simulated CANN; the folder may be moved.\n"
        f'home="$(cd "$(dirname "${{BASH_SOURCE:-{root}/set_env.sh}}")" && pwd)"\n'
        'export ASCEND_HOME_PATH="$home" ASCEND_TOOLKIT_HOME="$home" ASCEND_OPP_PATH="$home/opp"\n'
        'export LD_LIBRARY_PATH="$home/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"\n'
        "unset home\n"
    )


def _header(name: str, members: Iterable[Signature]) -> str:
    declarations = [f"ACLNN_API {declare(member)};" for member in members for declare in (phase_1, phase_2)]
    body = ['#include "aclnn/acl_meta.h"', '#include "aclnn/aclnn_base.h"', '#include "aclnnop/aclnn_util.h"', ""]
    return _guarded(name, "\n".join([*body, 'extern "C" {', *declarations, "}"]))


def _guarded(name: str, body: str) -> str:
    guard = "ACLNN_SIMULATOR_" + "".join(c if c.isalnum() else "_" for c in name).upper()
    return f"#ifndef {guard}\n#define {guard}\n\n{body}\n\n#endif\n"


def _stub(signature: Signature) -> str:
    table = ", ".join(f'{{"{p.name}", {str(p.required).lower()}}}' for p in signature.parameters)
    api, names = signature.api, ", ".join(f"argument({p.name})" for p in signature.parameters)
    simulated = str(signature.simulated).lower()
    return (
        f"static const Parameter {api}_parameters[] = {{{table}}};\n"
        f'static const Api {api}_api = {{"{api}", {api}_parameters, {len(signature.parameters)}, {simulated}}};\n'
        f"{phase_1(signature)} {{\n"
        f"    const Argument arguments[] = {{{names}}};\n"
        f"    return simulator::phase_1({api}_api, arguments, workspaceSize, executor);\n}}\n"
        f"{phase_2(signature)} {{\n"
        f"    (void)workspaceSize;\n"
        f"    return simulator::phase_2({api}_api, workspace, executor, stream);\n}}\n"
    )


def _chip(prefix: str, product: Product) -> str:
    bfloat16 = str(product.name not in WITHOUT_BFLOAT16).lower()
    arch = int(product.arch.removeprefix("DAV_"))
    return f'    {{"{prefix}", {product.vector_cores}, {product.unified_buffer}, {arch}, {bfloat16}}}'
