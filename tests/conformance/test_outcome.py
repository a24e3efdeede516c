"""How outcomes are told."""

import signal

import pytest

from conformance.outcome import LIVED_ON, Crashed, how_ended


@pytest.mark.parametrize(
    ("code", "number", "words"),
    [
        (0, 0, "exit status 0"),
        (3, 0, "exit status 3"),
        (LIVED_ON, 0, "it closed its channel, lived on and was killed"),
        (-signal.SIGSEGV, 11, "signal 11, SIGSEGV"),
        (-(signal.SIGRTMIN + 6), signal.SIGRTMIN + 6, f"signal {signal.SIGRTMIN + 6}"),
    ],
)
def test_the_end_of_a_process_is_told_by_its_exit_code(code, number, words):
    assert how_ended(code) == (number, words)
    assert str(Crashed(*how_ended(code))) == f"crashed ({words})"
