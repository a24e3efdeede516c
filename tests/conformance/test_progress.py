"""The live line of a run."""

import io

from rich.console import Console
from tiny import prelu_cases, prelu_group, session

from conformance.progress import ProgressLine


def shown(tmp_path, terminal):
    console = Console(file=io.StringIO(), force_terminal=terminal, width=100)
    trial = session()
    cases = prelu_cases(tmp_path, prelu_group(), prelu_group("elsewhere", products=["ascend910"]))
    with ProgressLine(console, len(cases)) as line:
        for case in reversed(cases):
            line.advance(trial.execute(case).judged.verdict)
    return console.file.getvalue()


def test_a_terminal_shows_counts_and_the_number_of_cases(tmp_path):
    text = shown(tmp_path, terminal=True)
    assert "passed 1" in text
    assert "2/2" in text


def test_a_file_gets_nothing(tmp_path):
    assert shown(tmp_path, terminal=False).strip() == ""
