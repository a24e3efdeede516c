"""One sample under AddressSanitizer: our libraries touch no byte they do not own."""

import subprocess
from pathlib import Path

import pytest
from cann_programs import Programs

from runners.simulator.cann.build import build

EXAMPLE = Path(__file__).parents[4] / "examples" / "cpp" / "prelu_backward.cpp"
SANITIZE = ("-fsanitize=address", "-fno-omit-frame-pointer")


def has_sanitizer(folder):
    (folder / "empty.cpp").write_text("int main() { return 0; }")
    command = ["g++", *SANITIZE, folder / "empty.cpp", "-o", folder / "empty"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_sample_under_address_sanitizer(tree, tmp_path):
    if not has_sanitizer(tmp_path):
        pytest.skip("this compiler has no AddressSanitizer")
    build(tmp_path / "cann", SANITIZE)
    programs = Programs(tmp_path / "cann", tmp_path)
    program = programs.compile(EXAMPLE.read_text(), *SANITIZE)
    # Leaks are not looked for: the interpreter and our tables live until the process ends.
    output = programs.run(program, ASAN_OPTIONS="detect_leaks=0")
    assert output == "gradInput: 0.5 1 1 1 1 1 1 1\ngradWeight: 0 0\n"
