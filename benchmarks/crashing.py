"""A runner that ends its process in calls of one deadline, to measure what a crash costs."""

from __future__ import annotations

import os
import signal

from conformance.call import Call
from conformance.outcome import Outcome
from runners.simulator.runner import SimulatorRunner

FATAL = 13.0
"""Deadline of the calls in which it dies."""


class CrashingRunner(SimulatorRunner):
    """The simulator, but for these calls."""

    def run(self, call: Call) -> Outcome:
        """Run the call, or die."""
        if call.deadline == FATAL:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().run(call)
