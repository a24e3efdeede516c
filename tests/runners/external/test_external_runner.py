"""Programs that answer, lie, die and hang, judged by the outcome they get."""

import shlex
import sys

import pytest

from conformance.call import Action, Call, Step
from conformance.discover import find_runner
from conformance.dtype import DTYPES
from conformance.errors import UnknownRunner
from conformance.outcome import Broken, Completed, Crashed, Phase, Rejected, TimedOut, Unsupported
from conformance.product import PRODUCTS
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import new_tensor
from runners.external.runner import ExternalRunner

PRODUCT = PRODUCTS["ascend910b"]
PROGRAM = """
import base64, json, os, signal, sys, time

def start(asked):
    return {"protocol": 1, "name": "tiny", "version": "3", "facts": {"speed": "low"}}

def supports(asked):
    return {"unsupported": None if asked["api"] == "aclnnTiny" else "unknown"}

def stop(asked):
    print("stopped", file=sys.stderr)
    sys.exit()

def run(asked):
    return {"results": [{"status": 0}, {"status": 0}], "workspace_bytes": 32, "facts": {"ms": 1.5}}

BODY

for line in sys.stdin:
    asked = json.loads(line)
    answer = globals()[asked["do"]](asked)
    print(answer if isinstance(answer, str) else json.dumps({"id": asked["id"], **answer}), flush=True)
"""


@pytest.fixture
def runner(tmp_path):
    """A runner whose program has some functions replaced."""
    made = []

    def make(body=""):
        path = tmp_path / f"program {len(made)}.py"
        path.write_text(PROGRAM.replace("BODY", body))
        made.append(ExternalRunner(f"{sys.executable} {shlex.quote(str(path))}"))
        return made[-1]

    yield make
    for each in made:
        each.close()


def a_call(count=2, deadline=20.0):
    parameters = (Parameter("y", ParameterKind.TENSOR, Role.OUTPUT, "aclTensor*"),)
    steps = (Step(Action.WORKSPACE), Step(Action.RUN))
    return Call("aclnnTiny", PRODUCT, parameters, {"y": new_tensor(DTYPES["uint8"], (count,))}, steps, deadline)


def replying(text):
    return f"def run(asked):\n    return {text}"


WRITE = """
def run(asked):
    tensor = asked["arguments"]["y"]
    memory = asked["memories"][tensor["memory"]]
    start = tensor["byte_offset"] + AT
    data = bytearray(base64.b64decode(memory["base64"]) if "base64" in memory else open(memory["file"], "rb").read())
    data[start : start + 2] = bytes([7, 8])
    changed = []
    if "file" in memory:
        open(memory["file"], "wb").write(data)
    else:
        changed = [{"memory": 0, "base64": base64.b64encode(data).decode()}]
    return {"results": [{"status": 0}, {"status": 0}], "memories": changed}
"""


def test_a_program_says_who_it_is_and_what_it_can(runner):
    tiny = runner()
    info = tiny.describe()
    assert (info.name, info.version, info.facts["speed"]) == ("tiny", "3", "low")
    assert sys.executable in info.facts["command"]
    assert tiny.supports("aclnnTiny", PRODUCT) is None
    assert tiny.supports("aclnnOther", PRODUCT) == "unknown"


def test_a_completed_call_carries_workspace_and_facts(runner):
    outcome = runner().run(a_call())
    assert isinstance(outcome, Completed)
    assert (outcome.workspace_bytes, outcome.facts) == (32, {"ms": 1.5})


@pytest.mark.parametrize("count", [2, 100_000], ids=["as_base64", "as_file"])
@pytest.mark.parametrize("shared", [True, False])
def test_outputs_come_back(runner, count, shared):
    body = f'def start(asked):\n    return {{"protocol": 1, "name": "t", "version": "", "shared_files": {shared}}}\n'
    call = a_call(count)
    runner(body + WRITE.replace("AT", "0")).run(call)
    assert call.arguments["y"].array()[:2].tolist() == [7, 8]
    assert call.arguments["y"].memory.guard_fault() is None


def test_a_write_past_the_end_shows_in_the_guards(runner):
    call = a_call(2)
    runner(WRITE.replace("AT", "2")).run(call)
    assert call.arguments["y"].memory.guard_fault() == 2


def test_a_refusal_has_phase_status_and_message(runner):
    refused = '{"results": [{"status": 161002, "message": "no such shape"}, {"status": None}]}'
    outcome = runner(replying(refused)).run(a_call())
    assert isinstance(outcome, Rejected)
    assert (outcome.phase, outcome.status, outcome.message) == (Phase.WORKSPACE, 161002, "no such shape")
    assert [result.status for result in outcome.results] == [161002, None]


def test_a_call_may_be_unsupported(runner):
    assert runner(replying('{"unsupported": "no time"}')).run(a_call()) == Unsupported("no time")


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("'hello'", "'hello' is no JSON"),
        ("'[1]'", "is no JSON object"),
        ('\'{"id": NaN, "results": []}\'', "is no JSON"),
        ("{}", "run_answer: 'results' is missing"),
        ('{"results": [{"status": 0}]}', "1 results for 2 steps"),
        ('{"results": [{"status": "ok"}, {"status": 0}]}', '/results/0/status: "ok" is not of type'),
        ('{"results": [], "verdict": "passed"}', "unknown key 'verdict'"),
        ('{"results": [], "unsupported": "x"}', "unsupported_answer: unknown key 'results'"),
        ('{"id": 99, "unsupported": "x"}', "was answered with id 99"),
        ('{"error": "lost the device"}', "the program reports: lost the device"),
        ('{"results": [{"status": 0}] * 2, "memories": [{"memory": 5, "base64": ""}]}', "not in the request"),
    ],
)
def test_a_malformed_answer_is_broken_and_says_how(runner, answer, complaint):
    outcome = runner(f'print("a hint", file=sys.stderr)\n{replying(answer)}').run(a_call())
    assert isinstance(outcome, Broken)
    assert complaint in outcome.reason
    assert "its stderr ends: a hint" in outcome.reason


@pytest.mark.parametrize(
    ("death", "signal", "detail"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", 11, "signal 11, SIGSEGV; its stderr ends: last words"),
        ("os._exit(3)", 0, "exit status 3; its stderr ends: last words"),
    ],
)
def test_a_program_that_dies_has_crashed_and_is_started_again(runner, tmp_path, death, signal, detail):
    once = f"os.path.exists({str(tmp_path / 'died')!r}) or (open({str(tmp_path / 'died')!r}, 'w'), {death})"
    ordinary = '{"results": [{"status": 0}, {"status": 0}]}'
    dying = runner(
        f'def run(asked):\n    print("last words", file=sys.stderr, flush=True)\n    {once}\n    return {ordinary}'
    )
    assert dying.run(a_call()) == Crashed(signal, detail)
    assert isinstance(dying.run(a_call()), Completed)


def test_a_program_that_hangs_is_killed_at_the_deadline(runner):
    assert runner("def run(asked):\n    time.sleep(60)").run(a_call(deadline=0.5)) == TimedOut(0.5)


def test_a_program_that_stops_reading_cannot_block_the_suite(runner):
    deaf = runner(
        "def supports(asked):\n"
        '    print(json.dumps({"id": asked["id"], "unsupported": None}), flush=True)\n'
        "    time.sleep(60)"
    )
    assert deaf.supports("aclnnTiny", PRODUCT) is None
    longer_than_a_pipe = a_call(60_000, deadline=0.5)
    assert deaf.run(longer_than_a_pipe) == TimedOut(0.5)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("sys.exit(4)", "died in start: exit status 4"),
        ('def start(asked):\n    return {"protocol": 2, "name": "t", "version": ""}', "/protocol"),
        ('def supports(asked):\n    return {"error": "no device"}', "the program reports: no device"),
    ],
)
def test_a_program_that_cannot_start_is_an_unknown_runner(runner, body, complaint):
    with pytest.raises(UnknownRunner, match=complaint):
        runner(body).supports("aclnnTiny", PRODUCT)


@pytest.mark.parametrize(("command", "complaint"), [("exec", "needs a command"), ("exec:/no/such --x", "cannot start")])
def test_a_command_that_is_missing_is_named(command, complaint):
    with pytest.raises(UnknownRunner, match=complaint):
        find_runner(command).describe()


def test_commands_may_hold_colons_and_spaces(runner, tmp_path):
    path = tmp_path / "a: b.py"
    path.write_text(PROGRAM.replace("BODY", ""))
    named = find_runner(f"exec:{sys.executable} '{path}'")
    assert named.describe().name == "tiny"
    named.close()


def test_a_program_is_told_to_stop(tmp_path, runner):
    polite = runner(f"def stop(asked):\n    open({str(tmp_path / 'stopped')!r}, 'w')\n    sys.exit()")
    polite.describe()
    polite.close()
    assert (tmp_path / "stopped").exists()
