"""Messages between processes: whole or not at all, in time or not at all."""

import pickle
import struct
from threading import Thread

import pytest

from conformance.channel import channel_pair


@pytest.fixture
def sides():
    """Two sides of one conversation."""
    pair = channel_pair()
    yield pair
    for side in pair:
        side.close()


@pytest.mark.parametrize("message", [None, ("run", 1.5, [b"\0"]), b"x" * 1_000_000], ids=["none", "small", "big"])
def test_a_message_of_any_size_arrives_as_it_was(message, sides):
    ours, theirs = sides
    sending = Thread(target=theirs.send, args=(message,))
    sending.start()
    assert ours.receive(60) == message
    sending.join()


def test_a_message_that_cannot_be_pickled_is_not_sent(sides):
    ours, theirs = sides
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        theirs.send(lambda: 0)
    with pytest.raises(TimeoutError):
        ours.receive(0)


@pytest.mark.parametrize("part", [b"", struct.pack("<Q", 9)[:3], struct.pack("<Q", 9) + b"half"])
def test_a_message_that_stops_halfway_is_late_and_then_an_end(part, sides):
    ours, theirs = sides
    theirs.writes.write(part)
    with pytest.raises(TimeoutError):
        ours.receive(0.01)
    theirs.close()
    with pytest.raises(EOFError):
        ours.receive(60)


def test_nothing_may_follow_an_answer(sides):
    ours, theirs = sides
    theirs.send("answer")
    theirs.send("another")
    with pytest.raises(ValueError, match="bytes come after a message"):
        ours.receive(60)


def test_nobody_reads(sides):
    ours, theirs = sides
    theirs.close()
    with pytest.raises(BrokenPipeError):
        ours.send("question")
