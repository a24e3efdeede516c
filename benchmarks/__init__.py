"""What the suite promises about its speed, measured by ``make bench`` or ``python -m benchmarks``.

``--only NAME`` runs the targets whose names begin so, ``--quick`` a smaller run, ``--list`` shows them.

Every promise is a ``Target`` in a module of ``benchmarks/targets/``: whatever stands in a module's ``TARGETS`` is run.
To add one, write the preparation and name it::

    def _empty_lists(setting: Setting) -> Contest:
        names = [str(number) for number in range(setting.size(100_000))]
        return Contest(seconds(lambda: list(names)), seconds(lambda: [name for name in names]))

    TARGETS = (
        Target(
            "lists.copied",
            "list() of 100 000 names against a comprehension",
            Figure.RATIO, floor=1.0, aim=0.5, prepare=_empty_lists,
        ),
    )

A ``Contest`` holds the measured and its peer, two functions that measure once and return a number: seconds, bytes,
anything of one unit; ``benchmarks.clocks`` makes them from functions to be timed. Both are called in turn, once to warm
up and five times that count, and every round gives one figure; the target is judged by their median. ``setting.folder``
is a temporary folder of the target's own, ``setting.size(n)`` is n, or a tenth of it with ``--quick``. Data is made in
``prepare``, which is not timed; what the contest holds is let go before the next target.

``benchmarks/results.md`` is written by whole runs only, since figures of one table must come from one machine.
"""
