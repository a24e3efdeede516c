"""From a lying runner to the sentence: what a failure text, a record line and a summary say about typical faults."""

import io

import fakes
import numpy as np
import pytest
from msgspec import structs
from rich.console import Console
from tiny import prelu_cases, prelu_group, session

from conformance.explain import explain
from conformance.header import header_of
from conformance.options import Options
from conformance.record import RecordWriter, line_of
from conformance.tensor import Tensor, contiguous_strides
from conformance.verdict import Verdict
from reports.summary import print_markdown, print_terminal


class Truncates(fakes.Honest):
    """Every result one step nearer to zero."""

    def lie(self, call, outcome):
        view = fakes.first_output(call).view()
        view[...] = np.nextafter(view, view.dtype.type(0))


class Transposes(fakes.Honest):
    def lie(self, call, outcome):
        view = fakes.first_output(call).view()
        view[...] = view.T.reshape(view.shape).copy()


class Misreads(fakes.Honest):
    """Computes honestly from inputs that are read wrongly."""

    def run(self, call):
        wrong = {name: self.read(one) for name, one in call.arguments.items() if isinstance(one, Tensor)}
        return super().run(structs.replace(call, arguments={**call.arguments, **wrong}))


class IgnoresStrides(Misreads):
    def read(self, tensor):
        return structs.replace(tensor, strides=contiguous_strides(tensor.shape))


class IgnoresOffsets(Misreads):
    def read(self, tensor):
        return structs.replace(tensor, offset=0)


UNIFORM = {"uniform": [-2, 2]}


def group(name="some", layout="contiguous", specials=None, shape=(16, 25)):
    body = prelu_group(name, shape=shape)
    for argument in ("gradOutput", "self"):
        body["arguments"][argument].update(values=UNIFORM, layout=layout)
    if specials:
        body["arguments"]["gradOutput"]["values"] = {"list": specials}
    return body


NANS = [1, -1, "nan", 2, -2, 3, "nan", -3]
LIES = [
    (fakes.WrongTail, group(), "1 of 400 elements wrong, only the last element"),
    (IgnoresStrides, group(layout="transposed"), "as if gradOutput and self were read without their strides"),
    (IgnoresOffsets, group(layout={"offset": 3}), "as if gradOutput and self were read without their offset"),
    (Truncates, group(), "off by one ULP, towards zero as if truncated"),
    (
        fakes.NanToZero,
        group(specials=NANS, shape=(4, 2)),
        "2 of 8 elements wrong, only where gradOutput is NaN",
    ),
    (Transposes, group(), "as if transposed"),
]


def failure(liar, body, tmp_path, **options):
    (case,) = prelu_cases(tmp_path / "data", body)
    return session(liar(), **options).execute(case)


@pytest.mark.parametrize(("liar", "body", "sentence"), LIES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_failure_text_names_the_fault(liar, body, sentence, tmp_path):
    result = failure(liar, body, tmp_path)
    assert result.judged.verdict is Verdict.FAILED
    (line,) = (line for line in explain(result, Options()).splitlines() if line.startswith("  diagnosis gradInput: "))
    assert sentence in line
    assert line_of(result)["diagnosis"]["gradInput"]["text"] in line


def test_outputs_not_written_are_diagnosed_though_no_number_was_judged(tmp_path):
    result = failure(fakes.SkipsOneOutput, group(), tmp_path)
    assert "gradWeight was not written" in result.judged.reason
    assert "never written" in result.diagnoses["gradWeight"].text
    assert set(result.diagnoses) == {"gradWeight"}


def test_a_session_may_do_without_diagnoses(tmp_path):
    result = failure(fakes.WrongTail, group(), tmp_path, diagnose=False)
    assert (result.judged.verdict, result.diagnoses) == (Verdict.FAILED, {})


@pytest.mark.parametrize("printer", [print_terminal, print_markdown])
def test_a_summary_counts_failures_of_one_kind_together_and_says_what_sets_them_apart(printer, tmp_path):
    bodies = [group(f"strided{n}", "transposed", shape=(3, n)) for n in range(4, 9)]
    cases = prelu_cases(tmp_path / "data", *bodies, group("dense"), group("denser", shape=(2, 3)))
    with RecordWriter(tmp_path / "record.jsonl", header_of(session(), Options(runner="liar"))) as writer:
        for case in cases:
            writer.add(line_of(session(IgnoresStrides()).execute(case)))
    console = Console(file=io.StringIO(), width=60)
    printer(writer.path, console)
    text = console.file.getvalue()
    signature = "gradInput: strided input read as contiguous; gradWeight: strided input read as contiguous"
    assert f"5 failed aclnnPreluBackward: {signature} (only noncontiguous cases)" in text
    assert "and 2 more" in text
