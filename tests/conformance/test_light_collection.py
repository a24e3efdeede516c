"""What only lists or collects cases imports nothing that executes them."""

import subprocess
import sys

import pytest

from conformance.data import data_root

FILE = data_root() / "activation" / "add_relu" / "common.json"
REPORT = "import sys; loaded = sorted(set({heavy!r}) & set(sys.modules)); print('loaded', loaded); sys.exit(status)"
HEAVY = ("torch", "numpy", "rich", "conformance.execute", "conformance.expand")


def loaded(program: str, heavy=HEAVY) -> str:
    """What of some modules a program has loaded at its end."""
    done = subprocess.run([sys.executable, "-c", program + REPORT.format(heavy=heavy)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1]


def collects(*words) -> str:
    arguments = ["-p", "no:cacheprovider", "-p", "conformance.pytest_plugin", "--collect-only", "-q", *map(str, words)]
    return f"import pytest; status = pytest.main({arguments!r})\n"


@pytest.mark.parametrize("words", [["--help"], ["list", "activation.silu"], ["list", "--tier", "smoke"]])
def test_commands_that_judge_nothing_import_no_torch(words):
    program = f"from conformance.cli import main\ntry: status = main({words!r})\nexcept SystemExit: status = 0\n"
    assert loaded(program, ("torch",)) == "loaded []"


@pytest.mark.parametrize(
    "words",
    [[], ["--runner", "aclnn", "--product", "ascend950"], ["--shard", "1/2"], ["--shuffle", "3"], ["-k", "fp16"]],
)
def test_pytest_collects_without_what_executes(words):
    loaded(collects(FILE))  # the index has the file from here on
    assert loaded(collects(FILE, *words)) == "loaded []"


def test_a_mark_that_a_conftest_adds_to_one_case_is_that_case_s_alone(pytester):
    pytester.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            items[0].add_marker("mine")
            assert [item.name for item in items if "mine" in item.keywords] == [items[0].name]
            assert [item.name for item in items if item.get_closest_marker("mine")] == [items[0].name]
            assert {mark.name for mark in items[0].iter_markers()} >= {"mine", "small"}
        """
    )
    words = ("-p", "conformance.pytest_plugin", "--collect-only", "-q", FILE)
    assert pytester.runpytest_subprocess(*words).ret == 0
