"""Where an installation is looked for, in which order its libraries open, and what is said when one is missing."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runners.aclnn.library import CUSTOM, NoLibrary, find_place


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def opened(root: Path) -> subprocess.CompletedProcess[str]:
    """Names of the open libraries, in lookup order; a process of its own, for libraries cannot be unloaded."""
    code = (
        "import sys; from pathlib import Path; from runners.aclnn.library import *;"
        "i = open_installation(find_place(sys.argv[1], {}));"
        "print(*(Path(l.name).name for l in (i.runtime, i.base, *i.operators)), i.failures)"
    )
    return subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("below", ["", "lib64"])
def test_an_explicit_path_is_the_installation_or_its_library_folder(tmp_path, below):
    base = touch(tmp_path / "lib64" / "libnnopbase.so")
    place = find_place(str(tmp_path / below), {"ASCEND_HOME_PATH": "/elsewhere"})
    assert (place.folder, place.root, place.custom) == (base.parent, tmp_path, ())


def test_an_explicit_path_without_libraries_is_refused(tmp_path):
    with pytest.raises(NoLibrary, match=r"libnnopbase.so is neither in .*/lib64 nor in"):
        find_place(str(tmp_path), {})


def test_variables_are_tried_in_order_then_the_loader_s_path(tmp_path):
    touch(tmp_path / "toolkit" / "lib64" / "libnnopbase.so")
    environ = {"ASCEND_HOME_PATH": str(tmp_path / "gone"), "ASCEND_TOOLKIT_HOME": str(tmp_path / "toolkit")}
    assert find_place(None, environ).folder == tmp_path / "toolkit" / "lib64"
    assert find_place(None, {}).folder is None
    assert find_place(None, {}).candidates(("a.so", "b.so")) == ["a.so", "b.so"]


def test_custom_paths_come_before_vendors_in_their_load_order(tmp_path):
    vendors = tmp_path / "opp" / "vendors"
    here, second, first = (touch(p / CUSTOM) for p in (tmp_path / "mine", vendors / "second", vendors / "first"))
    touch(vendors / "unlisted" / CUSTOM)
    (vendors / "config.ini").write_text("load_priority=first,absent,second\n")
    environ = {"ASCEND_CUSTOM_OPP_PATH": f"/gone:{tmp_path / 'mine'}", "ASCEND_OPP_PATH": str(tmp_path / "opp")}
    assert find_place(None, environ).custom == (here, first, second)


@pytest.fixture
def install(fake_cann, tmp_path):
    """Copy the fake's libraries under other names into an installation; returns its root."""
    (tmp_path / "lib64").mkdir()

    def copy(**files):
        for name, source in {"libnnopbase": "libnnopbase", **files}.items():
            shutil.copy(fake_cann / "lib64" / f"{source}.so", tmp_path / "lib64" / f"{name}.so")
        return tmp_path

    return copy


@pytest.mark.parametrize(
    ("runtime", "operators", "lookup"),
    [
        ("libacl_rt", ["libopapi_nn"], "libacl_rt.so libnnopbase.so libopapi_nn.so ()"),
        ("libascendcl", ["libopapi"], "libascendcl.so libnnopbase.so libopapi.so ()"),
        ("libacl_rt", ["libopapi", "libopapi_nn"], "libacl_rt.so libnnopbase.so libopapi_nn.so ()"),
        ("libacl_rt", ["libopapi_a", "libopapi_nn"], "libacl_rt.so libnnopbase.so libopapi_nn.so libopapi_a.so ()"),
    ],
)
def test_the_split_libraries_stand_for_the_single_one(install, runtime, operators, lookup):
    root = install(**{runtime: "libacl_rt"}, **dict.fromkeys(operators, "libopapi_nn"))
    assert opened(root).stdout.strip() == lookup


def test_a_custom_library_is_asked_first(install):
    root = install(libacl_rt="libacl_rt", libopapi_nn="libopapi_nn")
    custom = touch(root / "opp" / "vendors" / "v" / CUSTOM)
    shutil.copy(root / "lib64" / "libopapi_nn.so", custom)
    (root / "opp" / "vendors" / "config.ini").write_text("load_priority=v\n")
    assert opened(root).stdout.split()[2:4] == ["libcust_opapi.so", "libopapi_nn.so"]


def test_a_missing_library_is_named_with_what_was_searched(install):
    root = install(libacl_rt="libacl_rt")
    error = opened(root).stderr
    assert "no library with operators could be opened" in error
    assert f"searched: {root / 'lib64'}" in error
    assert "set_env.sh" in error


def test_a_library_that_does_not_open_is_told_from_one_that_is_missing(install):
    root = install(libacl_rt="libacl_rt", libopapi_nn="libopapi_nn")
    (root / "lib64" / "libopapi_cv.so").write_text("no library")
    assert "libopapi_cv.so: file too short" in opened(root).stdout


def test_split_and_single_libraries_in_one_process_are_refused(install):
    root = install(libacl_rt="libacl_rt", libopapi_nn="libopapi_nn", libopapi="libopapi_nn")
    code = (
        "import sys, os; from runners.aclnn.library import *; from runners.aclnn.loader import open_library;"
        "place = find_place(sys.argv[1], {}); open_library(str(place.folder / 'libacl_rt.so'), shared=True);"
        "open_library(str(place.folder / 'libopapi.so'), shared=False); open_installation(place)"
    )
    run = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=False)
    assert "split and single operator libraries are both loaded" in run.stderr
