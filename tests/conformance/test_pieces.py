"""Large calls of elementwise operators are measured piece by piece, with the same figures as at once."""

import shutil
from dataclasses import replace

import pytest
from msgspec import structs
from tiny import session, write

from conformance.data import data_root
from conformance.expand import expand
from conformance.float_pass import BLOCK
from conformance.generate import make_call
from conformance.load import load_case_file
from conformance.pieces import is_in_pieces
from conformance.product import PRODUCTS
from conformance.record import line_of
from runners.reference.runner import ReferenceRunner
from runners.simulator.runner import SimulatorRunner

COUNT = 5 * BLOCK + 3
SPREAD = {"uniform": [-12, 3]}
SPECIAL = {"specials": "every"}


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr("conformance.pieces.PIECE", 2 * BLOCK)
    monkeypatch.setattr("conformance.float_pass.SHARE", 2 * BLOCK)


@pytest.fixture
def case(tmp_path):
    """Function that makes a case of an API with tensors of one shape, the last one written."""

    def make(api, names, *, dtype="float32", values=SPREAD, shape=(COUNT,), **arguments):
        folder = tmp_path / "activation" / api
        folder.mkdir(parents=True)
        shutil.copy(data_root() / "activation" / api / "contract.json", folder)
        tensor = {"dtype": dtype, "shape": list(shape)}
        read = {name: {"values": values} for name in names if name not in ("out", "gradInput")}
        tensors = {name: {**tensor, **read.get(name, {})} for name in names}
        group = {"name": "large", "about": "a large call", "arguments": {**tensors, **arguments}, "expect": "success"}
        words = "".join(word.title() for word in api.split("_"))
        return expand(load_case_file(write(folder, group, api=f"aclnn{words}")))[0]

    return make


def line(case, **rest):
    recorded = line_of(session(**rest).execute(case))
    return {key: value for key, value in recorded.items() if key != "seconds"}


def at_once(case, monkeypatch, **rest):
    with monkeypatch.context() as patch:
        patch.setattr("conformance.yardstick.is_in_pieces", lambda case, call: False)
        return line(case, **rest)


CALLS = {
    "gelu": ("gelu", ("self", "out")),
    "gelu of fp16": ("gelu", ("self", "out"), "float16"),
    "gelu of bf16 specials": ("gelu", ("self", "out"), "bfloat16", SPECIAL),
    "mish specials": ("mish", ("self", "out"), "float32", SPECIAL),
    "in place": ("inplace_sigmoid", ("selfRef",)),
    "two inputs": ("hardswish_backward", ("gradOutput", "self", "out")),
    "tiles": ("silu_backward", ("gradOutput", "self", "gradInput")),
}


class Counting(ReferenceRunner):
    """The reference, noting how many elements each call has."""

    def __init__(self, fail_at=None):
        super().__init__()
        self.sizes, self.fail_at = [], fail_at

    def golden(self, call):
        self.sizes.append(max(tensor.numel for _, tensor in call.tensors(written=True)))
        if len(self.sizes) == self.fail_at:
            raise ValueError("no such thing")
        return super().golden(call)


class Spoiling(SimulatorRunner):
    """Kernels after which some elements of a tensor hold 7."""

    def __init__(self, name, every=1):
        super().__init__()
        self.name, self.every = name, every

    def run(self, call):
        outcome = super().run(call)
        call.arguments[self.name].view()[:: self.every] = 7
        return outcome


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_figures_are_those_of_the_whole(case, monkeypatch, call):
    api, names, *rest = call
    made = case(api, names, **dict(zip(("dtype", "values"), rest, strict=False)))
    counting = Counting()
    found = line(made, reference=counting)
    assert counting.sizes == [2 * BLOCK, 2 * BLOCK, BLOCK + 3]
    assert found == at_once(made, monkeypatch)
    assert found["verdict"] == "passed"


@pytest.mark.parametrize(
    ("api", "names", "spoiled"),
    [("gelu", ("self", "out"), "out"), ("gelu", ("self", "out"), "self"), ("inplace_sigmoid", ("selfRef",), "selfRef")],
)
def test_wrong_outputs_and_inputs_fail_with_the_same_words(case, monkeypatch, api, names, spoiled):
    made = case(api, names)
    found = line(made, runner=Spoiling(spoiled, every=1001))
    assert found["verdict"] == "failed"
    assert found == at_once(made, monkeypatch, runner=Spoiling(spoiled, every=1001))


def test_a_reference_that_fails_in_a_later_piece_is_broken(case):
    found = line(case("gelu", ("self", "out")), reference=Counting(fail_at=3))
    assert (found["verdict"], found["reason"]) == ("broken", "the reference raised ValueError: no such thing")


def test_answers_that_have_terms_in_some_pieces_only_are_measured_at_once(case, monkeypatch):
    class Uneven(ReferenceRunner):
        def golden(self, call):
            whole = super().golden(call)
            if call.arguments["self"].numel == BLOCK + 3:
                return {name: replace(one, terms=None) for name, one in whole.items()}
            return whole

    made = case("gelu", ("self", "out"))
    assert line(made, reference=Uneven()) == at_once(made, monkeypatch, reference=Uneven())


def is_cut(case):
    return is_in_pieces(case, make_call(case, PRODUCTS["ascend910b"]))


@pytest.mark.parametrize(("shape", "cut"), [((COUNT,), True), ((5, BLOCK), True), ((4 * BLOCK,), False)], ids=str)
def test_large_calls_are_cut_whatever_their_axes(case, shape, cut):
    assert is_cut(case("gelu", ("self", "out"), shape=shape)) is cut


def test_strided_calls_are_not_cut(case):
    made = case("gelu", ("self", "out"), shape=(5, BLOCK))
    transposed = structs.replace(made.arguments["self"], strides=(1, 5))
    assert not is_cut(structs.replace(made, arguments={**made.arguments, "self": transposed}))


def test_operators_that_reduce_are_not_cut(case):
    made = case("softmax", ("self", "out"), dim=0, shape=(5, BLOCK + 1))
    counting = Counting()
    assert line(made, reference=counting)["verdict"] == "passed"
    assert counting.sizes == [5 * BLOCK + 5]
