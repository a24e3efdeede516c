"""Starts the processes of a runner, each as a fork of one that has imported what they all need.

Starting Python and importing numpy is half of what a new process costs. The process that forks, the nursery, runs none
of the runner's code, so each fork is as fresh as the first, and starts no threads of its own. When the parent ends,
however it does, so do the nursery, the process in it and all that this has started.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import struct
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, sleep

from conformance.channel import Channel, channel_pair
from conformance.outcome import LIVED_ON

_START, _WAIT, _KILL, _GONE = b"s", b"w", b"k", b""
_PATIENCE = {_WAIT: 5.0, _KILL: 0.0, _GONE: 0.0}
"""Seconds that a process has to end by itself; one that ends has closed its channel before its last steps."""
_NAP = 0.001
_STUCK = 90.0
"""Seconds after which a nursery that does not answer is killed; more than a process has to end by itself."""
_PID = struct.Struct("<i")
"""What a process that the nursery has started says at once: its id."""
_CODE = struct.Struct("<i")
"""What the nursery answers when a process has ended: its exit status, negative for a signal, or LIVED_ON."""


class Nursery:
    """The parent's side. Not a value: it starts the nursery, and one process at a time in it."""

    def __init__(self, command: Sequence[str], inherited: int) -> None:
        """``command`` calls ``attend``; added to it are a descriptor that it inherits and the one to attend to."""
        self._control, theirs = socket.socketpair()
        self._control.settimeout(_STUCK)
        self._started = False
        descriptors = (inherited, theirs.fileno())
        words = [*command, *map(str, descriptors)]
        # A session of its own: a key that interrupts the run is the run's business.
        self._process = subprocess.Popen(words, pass_fds=descriptors, start_new_session=True)
        theirs.close()

    @property
    def is_there(self) -> bool:
        """Whether it can start processes."""
        return self._process.poll() is None

    def start(self) -> Channel:
        """Start a process; the channel to it, which ends at once where there is no nursery any more."""
        ours, theirs = channel_pair()
        with suppress(BrokenPipeError, ConnectionResetError):
            socket.send_fds(self._control, [_START], [theirs.reads.fileno(), theirs.writes.fileno()])
            self._started = True
        theirs.close()
        return ours

    def wait(self) -> int:
        """Exit status of the process that is ending, of the nursery where that has; negative for a signal.

        LIVED_ON where the process does not end and is killed.
        """
        return self._end(_WAIT)

    def kill(self) -> int:
        """End the process and everything it started, and say how it ended: by then it may have by itself."""
        return self._end(_KILL)

    def close(self) -> None:
        """End the nursery and the process in it."""
        process = 0
        with suppress(OSError):
            process = self._process_in_it()
        self._control.close()
        self._bury(process)

    def _end(self, how: bytes) -> int:
        process = 0
        with suppress(OSError):  # a nursery that has ended, or does not answer in time
            process = self._process_in_it()
            self._control.sendall(how)
            code = self._answer(_CODE)
            if code is not None:
                return code
        return self._bury(process)

    def _process_in_it(self) -> int:
        """Id of the process that was started last, 0 where that was ended before; OSError as ``_answer``."""
        has_started, self._started = self._started, False
        return (self._answer(_PID) or 0) if has_started else 0

    def _answer(self, form: struct.Struct) -> int | None:
        """The nursery's next number; None where it has ended. OSError, too, or if it does not say in time."""
        answer = self._control.recv(form.size, socket.MSG_WAITALL)
        return int(form.unpack(answer)[0]) if len(answer) == form.size else None

    def _bury(self, process: int) -> int:
        """Exit status of the nursery, killed if it does not end; a process that it can no longer end is killed."""
        try:
            code = self._process.wait(_STUCK)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        if process:
            _kill(process)
        return code


def attend(descriptor: int, work: Callable[[Channel], None], prepare: Callable[[], object]) -> None:
    """Be the nursery of the parent behind that descriptor: do ``work`` in a process of its own whenever it asks.

    Whoever needs a second process may need many: ``prepare`` is called before it. Returns when the parent has gone, and
    in those processes when the work is done.
    """
    control, process, started = socket.socket(fileno=descriptor), 0, 0
    control.set_inheritable(False)
    while True:
        request, ends = _GONE, list[int]()
        with suppress(ConnectionResetError):  # of a parent that has not read everything
            request, ends, *_ = socket.recv_fds(control, 1, 2)
        if request == _START:
            started += 1
            if started == 2:
                prepare()
            # What is there now is never garbage; collecting it would copy pages that the processes share.
            gc.freeze()
            process = os.fork()
            if not process:
                os.setpgid(0, 0)
                # Before any work: whoever hears of the process can end it without the nursery.
                with suppress(BrokenPipeError, ConnectionResetError):
                    control.sendall(_PID.pack(os.getpid()))
                control.close()
                return work(Channel(*ends))
            for end in ends:
                os.close(end)
            continue
        code = _ended(process, _PATIENCE[request]) if process else 0
        process = 0
        if request == _GONE:
            return None
        with suppress(BrokenPipeError, ConnectionResetError):
            control.sendall(_CODE.pack(code))


def _ended(process: int, patience: float) -> int:
    """Exit status of a process, LIVED_ON if it does not end in the time it has; what it has started ends with it."""
    until = monotonic() + patience
    while not (has_ended := os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT | os.WNOHANG)):
        if monotonic() >= until:
            break
        sleep(_NAP)
    _kill(process)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return code if has_ended or not patience else LIVED_ON


def _kill(process: int) -> None:
    """Kill a process and what it has started; its own group it may have left."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)
