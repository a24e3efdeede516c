"""C prototypes of phase 1 as headers print them, read into parameters."""

import pytest

from conformance.load import load_contracts
from conformance.prototype import InvalidPrototype, parse_prototype
from conformance.signature import Parameter, ParameterKind, Role

I, O, IO = Role.INPUT, Role.OUTPUT, Role.INOUT  # noqa: E741
TAIL = "uint64_t* workspaceSize, aclOpExecutor** executor)"


def tells(parameter):
    """Whether the prototype shows what a parameter is; of others the contract alone says so."""
    pointer = parameter.c_type in ("aclTensor*", "const aclTensor*")
    shown = not pointer or ("const" in parameter.c_type) is not parameter.is_written
    return shown and (not parameter.optional or "ptional" in parameter.name)


TELLING = [
    api
    for api, contract in sorted(load_contracts().items())
    if all(tells(parameter) for parameter in contract.parameters)
]
"""APIs whose prototype has const for what is only read, and a name that says so for what may be null."""


@pytest.mark.parametrize("api", TELLING)
def test_a_contract_is_what_its_prototype_reads(api):
    parameters = load_contracts()[api].parameters
    written = ", ".join(f"{p.c_type} {p.name}" for p in parameters)
    assert parse_prototype(f"{api}GetWorkspaceSize({written}, {TAIL}") == (api, parameters)


@pytest.mark.parametrize(
    ("written", "parameter"),
    [
        ("const aclTensor *self", Parameter("self", ParameterKind.TENSOR, I, "const aclTensor*")),
        ("const  aclTensor\n * self", Parameter("self", ParameterKind.TENSOR, I, "const aclTensor*")),
        ("aclTensor* selfRef", Parameter("selfRef", ParameterKind.TENSOR, IO, "aclTensor*")),
        ("const aclIntArray *dims", Parameter("dims", ParameterKind.INT_ARRAY, I, "const aclIntArray*")),
        ("char *mode", Parameter("mode", ParameterKind.STRING, I, "char*")),
        ("aclTensorList *outs", Parameter("outs", ParameterKind.TENSOR_LIST, O, "aclTensorList*")),
        ("bool keepDim", Parameter("keepDim", ParameterKind.BOOL, I, "bool")),
        ("const aclTensor* m_Optional", Parameter("m_Optional", ParameterKind.TENSOR, I, "const aclTensor*", True)),
    ],
)
def test_a_parameter(written, parameter):
    api, (first, out) = parse_prototype(f"aclnnStatus aclnnXGetWorkspaceSize({written}, aclTensor *out, {TAIL};")
    assert (api, first, out.role) == ("aclnnX", parameter, O)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("int main()", "does not read"),
        ("aclnnXGetWorkspaceSize(const aclTensor* self)", "has no output"),
        ("aclnnXGetWorkspaceSize(aclTensor*)", "is no parameter"),
        ("aclnnXGetWorkspaceSize(void* data, aclTensor* out)", "data has type 'void*'"),
    ],
)
def test_what_is_no_prototype_is_refused(text, complaint):
    with pytest.raises(InvalidPrototype) as caught:
        parse_prototype(text)
    assert complaint in str(caught.value)
