"""The reference that is found by name: torch is loaded when a golden is asked for, not before."""

import subprocess
import sys

import pytest

from conformance.product import PRODUCTS
from conformance.runner import Reference, Runner
from runners.reference.entry import LazyReference
from runners.reference.runner import ReferenceRunner

_PROGRAM = """
import sys
from runners.reference.entry import LazyReference
reference = LazyReference()
reference.describe(), reference.basis()
assert "torch" not in sys.modules
reference.supports("aclnnGelu", None)
assert "torch" in sys.modules
"""


def test_what_it_says_of_itself_needs_no_torch():
    subprocess.run([sys.executable, "-c", _PROGRAM], check=True)


def test_it_says_and_answers_what_the_reference_does():
    lazy, eager = LazyReference(), ReferenceRunner()
    assert isinstance(lazy, Reference)
    assert isinstance(lazy, Runner)
    assert (lazy.describe(), lazy.basis()) == (eager.describe(), eager.basis())
    product = PRODUCTS["ascend910b"]
    assert lazy.supports("aclnnNone", product) == eager.supports("aclnnNone", product) != ""


@pytest.mark.parametrize("name", ["ATEN_CPU_CAPABILITY", "NPY_DISABLE_CPU_FEATURES"])
def test_switches_of_instructions_are_part_of_the_basis(name, monkeypatch):
    before = LazyReference().basis()
    monkeypatch.setenv(name, "default")
    assert LazyReference().basis() != before
