"""Processes that work on tasks side by side, and end at once where this process is interrupted."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from threading import current_thread, main_thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def worked_on(work: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[dict[Future[R], T]]:
    """Tasks that processes work on, by what comes of them; nobody goes on where this block is left by an exception."""
    before = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        with _deaf():
            running = {pool.submit(work, task): task for task in tasks}
        yield running
    except BaseException:
        for process in set(active_children()) - before:
            process.kill()
        raise
    finally:
        pool.shutdown()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that begin inside this block leave Ctrl-C, which reaches all of a terminal, to this one."""
    if current_thread() is not main_thread():
        yield  # signals are not this thread's business
        return
    was = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, was)
