"""How a call's inputs can be misread."""

import pytest
from msgspec import structs
from tiny import prelu_cases, prelu_group, session

from conformance.misreadings import misread


def call_of(tmp_path, layout, which=("self",), shape=(4, 2)):
    body = prelu_group(shape=shape)
    for name in which:
        body["arguments"][name]["layout"] = layout
    return session().make_call(prelu_cases(tmp_path, body)[0])


@pytest.mark.parametrize(
    ("layout", "phrases"),
    [
        ("contiguous", []),
        ("transposed", ["as if self were read without its strides"]),
        ({"offset": 3}, ["as if self were read without its offset"]),
        (
            {"strides": [4, 2], "offset": 1, "storage": [20]},
            [
                "as if self were read without its strides",
                "as if self were read without its offset",
                "as if self were read without its strides and offset",
            ],
        ),
        ({"expanded": [0]}, []),
    ],
)
def test_every_way_that_stays_within_the_storage(layout, phrases, tmp_path):
    assert [finding.phrase for finding, _ in misread(call_of(tmp_path, layout))] == phrases


def test_all_inputs_may_be_misread_alike(tmp_path):
    call = call_of(tmp_path, "transposed", ("self", "gradOutput"))
    ways = {finding.phrase.removeprefix("as if ").partition(" w")[0]: other for finding, other in misread(call)}
    assert list(ways) == ["gradOutput and self", "gradOutput", "self"]
    assert ways["self"].arguments["self"].strides == (2, 1)
    assert ways["self"].arguments["gradOutput"] is call.arguments["gradOutput"]
    assert ways["gradOutput and self"].arguments["gradOutput"].memory is call.arguments["gradOutput"].memory


def test_an_input_that_the_call_overwrites_is_left_alone(tmp_path):
    call = call_of(tmp_path, "transposed")
    shared = {"gradInput": call.arguments["self"]}
    assert list(misread(structs.replace(call, arguments={**call.arguments, **shared}))) == []


def test_large_calls_are_not_computed_again(tmp_path):
    assert list(misread(call_of(tmp_path, "transposed", shape=(1 << 19, 3)))) == []
