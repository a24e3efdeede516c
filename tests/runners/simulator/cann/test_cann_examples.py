"""The example programs, compiled with the documented command line, print the values their documents work out."""

import math
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[4] / "examples" / "cpp"


def silu_gradient(x):
    s = 1 / (1 + math.exp(-x))
    return s * (1 + x * (1 - s))


EXPECTED = {
    "prelu_backward": {"gradInput": [0.5, 1, 1, 1, 1, 1, 1, 1], "gradWeight": [0, 0]},
    "hardshrink_backward": {"gradInput": [0, 0, 1, 1]},
    "silu_backward": {"gradInput": [silu_gradient(x) for x in range(1, 7)]},
}


def test_every_example_is_here():
    assert {path.stem for path in EXAMPLES.glob("*.cpp")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_prints_the_documented_values(programs, name):
    program = programs.compile((EXAMPLES / f"{name}.cpp").read_text(), "-std=c++11", "-Wall", "-Wextra", "-Werror")
    printed = dict(line.split(": ") for line in programs.run(program).splitlines())
    values = {label: [float(word) for word in words.split()] for label, words in printed.items()}
    assert values == {label: pytest.approx(expected, rel=1e-5) for label, expected in EXPECTED[name].items()}
