"""``python -m conformance``, and the console script."""

import signal
import sys
import threading
from contextlib import suppress
from typing import Any

_SOON = 0.05
"""Seconds after which an interrupt that went unheard is tried again."""


def main() -> int:
    """Run one command; returns the exit status. Ctrl-C is no crash, not even before there is a command line."""
    sys.unraisablehook = interrupt_again
    try:
        # Ctrl-C waits: libraries that meet it while they are imported make another error of it.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            from conformance import cli
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return cli.main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def interrupt_again(unheard: Any) -> None:
    """Hook for exceptions that Python can only ignore, as in a finalizer: Ctrl-C is not ignored but comes again."""
    if not issubclass(unheard.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unheard)
        return
    # From another thread, since this one is still where nobody hears it.
    again = threading.Timer(_SOON, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    again.daemon = True
    with suppress(RuntimeError):  # the process is about to end anyway
        again.start()


if __name__ == "__main__":
    sys.exit(main())
