"""Layout words become strides, offset and storage shape, in elements."""

import pytest

from conformance.layout import InvalidLayout, Layout, last_element, lay_out


@pytest.mark.parametrize(
    ("shape", "word", "layout"),
    [
        ((2, 3), "contiguous", Layout((3, 1), 0, (2, 3))),
        ((2, 3), "transposed", Layout((1, 2), 0, (3, 2))),
        ((4, 2, 3), "transposed", Layout((6, 1, 2), 0, (4, 3, 2))),
        ((2, 3, 4), {"permuted": [2, 0, 1]}, Layout((3, 1, 6), 0, (4, 2, 3))),
        ((2, 3), {"step": 2}, Layout((6, 2), 0, (2, 6))),
        ((2, 3), {"chunk": {"of": 8, "at": 5}}, Layout((8, 1), 5, (2, 8))),
        ((2, 3), {"expanded": [0]}, Layout((0, 1), 0, (1, 3))),
        ((2, 3), {"expanded": [-1, 0]}, Layout((0, 0), 0, (1, 1))),
        ((2, 3), {"offset": 5}, Layout((3, 1), 5, (11,))),
        ((2, 3), {"storage": [3, 4]}, Layout((3, 1), 0, (3, 4))),
        ((2, 3), {"strides": [1, 2], "offset": 1, "storage": [7]}, Layout((1, 2), 1, (7,))),
        ((2, 3), {"strides": [4, 1]}, Layout((4, 1), 0, (7,))),
        ((0, 3), {"offset": 2}, Layout((3, 1), 2, (2,))),
        ((), {"offset": 3}, Layout((), 3, (4,))),
    ],
)
def test_a_layout(shape, word, layout):
    assert lay_out(shape, word) == layout


@pytest.mark.parametrize(
    ("shape", "word", "message"),
    [
        ((3,), "transposed", "transposed needs two axes, shape [3] has 1"),
        ((3,), "diagonal", "unknown layout 'diagonal'"),
        ((3,), 7, "7 is no layout"),
        ((2, 3), {"permuted": [0, 0]}, "permuted [0, 0] is no order of 2 axes"),
        ((), {"step": 2}, "step needs one axis"),
        ((3,), {"step": 0}, "0 is no step of a layout"),
        ((3,), {"step": 1.5}, "1.5 is no step of a layout"),
        ((3,), {"chunk": {"of": 4, "at": 2}}, "a row of 4 elements has no columns 2 to 5"),
        ((), {"chunk": {"of": 4, "at": 2}}, "a row of 4 elements has no columns"),
        ((3,), {"chunk": {"of": 4}}, "chunk make no layout"),
        ((3,), {"chunk": {"of": 4, "at": -1}}, "is no chunk of a layout"),
        ((3,), {"expanded": [1]}, "expanded [1] names axes that shape [3] lacks"),
        ((), {"expanded": [0]}, "expanded [0] names axes"),
        ((3,), {"expanded": 0}, "0 is no expanded of a layout"),
        ((2, 3), {"strides": [1]}, "1 strides for 2 axes"),
        ((2,), {"strides": [-1]}, "[-1] is no strides of a layout"),
        ((2,), {"offset": -1}, "-1 is no offset of a layout"),
        ((2,), {"offset": True}, "True is no offset of a layout"),
        ((2, 3), {"storage": [5]}, "the view reaches element 5, storage [5] has 5"),
        ((2,), {"step": 2, "offset": 1}, "offset, step make no layout"),
    ],
)
def test_a_layout_that_does_not_fit(shape, word, message):
    with pytest.raises(InvalidLayout) as caught:
        lay_out(shape, word)
    assert message in str(caught.value)


def test_distance_to_the_last_element():
    assert last_element((2, 3), (6, 2)) == 10
    assert last_element((), ()) == 0
    assert last_element((0, 3), (3, 1)) == -1
