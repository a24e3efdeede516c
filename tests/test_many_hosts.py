"""Workers that a pytest run reaches over sockets, as it would on other machines: here two on the loopback."""

import os
import re
import subprocess
import sys
from pathlib import Path

import fakes
import pytest
from tiny import prelu_folder, prelu_group, session, write

from conformance.gather import Gathering
from conformance.header import header_of
from conformance.options import Options
from conformance.record import read_record

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def servers():
    """Ports of two servers, each good for one worker."""
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "execnet.script.socketserver", "127.0.0.1:0"],
            env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    yield [int(re.search(r"(\d+)\)", server.stdout.readline())[1]) for server in started]
    for server in started:
        server.kill()
        server.wait()


def test_workers_on_other_hosts_have_a_device_each_and_one_record(servers, tmp_path):
    folder = prelu_folder(tmp_path / "here")
    write(folder, *(prelu_group(f"group{number}") for number in range(12)), api="aclnnPreluBackward")
    places = [f"--tx=socket=127.0.0.1:{port}//chdir={tmp_path / str(port)}" for port in servers]
    options = ["--runner", f"{fakes.__file__}:SaysItsDevice", "--devices", "4,7", f"--record={tmp_path / 'r.jsonl'}"]
    command = [sys.executable, "-m", "pytest", "-q", str(folder), "--dist=load", f"--rsyncdir={tmp_path / 'here'}"]
    done = subprocess.run(
        [*command, *places, *options], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    record = read_record(tmp_path / "r.jsonl")
    assert len(record.lines) == 12
    assert {line["outcome"]["facts"]["device"] for line in record.lines} == {"4", "7"}
    assert all((tmp_path / str(port) / "here").is_dir() for port in servers)


def header(**changes):
    return {**header_of(session(), Options(runner="simulator")), **changes}


def facts(**words):
    runner = header()["runner"]
    return {"runner": {**runner, "facts": {**runner["facts"], **words}}}


def built_with(**options):
    return {"runner": {**header()["runner"], "options": options}}


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        ({}, None),
        (facts(device="7", host="b"), None),
        ({"started": "2026-08-01T00:00:00+00:00"}, None),
        (facts(cann="8.3"), "runner cann is None, and 8.3 on"),
        (built_with(device="7"), None),
        (built_with(cann="/opt/other"), "runner option cann is None, and /opt/other on"),
        ({"data": "0" * 64}, "data is "),
        ({"product": "ascend950"}, "product is ascend910b, and ascend950 on"),
    ],
)
def test_a_worker_that_judges_something_else_makes_the_run_red(other, complaint, tmp_path):
    gathering = Gathering(tmp_path / "r.jsonl")
    gathering.begin(header())
    gathering.begin(header(**other))
    gathering.add({"id": "a.b", "api": "A", "facets": [], "verdict": "passed", "reason": "", "kind": "case"})
    tally = gathering.close(ended=True)
    assert tally.exit_status == (complaint is not None)
    assert len(tally.complaints) == (complaint is not None)
    assert all(complaint in text for text in tally.complaints)
    assert read_record(tmp_path / "r.jsonl").complaints == tally.complaints


def test_lines_that_come_before_any_header_wait_for_it(tmp_path):
    gathering = Gathering(tmp_path / "r.jsonl")
    line = {"id": "a.b", "api": "A", "facets": [], "verdict": "broken", "reason": "lost", "kind": "case"}
    gathering.add(line)
    gathering.begin(header())
    gathering.close(ended=True)
    assert read_record(tmp_path / "r.jsonl").lines == (line,)


def test_a_case_that_is_run_twice_must_get_one_verdict(tmp_path):
    gathering = Gathering(tmp_path / "r.jsonl")
    gathering.begin(header())
    for verdict in ("passed", "passed", "failed"):
        gathering.add({"id": "a.b", "api": "A", "facets": [], "verdict": verdict, "reason": "", "kind": "case"})
    tally = gathering.close(ended=True)
    assert tally.complaints == ("a.b was run more than once: passed, then failed",)
    assert len(read_record(tmp_path / "r.jsonl").lines) == 1
