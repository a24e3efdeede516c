"""Results and arguments in words."""

from pathlib import Path

import fakes
import pytest
from tiny import prelu_cases, prelu_group, session

from conformance.call import Attribute, Scalar
from conformance.case import Refusal, Success, TensorSpec, Unspecified
from conformance.dtype import DTYPES
from conformance.errors import InvalidData, InvalidOption
from conformance.explain import describe_argument, describe_call, describe_expectation, explain
from conformance.load import load_waivers
from conformance.opening import open_session
from conformance.options import Options, parse_runner_options
from conformance.outcome import Phase
from conformance.signature import ParameterKind
from conformance.tensor import Format

F32 = DTYPES["float32"]


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        (None, "null"),
        (Scalar(F32, 0.5), "= 0.5 float32"),
        (Attribute(ParameterKind.INT64, -1), "= -1"),
        (TensorSpec(F32, (2, 3), (3, 1), 0, (2, 3)), "float32[2, 3]"),
        (TensorSpec(F32, (2,), (2,), 1, (4,)), "float32[2] strides [2] offset 1 in [4]"),
        (TensorSpec(F32, (2,), (1,), 0, (2,), Format.NCHW, alias="self"), "float32[2] NCHW aliases self"),
    ],
)
def test_arguments(argument, words):
    assert describe_argument(argument) == words


@pytest.mark.parametrize(
    ("expectation", "words"),
    [
        (Success(), "success"),
        (Success((0, 161001)), "success, with PARAM_NULLPTR (161001) on the way"),
        (Refusal(Phase.RUN, 561000), "refusal at run with INNER (561000)"),
        (Unspecified("silent"), "unspecified (silent)"),
        (
            Unspecified("silent", Success(), Refusal(Phase.RUN, 7)),
            "unspecified (document says success; implementation says refusal at run with 7)",
        ),
    ],
)
def test_expectations(expectation, words):
    assert describe_expectation(expectation) == words


def text(tmp_path, implementation, body=None, **options):
    (case,) = prelu_cases(tmp_path, body or prelu_group())
    return explain(session(implementation).execute(case), Options(**options))


def test_a_failure_names_the_call_the_worst_element_and_how_to_run_it_again(tmp_path):
    lines = text(tmp_path, fakes.WrongSign(), seed=3, standard="ulp", runner="a b.py:C").splitlines()
    assert lines[0].startswith("FAILED activation.prelu_backward.numeric.rows.h")
    assert "  call      aclnnPreluBackward(gradOutput float32[4, 2], self float32[4, 2]," in lines[3]
    assert any("gradInput 8 of 8 elements are not the rounded golden, max " in line for line in lines)
    assert any("worst at [" in line and ": got " in line for line in lines)
    assert any("          where gradOutput = " in line for line in lines)
    assert "--runner 'a b.py:C' --product ascend910b --standard ulp --seed 3" in lines[-1]


def test_outputs_that_are_right_are_left_out_and_a_crash_has_no_numbers(tmp_path):
    assert "gradWeight " not in text(tmp_path, fakes.WrongSign()).split("expected")[1]
    assert "elements differ" not in text(tmp_path / "raises", fakes.Raises())


@pytest.mark.parametrize(
    ("values", "liar", "words"),
    [
        ({"list": [1, "nan", 2, -3, 1, 4, "inf", 5]}, fakes.NanToZero, "in being NaN or infinite"),
        ({"cycle": [1, 2, -1]}, fakes.AllZero, "zeros where there should be none"),
    ],
)
def test_what_is_particular_about_the_numbers(values, liar, words, tmp_path):
    body = prelu_group()
    body["arguments"]["gradOutput"]["values"] = values
    assert words in text(tmp_path, liar(), body)


def test_null_out_pointers_are_named_in_the_call(tmp_path):
    body = prelu_group(expect={"unspecified": "the document is silent"})
    body["arguments"]["executor"] = None
    (case,) = prelu_cases(tmp_path, body)
    assert describe_call(case).endswith("gradWeight float32[2], executor null)")


def test_a_repro_line_says_only_what_is_not_the_default():
    assert Options().repro("a.b") == "pytest cases -k a.b --runner simulator --product ascend910b"
    line = Options(reference="mine", runner_options={"cann": "/opt/c d"}).repro("a.b")
    assert "--runner-option 'cann=/opt/c d'" in line
    assert line.endswith("--reference mine")


def test_runner_options():
    assert parse_runner_options(["a=1", "b=x=y"], "/opt") == {"a": "1", "b": "x=y", "cann": "/opt"}
    assert parse_runner_options([]) == {}
    assert parse_runner_options([], devices="0,1") == {"device": "0,1"}
    for word in ("a", "=1", "a b=1"):
        with pytest.raises(InvalidOption, match="is not NAME=VALUE"):
            parse_runner_options([word])


def test_a_foreign_runner_is_isolated_unless_told_otherwise():
    name = f"{fakes.__file__}:Honest"
    isolated, shared = open_session(Options(runner=name)), open_session(Options(runner=name, isolate=False))
    assert type(isolated.runner).__name__ == "IsolatedRunner"
    assert type(shared.runner).__name__ == "Honest"
    isolated.runner.close()
    assert type(open_session(Options()).runner).__name__ == "SimulatorRunner"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "w.json:1: malformed JSON"),
        ('{"$schema": "w"}', "w.json:1: 'entries' is missing"),
        ('{"$schema": "w",\n "entries": [{}]}', "w.json:2 at /entries/0: 'kind' is missing"),
        ('{"$schema": "w", "entries": [\n 3]}', "w.json:2 at /entries/0: 3 is not of type object"),
    ],
)
def test_waiver_files_that_are_no_waiver_files(content, message, tmp_path):
    Path(tmp_path / "w.json").write_text(content)
    with pytest.raises(InvalidData) as caught:
        load_waivers((tmp_path / "w.json",))
    assert message in str(caught.value)
