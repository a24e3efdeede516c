"""What other projects notice of the installed suite: nothing."""

import subprocess
import sys

import pytest
from tiny import group, tiny_folder, write

from conformance.pytest_entry import names_cases


@pytest.mark.parametrize(
    ("below", "answer"),
    [
        ("demo/tiny/numeric.json", True),
        ("demo/tiny/numeric.json::demo.tiny", True),
        ("demo/tiny", True),
        ("demo", True),
        ("", True),
        ("other", False),
        ("no/such", False),
        ("other/contract.json", False),
        ("other/a.json", False),
        ("x" * 5000, False),
    ],
)
def test_only_case_files_and_folders_of_contracts_bring_the_plugin_in(below, answer, tmp_path):
    write(tiny_folder(tmp_path), group())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "contract.json").write_text('{"consumer": "a pact"}')
    (tmp_path / "other" / "a.json").write_text("{}")
    assert names_cases(str(tmp_path / below)) is answer


def test_another_project_keeps_its_own_options_and_loads_nothing(tmp_path):
    (tmp_path / "conftest.py").write_text("def pytest_addoption(parser):\n    parser.addoption('--seed', type=int)\n")
    (tmp_path / "test_own.py").write_text(
        "import sys\ndef test_own(pytestconfig):\n    assert pytestconfig.getoption('--seed') == 7\n"
        "    assert not {'conformance.pytest_plugin', 'torch', 'jsonschema', 'rich.console'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "--seed", "7"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
