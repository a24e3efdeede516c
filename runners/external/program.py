"""A running program that is asked by a line on its stdin and answers by a line on its stdout, within a time."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Sequence

from conformance.outcome import how_ended

_QUOTED_BYTES = 2000
_EXIT_SECONDS = 5.0
_CHUNK = 1 << 20


class Died(Exception):
    """The program ended instead of answering; ``signal`` is 0 for a plain exit."""

    def __init__(self, number: int, detail: str) -> None:
        super().__init__(detail)
        self.signal = number


class Silent(Exception):
    """The program did not answer in time."""


class Program:
    """One child process. Its stderr goes to a file, of which the end is quoted when the program dies."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start ``command``; raises OSError when there is no such program."""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the program
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        os.set_blocking(self._stdin.fileno(), False)
        self._heard = bytearray()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send ``line`` and wait for one line; raises Died or Silent. Neither side can block the other."""
        deadline = time.monotonic() + seconds
        unsent, searched = memoryview(line + b"\n"), 0
        while (end := self._heard.find(b"\n", searched)) < 0:
            searched = len(self._heard)
            readable, writable = self._wait(deadline, bool(unsent))
            if writable:
                unsent = self._send(unsent)
            if readable:
                self._hear()
        answer = bytes(self._heard[:end])
        del self._heard[: end + 1]
        return answer

    def stop(self, farewell: bytes) -> None:
        """Say farewell, close stdin and let the program exit; kill it when it does not."""
        with contextlib.suppress(OSError):
            os.write(self._stdin.fileno(), farewell + b"\n")
        self._stdin.close()
        try:
            self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self.close()

    def close(self) -> None:
        """Kill the program and close its pipes."""
        self._process.kill()
        self._process.wait()
        for stream in (self._stdin, self._stdout, self._stderr):
            stream.close()

    def last_words(self) -> str:
        """The end of what the program wrote to stderr, ready to append to a message; empty when it wrote nothing."""
        self._stderr.seek(max(0, self._stderr.seek(0, os.SEEK_END) - _QUOTED_BYTES))
        text = self._stderr.read().decode("utf-8", "replace").strip()
        return f"; its stderr ends: {text}" if text else ""

    def _wait(self, deadline: float, sending: bool) -> tuple[bool, bool]:
        left = deadline - time.monotonic()
        readable, writable, _ = select.select([self._stdout], [self._stdin] if sending else [], [], max(left, 0.0))
        if left <= 0 and not readable:
            raise Silent
        return bool(readable), bool(writable)

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._stdin.fileno(), unsent[:_CHUNK]) :]
        except BrokenPipeError:  # it no longer listens; whether it died shows when reading
            return unsent[:0]

    def _hear(self) -> None:
        heard = os.read(self._stdout.fileno(), _CHUNK)
        if not heard:
            raise self._death()
        self._heard += heard

    def _death(self) -> Died:
        try:
            code = self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return Died(0, f"closed its stdout but did not exit{self.last_words()}")
        number, words = how_ended(code)
        return Died(number, f"{words}{self.last_words()}")
