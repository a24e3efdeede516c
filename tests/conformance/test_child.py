"""The child's half of the conversation, held in this process."""

from threading import Thread

import fakes
import pytest
from tiny import prelu_cases, prelu_group, session

from conformance import child
from conformance.answer_log import AnswerLog
from conformance.channel import DONE, channel_pair
from conformance.exchange import SharedFile, memories_of, pack, take_back, unpack_outcome
from conformance.product import PRODUCTS

FAKES = fakes.__file__
A2 = PRODUCTS["ascend910b"]
SHAPES = {"small": (4, 2), "big": (300, 300)}


@pytest.fixture
def shared():
    file = SharedFile()
    yield file
    file.close()


@pytest.fixture
def serve(shared):
    """Answers of a child that is asked some questions, one after the other."""
    ours, theirs = channel_pair()
    log = AnswerLog(shared.log())

    def answers(name, *questions):
        serving = Thread(target=child.serve, args=(name, {}, shared, theirs))
        serving.start()
        given = [ask(question) for question in questions]
        ours.close()
        serving.join(10)
        assert not serving.is_alive()
        return given

    def ask(question):
        log.begin()
        ours.send(question)
        said = ours.receive(60)
        log.look()
        return log.take() if said == DONE else said

    yield answers
    theirs.close()


@pytest.fixture
def call(tmp_path):
    return session().make_call(prelu_cases(tmp_path)[0])


def test_a_child_answers_until_its_parent_is_gone(serve):
    info, reason = serve(f"{FAKES}:Honest", ("describe",), ("supports", "aclnnNone", A2))
    assert (info[0], info[1].name) == ("answer", "Honest")
    assert reason == ("answer", "no contract for aclnnNone")


def test_a_child_whose_runner_cannot_be_built_says_so_to_every_question(serve):
    answers = serve("nobody", ("describe",), ("supports", "aclnnSilu", A2))
    assert [kind for kind, _ in answers] == ["raised", "raised"]
    assert "unknown runner 'nobody'" in answers[1][1]


@pytest.mark.parametrize(
    ("liar", "said"),
    [
        ("Raises", "RuntimeError: out of luck"),
        ("RaisesReadably", "no device"),
        ("CannotBeSent", "an answer that cannot be sent to another process: "),
    ],
)
def test_a_child_sends_what_its_runner_raises_and_what_it_cannot_send(liar, said, serve, call, shared):
    ((kind, text),) = serve(f"{FAKES}:{liar}", ("run", [pack(call, shared)[0]]))
    assert kind == "raised"
    assert said in text


@pytest.mark.parametrize("size", SHAPES)
def test_outputs_come_back_and_nothing_else_does(size, serve, shared, tmp_path):
    (case,) = prelu_cases(tmp_path, prelu_group(shape=SHAPES[size]))
    call, there = session().make_call(case), session().make_call(case)
    parcel, memories = pack(call, shared)
    ((kind, outcome, contents, damaged),) = serve(f"{FAKES}:Honest", ("run", [parcel]))
    take_back(parcel, memories, contents, shared)
    assert (kind, damaged) == ("answer", [])
    assert unpack_outcome(outcome, call.steps) == fakes.Honest().run(there)
    for mine, theirs in zip(memories_of(call), memories_of(there), strict=True):
        assert (mine.everything == theirs.everything).all()


def test_a_damaged_workspace_comes_back_as_evidence(serve, call, shared):
    ((_, _, _, damaged),) = serve(f"{FAKES}:WritesPastWorkspace", ("run", [pack(call, shared)[0]]))
    assert [memory.guard_fault() is not None for memory in damaged] == [True]
