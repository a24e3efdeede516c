"""What a call may not do to memory, and how it is found."""

import pytest
from msgspec import structs
from tiny import cases_of, group, with_arguments

from conformance.generate import make_call
from conformance.guard import MemoryRule, Snapshot
from conformance.product import PRODUCTS
from conformance.tensor import FILL_BYTE, GUARD_BYTES, SECOND_FILL_BYTE

Y = {"dtype": "float32", "shape": [2, 3]}


@pytest.fixture
def call(tmp_path):
    def make(body=None, **arguments):
        case = cases_of(tmp_path, body or with_arguments(**arguments))[0]
        return make_call(case, PRODUCTS["ascend910b"])

    return make


def payload(call, name):
    return call.arguments[name].memory.payload


def rules(snapshot):
    return [(fault.rule, fault.where) for fault in snapshot.faults()]


def test_a_call_that_only_writes_its_outputs_breaks_no_rule(call):
    made = call()
    before = Snapshot(made)
    assert before.untouched() == {"y"}
    made.arguments["y"].view()[...] = 0
    assert before.untouched() == frozenset()
    assert before.faults() == []


@pytest.mark.parametrize(("name", "at"), [("x", 0), ("x", -1), ("y", GUARD_BYTES - 1), ("y", -GUARD_BYTES)])
def test_guard_bytes_around_inputs_and_outputs(call, name, at):
    made = call()
    before = Snapshot(made)
    made.arguments[name].memory.everything[at] ^= 1
    assert rules(before) == [(MemoryRule.GUARD, name)]


def test_guard_bytes_around_a_workspace(call):
    made = call()
    before = Snapshot(made)
    made.allocate(16).everything[0] ^= 1
    assert [str(fault) for fault in before.faults()] == ["workspace: memory written 64 bytes before its start"]


def test_an_input_and_its_gaps_are_read_only(call):
    made = call(x={**Y, "layout": {"step": 2}})
    before = Snapshot(made)
    payload(made, "x")[4] ^= 1
    assert rules(before) == [(MemoryRule.INPUT, "x")]


@pytest.mark.parametrize(
    ("dtype", "layout", "gap"),
    [
        ("float32", {"step": 2}, 4),
        ("float32", {"chunk": {"of": 5, "at": 1}}, 3),
        ("float32", {"offset": 2}, 7),
        ("float32", {"storage": [7]}, 24),
        ("hifloat8", {"step": 2}, 1),
        ("complex32", {"offset": 1}, 0),
    ],
)
def test_gaps_of_a_strided_output_stay_as_they_are(call, dtype, layout, gap):
    made = call(y={"dtype": dtype, "shape": [2, 3], "layout": layout})
    before = Snapshot(made)
    made.arguments["y"].view_bytes()[...] = 0
    assert rules(before) == []
    payload(made, "y")[gap] ^= 1
    assert [str(fault) for fault in before.faults()] == [
        f"y: byte {gap} of the storage is outside the view and changed"
    ]


@pytest.mark.parametrize("layout", ["contiguous", "transposed", {"permuted": [1, 0]}])
def test_a_dense_output_has_no_gaps(call, layout):
    made = call(y={**Y, "layout": layout})
    before = Snapshot(made)
    payload(made, "y")[:] = 0
    assert before.faults() == []


def test_an_output_narrower_than_a_byte_has_no_gap_that_can_be_told(call):
    made = call(y={"dtype": "int4", "shape": [3]})
    before = Snapshot(made)
    assert before.untouched() == {"y"}
    payload(made, "y")[:] = 0
    assert (before.faults(), before.untouched()) == ([], frozenset())


def test_an_output_that_is_an_input_is_untouched_while_it_holds_what_it_held(call):
    made = call(y={"alias": "x"})
    before = Snapshot(made)
    assert (before.untouched(), before.in_place) == ({"y"}, {"y"})
    made.arguments["x"].view()[0, 0] += 1
    assert (before.untouched(), before.faults()) == (frozenset(), [])


@pytest.mark.parametrize(("byte", "untouched"), [(FILL_BYTE, {"y"}), (SECOND_FILL_BYTE, {"y"}), (0, frozenset())])
@pytest.mark.parametrize("dtype", ["float32", "bool", "float8_e4m3fn"])
def test_a_refill_leaves_a_pattern_too(call, dtype, byte, untouched):
    body = with_arguments(y={**Y, "dtype": dtype})
    made = call({**body, "steps": ["workspace", "run", "refill", "run"]})
    before = Snapshot(made)
    made.refill_outputs(byte)
    assert before.untouched() == untouched


def test_an_empty_output_is_neither_touched_nor_untouched(call):
    assert Snapshot(call(y={"dtype": "float32", "shape": [0]})).untouched() == frozenset()


def test_a_null_output_is_no_output(call):
    made = call(group(arguments={**group()["arguments"], "y": None}))
    assert Snapshot(made).faults() == []
    assert Snapshot(structs.replace(made, arguments={})).untouched() == frozenset()
