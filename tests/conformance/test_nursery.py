"""Processes that are forks of one: fresh each, told how they end, and never left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from conformance import nursery as module
from conformance.nursery import Nursery
from conformance.outcome import LIVED_ON

PROGRAM = """
import os, subprocess, sys, time
from conformance.nursery import attend

asked = []

def work(channel):
    while True:
        word = channel.receive()
        asked.append(word)
        if word == "exit":
            sys.exit(3)
        if word == "abort":
            os.abort()
        if word == "close":
            channel.close()
            time.sleep(600)
        if word == "hang":
            time.sleep(600)
        started = subprocess.Popen(["sleep", "600"]).pid if word == "start" else None
        channel.send((os.getpid(), len(asked), started))

attend(int(sys.argv[2]), work, lambda: asked.append("prepared"))
"""


@pytest.fixture
def nursery():
    made = Nursery([sys.executable, "-c", PROGRAM], 0)
    yield made
    made.close()


def ask(channel, word):
    channel.send(word)
    return channel.receive(60)


def has_ended(pid):
    """Whether a process has ended, or soon does; one that nobody has waited for yet has."""
    for _ in range(1000):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z"):
                return True
        except OSError:
            return True
        time.sleep(0.005)
    return False


def test_each_process_is_fresh_and_all_but_the_first_are_prepared(nursery):
    first = nursery.start()
    pid, *_ = ask(first, "say")
    assert ask(first, "say")[:2] == (pid, 2)
    for _ in range(2):
        nursery.kill()
        assert ask(nursery.start(), "say")[1] == len(["prepared", "say"])


@pytest.mark.parametrize(("word", "code"), [("exit", 3), ("abort", -signal.SIGABRT)])
def test_how_a_process_ended_is_told(word, code, nursery):
    channel = nursery.start()
    with pytest.raises(EOFError):
        ask(channel, word)
    assert nursery.wait() == code
    assert ask(nursery.start(), "say")


def test_what_a_process_has_started_is_killed_with_it(nursery):
    channel = nursery.start()
    pid, _, started = ask(channel, "start")
    assert nursery.kill() == -signal.SIGKILL
    assert has_ended(pid)
    assert has_ended(started)


def test_what_a_process_has_started_ends_when_it_ends(nursery):
    channel = nursery.start()
    _, _, started = ask(channel, "start")
    channel.send("exit")
    assert nursery.wait() == 3
    assert has_ended(started)


def test_a_process_that_hangs_ends_with_its_parent():
    nursery = Nursery([sys.executable, "-c", PROGRAM], 0)
    channel = nursery.start()
    pid, *_ = ask(channel, "say")
    channel.send("hang")
    nursery.close()
    assert has_ended(pid)


def test_a_process_that_does_not_end_in_time_is_killed():
    sleeping = subprocess.Popen(["sleep", "600"])
    assert module._ended(sleeping.pid, 0.01) == LIVED_ON
    sleeping = subprocess.Popen(["sleep", "600"])
    assert module._ended(sleeping.pid, 0) == -signal.SIGKILL


def test_a_process_that_says_no_more_and_lives_on_is_killed_soon():
    assert module._PATIENCE[module._WAIT] < 10
    impatient = "from conformance import nursery\nnursery._PATIENCE[nursery._WAIT] = 0.1\n"
    nursery = Nursery([sys.executable, "-c", impatient + PROGRAM], 0)
    channel = nursery.start()
    pid, *_ = ask(channel, "say")
    with pytest.raises(EOFError):
        ask(channel, "close")
    assert nursery.wait() == LIVED_ON
    assert has_ended(pid)
    nursery.close()


def test_a_nursery_that_was_stopped_ends_without_its_parent_when_it_goes_on():
    nursery = Nursery([sys.executable, "-c", PROGRAM], 0)
    channel = nursery.start()
    pid, *_ = ask(channel, "say")
    channel.send("hang")
    os.kill(nursery._process.pid, signal.SIGSTOP)
    nursery._control.close()  # as the end of this process would
    os.kill(nursery._process.pid, signal.SIGCONT)
    assert has_ended(nursery._process.pid)
    assert has_ended(pid)
    nursery.close()


def test_a_nursery_that_has_ended_says_so(nursery):
    broken = Nursery([sys.executable, "-c", "raise SystemExit(5)"], 0)
    with pytest.raises((EOFError, BrokenPipeError)):
        ask(broken.start(), "say")
    assert broken.wait() == 5
    assert not broken.is_there
    assert nursery.is_there
    broken.close()


@pytest.mark.parametrize("way", [Nursery.kill, Nursery.wait, Nursery.close])
def test_a_process_ends_although_its_nursery_was_killed(way):
    nursery = Nursery([sys.executable, "-c", PROGRAM], 0)
    channel = nursery.start()
    pid, _, started = ask(channel, "start")
    channel.send("hang")
    os.kill(nursery._process.pid, signal.SIGKILL)
    has_ended(nursery._process.pid)
    way(nursery)
    nursery.close()
    assert has_ended(pid)
    assert has_ended(started)


def test_a_nursery_that_does_not_answer_is_killed(nursery):
    channel = nursery.start()
    pid, *_ = ask(channel, "say")
    nursery._control.settimeout(0.1)
    os.kill(nursery._process.pid, signal.SIGSTOP)
    with patch.object(module, "_STUCK", 0.1):
        assert nursery.kill() == -signal.SIGKILL
    assert has_ended(pid)
