"""The canary of a process: whether a call ends as it did when its case passed; if not, the case is judged anew."""

from dataclasses import replace

import fakes
import pytest
from msgspec import structs
from tiny import prelu_cases, prelu_group, session

from conformance.canary import Canary


class Counting:
    """A reference that counts how often it is asked."""

    def __init__(self, reference):
        self.reference, self.asked = reference, 0

    def __getattr__(self, name):
        self.asked += name == "golden"
        return getattr(self.reference, name)


def write(memory_byte):
    def spoil(call, outcome):
        memory_byte(call)[...] = 7

    return spoil


def raises(call, outcome):
    raise OSError("gone")


@pytest.fixture
def case(tmp_path):
    (case,) = prelu_cases(tmp_path, prelu_group("bird"))
    return case


def become(canary, case):
    """Have the canary take a case that an honest runner passes."""
    call = session().make_call(case)
    canary.become(case, call, fakes.Honest().run(call))


def test_the_reference_is_not_asked_as_long_as_the_case_ends_as_before(case):
    honest = session(fakes.Honest())
    reference = Counting(honest.reference)
    canary = Canary(replace(honest, reference=reference))
    assert canary.complaint() == "", "there is none yet"
    become(canary, case)
    assert [canary.complaint() for _ in range(3)] == [""] * 3
    assert reference.asked == 0


def test_a_call_that_is_foreseen_is_the_one_that_is_made(case):
    made = []
    canary = Canary(session(fakes.TurningBad(0, lambda call, _: made.append(call))))
    assert canary.foresee() is None, "there is no case yet"
    become(canary, case)
    foreseen = [canary.foresee(), canary.foresee()]
    assert [canary.complaint() for _ in range(3)] == [""] * 3
    assert [call is other for call, other in zip(made, foreseen, strict=False)] == [True, True]


@pytest.mark.parametrize("honest", [0, 1, 2], ids=["at once", "the next time", "the time after"])
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (write(lambda call: fakes.first_output(call).view()), "gradInput: max error"),
        (write(lambda call: fakes.byte_after(fakes.first_output(call).memory)), "memory written 0 bytes past its end"),
        (write(lambda call: call.arguments["self"].view()), "an input was modified"),
        (raises, "the runner raised OSError: gone"),
    ],
    ids=["output", "guard", "input", "no answer"],
)
def test_it_complains_as_soon_as_it_ends_otherwise(case, honest, spoil, says):
    canary = Canary(session(fakes.TurningBad(honest, spoil)))
    become(canary, case)
    assert [canary.complaint() for _ in range(honest)] == [""] * honest
    assert says in canary.complaint()


def test_an_end_that_differs_and_is_right_is_no_complaint(case):
    def figures(call, outcome):
        return structs.replace(outcome, facts={"seconds": float(canary_runs.left)})

    canary_runs = fakes.TurningBad(0, figures)
    canary = Canary(session(canary_runs))
    become(canary, case)
    assert [canary.complaint() for _ in range(3)] == [""] * 3
