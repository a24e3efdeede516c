"""What a standalone program is made of: tolerances as numbers, files beside it, and what cannot be written."""

import math

import numpy as np
import pytest

from conformance.call import Attribute
from conformance.cli import main
from conformance.dtype import DTYPES
from conformance.golden import GoldenOutput
from conformance.load import load_standards
from conformance.signature import Parameter, ParameterKind, Role
from conformance.standard import ComparisonClass
from conformance.tensor import Shape, new_tensor
from runners.repro.cpp import Cpp, _number
from runners.repro.python import Python
from runners.repro.recipe import Given, NamedTensor
from runners.repro.spelling import Attachment, identifier
from runners.repro.tolerance import Answer, CannotReproduce, answers

STRICT = load_standards()["strict"]
TENSOR = {"dtype": "float32", "shape": [2, 3]}


def answer_to(values, dtype="float32", comparison="elementwise", standard=STRICT, **golden):
    output = GoldenOutput(np.array(values, np.float64), **golden)
    ((answer, rule),) = answers(output, DTYPES[dtype], ComparisonClass(comparison), standard)
    return answer, rule


@pytest.mark.parametrize(
    ("comparison", "dtype", "tolerance", "rule"),
    [
        ("exact", "float32", 0.0, "equal"),
        ("rounded", "float32", 0.0, "within 0 ULP"),
        ("elementwise", "float32", 8 * 2.0**-23, "within 8 ULP"),
        ("elementwise", "bfloat16", (0.5 + 8 * 2.0**-15) * 2.0**-7, "within 0.5002 ULP"),
    ],
)
def test_a_bound_in_ulp_is_a_difference_at_each_value(comparison, dtype, tolerance, rule):
    answer, said = answer_to([1.0, -4.0], dtype, comparison)
    assert answer.tolerances.tolist() == [tolerance, 4 * tolerance]
    assert said == rule


def test_values_are_rounded_to_the_dtype_where_the_rule_counts_ulp():
    assert answer_to([1 / 3], "bfloat16", "rounded")[0].values.tolist() == [0.333984375]
    assert answer_to([1e39])[0].values.tolist() == [math.inf]


def test_subnormal_results_may_be_flushed():
    answer, _ = answer_to([1e-40], comparison="rounded")
    assert answer.tolerances[0] == answer.values[0]


def test_a_sum_is_bounded_by_the_size_of_its_terms():
    answer, rule = answer_to([0.0], comparison="reduction", terms=np.array([100.0]), term_count=4)
    unit = 2.0**-24
    assert answer.tolerances[0] == pytest.approx((8 + 0.5 * 4) * unit * 100, rel=0.1)
    assert "of the sum of 4 terms' sizes" in rule


def test_a_standard_of_means_gives_no_bound_on_elements():
    with pytest.raises(CannotReproduce, match="no bound on single elements"):
        answer_to([1.0], standard=load_standards()["cann_single_benchmark"])


def test_every_alternative_is_an_answer():
    output = GoldenOutput(np.array([1.0]), alternatives=(np.array([0.0]),))
    found = answers(output, DTYPES["float32"], ComparisonClass.EXACT, STRICT)
    assert [answer.values.tolist() for answer, _ in found] == [[1.0], [0.0]]


def test_one_tolerance_stands_for_all_that_are_the_same():
    assert Answer(np.ones(3), np.full(3, 0.5)).allowed.tolist() == [0.5]
    assert Answer(np.ones(2), np.array([0.5, 1.0])).allowed.tolist() == [0.5, 1.0]


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (-(2**63), ParameterKind.INT64, "(-INT64_C(9223372036854775807) - 1)"),
        (math.inf, ParameterKind.DOUBLE, "INFINITY"),
        (math.nan, ParameterKind.FLOAT, "NAN"),
        (0.1, ParameterKind.FLOAT, "static_cast<float>(0.1)"),
        (True, ParameterKind.BOOL, "true"),
    ],
)
def test_numbers_in_cpp(value, kind, text):
    assert _number(value, kind) == text


def test_strings_in_cpp_are_plain_bytes():
    assert Cpp(Attachment()).string('a"ü?') == '"a\\042\\303\\274\\077"'


def test_names_are_clear_of_keywords():
    assert [identifier(name) for name in ("lambda", "grads.0")] == ["lambdaArg", "grads_0Arg"]


def silu_file(case_file, shape: Shape, dtype="float32", **changes):
    tensors = {name: {"dtype": dtype, "shape": list(shape)} for name in ("self", "out")}
    return str(case_file("silu", tensors, **changes))


def test_much_data_goes_to_a_file_beside_the_program(case_file, tmp_path, capsys):
    source = tmp_path / "big.cpp"
    assert main(["repro", "activation", "--paths", silu_file(case_file, (20_000,)), "-o", str(source)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"wrote {source}", f"wrote {tmp_path / 'big.bin'}"]
    assert (tmp_path / "big.bin").stat().st_size == 20_000 * (4 + 8 + 8)  # self, values, tolerances


def test_the_file_is_named_after_the_case_by_default(case_file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["repro", "activation", "--paths", silu_file(case_file, (3,)), "--form", "ctypes"]) == 0
    name = capsys.readouterr().out.strip().removeprefix("wrote ")
    assert name.startswith("build/repro/activation.silu.numeric.only.h")
    assert (tmp_path / name).is_file()


@pytest.mark.parametrize(
    ("changes", "options", "complaint"),
    [
        ({"products": ["ascend950"]}, [], "is no case for ascend910b, but for ascend950"),
        ({"dtype": "$dtype", "axes": {"dtype": ["float32", "float16"]}}, [], "picks 2 cases; name one"),
        ({}, ["--standard", "cann_single_benchmark"], "no bound on single elements"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(changes, options, complaint, case_file, tmp_path, capsys):
    data = silu_file(case_file, (3,), **changes)
    arguments = ["repro", "activation", "--paths", data, "-o", str(tmp_path / "x.cpp"), *options]
    assert main(arguments) == 2
    assert complaint in capsys.readouterr().err


FLOATS, MEMBERS = Attribute(ParameterKind.FLOAT_ARRAY, (0.5, math.inf)), (new_tensor(DTYPES["float32"], (2,)), None)
NAMED = NamedTensor("p.0", MEMBERS[0], 0)


@pytest.mark.parametrize(
    ("language", "argument", "statements", "release"),
    [
        (
            Cpp,
            FLOATS,
            [
                "float pArgValues[] = {static_cast<float>(0.5), static_cast<float>(INFINITY)};",
                "aclFloatArray *pArg = aclCreateFloatArray(pArgValues, 2);",
            ],
            "aclDestroyFloatArray(pArg);",
        ),
        (
            Cpp,
            MEMBERS,
            [
                "aclTensor *p_0Arg = create(p_0View);",
                "const aclTensor *pArgMembers[] = {p_0Arg, nullptr};",
                "aclTensorList *pArg = aclCreateTensorList(pArgMembers, 2);",
            ],
            "aclDestroyTensorList(pArg);",
        ),
        (
            Python,
            FLOATS,
            ['pArg = function("aclCreateFloatArray", P, P, U64)((ctypes.c_float * 2)(0.5, inf), 2)'],
            'function("aclDestroyFloatArray", INT, P)(pArg)',
        ),
        (
            Python,
            MEMBERS,
            [
                "p_0Arg = p_0View.tensor",
                'pArg = function("aclCreateTensorList", P, P, U64)((P * 2)(p_0Arg, None), 2)',
            ],
            'function("aclDestroyTensorList", INT, P)(pArg)',
        ),
    ],
)
def test_arrays_and_lists_are_made_and_released(language, argument, statements, release):
    is_list = isinstance(argument, tuple)
    kind = ParameterKind.TENSOR_LIST if is_list else argument.kind
    given = Given(Parameter("p", kind, Role.INPUT, "T"), argument, (NAMED, None) if is_list else ())
    spelled = language(Attachment())
    assert spelled.create(given) == statements
    assert spelled.destroy(given) == [release]
