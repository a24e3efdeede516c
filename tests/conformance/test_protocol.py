"""Protocol steps as written: repeated, on another stream, with a short workspace, moving; and what is no step."""

import pytest
from tiny import group, problems_of

from conformance.call import DEFAULT_STEPS, Action, Step, describe_steps
from conformance.errors import InvalidSpec
from conformance.protocol import parse_statuses, parse_steps

WORKSPACE, RUN, REPEATABLE, MOVE = (Step(Action(word)) for word in ("workspace", "run", "repeatable", "move"))
GOOD = [
    ({}, DEFAULT_STEPS, ()),
    ({"steps": ["workspace", "run"]}, (WORKSPACE, RUN), (0, 0)),
    ({"steps": [{"do": "workspace", "times": 3}, "run"]}, (WORKSPACE, WORKSPACE, WORKSPACE, RUN), (0, 0, 0, 0)),
    ({"steps": [{"do": "run", "stream": 2}]}, (Step(Action.RUN, stream=2),), (0,)),
    ({"steps": [{"do": "run", "workspace": "short"}]}, (Step(Action.RUN, short=True),), (0,)),
    ({"steps": ["workspace", "repeatable", "run", "move"]}, (WORKSPACE, REPEATABLE, RUN, MOVE), (0, 0, 0, 0)),
    (
        {"steps": [{"do": "run", "null": ["executor"], "status": "PARAM_NULLPTR", "times": 2}]},
        (Step(Action.RUN, frozenset({"executor"})),) * 2,
        (161001, 161001),
    ),
]


@pytest.mark.parametrize(("body", "steps", "statuses"), GOOD)
def test_steps_and_the_statuses_they_must_return(body, steps, statuses):
    assert parse_steps(body) == steps
    assert parse_statuses(body) == statuses


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["workspace", "move"], "step 2 moves tensors of an executor that is not repeatable"),
        (["workspace", "repeatable", "workspace", "move"], "step 4 moves tensors"),
        ([{"do": "workspace", "stream": 1}], "a workspace step has no 'stream'"),
        ([{"do": "refill", "workspace": "short"}], "a refill step has no 'workspace'"),
    ],
)
def test_steps_that_mean_nothing(steps, message):
    with pytest.raises(InvalidSpec, match=message) as caught:
        parse_steps({"steps": steps})
    assert caught.value.pointer == "/steps"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("sleep", "sleep"),
        ({"do": "run", "times": 1}, "/steps/0/times"),
        ({"do": "run", "stream": 0}, "/steps/0/stream"),
        ({"do": "run", "workspace": "long"}, "/steps/0/workspace"),
    ],
)
def test_the_schema_refuses_other_words_and_numbers(step, message, tmp_path):
    (problem,) = problems_of(tmp_path, group(steps=[step]))
    assert message in problem


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([WORKSPACE] * 200 + [RUN], "workspace (200 times), run"),
        ([Step(Action.RUN, stream=1)], "run on stream 1"),
        ([Step(Action.RUN, frozenset({"executor"}), short=True)], "run with null executor declaring a byte too little"),
    ],
)
def test_steps_in_words(steps, words):
    assert describe_steps(steps) == words


@pytest.mark.parametrize(("short", "asked", "declared"), [(True, 96, 95), (True, 0, 0), (False, 96, 96)])
def test_the_workspace_that_a_run_declares(short, asked, declared):
    assert Step(Action.RUN, short=short).declared(asked) == declared
