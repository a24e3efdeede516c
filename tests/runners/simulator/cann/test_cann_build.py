"""The command and the builder: one clear error for what is missing, nothing built twice, a tree that may move."""

import shutil
import subprocess

import pytest

from conformance.cli import main
from runners.simulator.cann import toolchain
from runners.simulator.cann.build import build
from runners.simulator.cann.toolchain import BuildFailed, find_toolchain


def test_the_command_builds_what_is_not_built_yet(tree, capsys):
    assert main(["cann", "build", str(tree)]) == 0
    assert f"{tree}: nothing built in " in capsys.readouterr().out


def test_a_missing_compiler_is_one_clear_error(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert main(["cann", "build", str(tmp_path / "cann")]) == 2
    assert "no-such-compiler cannot be found: install a C++ compiler" in capsys.readouterr().err


def test_missing_development_files_of_python_are_one_clear_error(monkeypatch, tmp_path):
    monkeypatch.setattr(toolchain.sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(BuildFailed, match=r"Python\.h is missing: install Python's development files"):
        toolchain.python_flags()


def test_a_python_that_cannot_be_embedded_is_one_clear_error(monkeypatch, tmp_path):
    monkeypatch.setattr(toolchain, "_library_folders", lambda folder: [tmp_path])
    with pytest.raises(BuildFailed, match="cannot be embedded"):
        toolchain.python_flags()


def test_a_compiler_that_refuses_is_quoted(tree, tmp_path):
    source = tmp_path / "bad.cpp"
    source.write_text("int f() { return missing; }")
    with pytest.raises(BuildFailed, match=r"missing.* was not declared"):
        find_toolchain().compile(source, tmp_path / "bad.o", [])


def test_a_changed_header_builds_the_libraries_again(tree, tmp_path):
    copy = shutil.copytree(tree, tmp_path / "cann", symlinks=True)
    (copy / ".build" / "libacl_rt.so.digest").write_text("another")
    assert build(copy) == ["libacl_rt.so"]
    assert (copy / "lib64" / "libascendcl.so").readlink().name == "libacl_rt.so"


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_set_env_makes_the_tree_the_cann_in_use(tree, shell):
    script = f". {tree}/set_env.sh; echo $ASCEND_HOME_PATH $ASCEND_TOOLKIT_HOME $ASCEND_OPP_PATH $LD_LIBRARY_PATH"
    done = subprocess.run(
        [shell, "-c", script], capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin"}
    )
    assert done.stdout.split() == [str(tree), str(tree), f"{tree}/opp", f"{tree}/lib64"]
