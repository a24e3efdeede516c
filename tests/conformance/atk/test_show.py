"""A case of an ATK file is shown as far as it goes: why it is not run, and the entry as the file holds it."""

import pytest
from atk_samples import case, tensor, write_atk

from conformance import execute
from conformance.cli import main


def shown(capsys, *words):
    assert main(["show", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (case(1, tensor(values="normal")), ["  not run   a tensor of shape [3, 5] gets 'normal', which is no number"]),
        (case(1, tensor(), tensor("y")), ["  not run   2 inputs (self, y) fit aclnnSilu(self)"]),
        (case(1, tensor(), api="Unheard"), ["  api       aclnnUnheard\n", "no contract of aclnnUnheard"]),
        (case(1, tensor(), api_type="rewriting"), ["  not run   ", "  self      float32[3, 5]\n"]),
        (case(1, tensor(), note="名\ud800"), ["golden    out [", '"note": "名\\ud800"\n']),
    ],
)
def test_the_reason_and_the_entry_are_shown(made, words, tmp_path, capsys):
    (tmp_path / "executor.py").write_text("register('rewriting')\nx.kwargs['self'] = 1\n")
    out = shown(capsys, "--paths", str(write_atk(tmp_path, made)), "atk")
    assert [word for word in [*words, '  entry     "id": 1\n', '"inputs": [{"name": "self"'] if word not in out] == []
    assert ("not run" in out) is not ("golden" in out)


@pytest.mark.parametrize(
    ("shape", "options", "why"),
    [
        ((65536, 65536), [], "4294967296 elements, --max-elements is 268435456"),
        ((4, 4), ["--max-elements", "15"], "16 elements, --max-elements is 15"),
        ((4, 4), ["--max-bytes", "100"], "128 bytes, --max-bytes is 100"),
    ],
)
def test_data_that_is_too_large_is_not_made(shape, options, why, tmp_path, capsys):
    path = write_atk(tmp_path, case(1, tensor(shape=shape)))
    out = shown(capsys, "--paths", str(path), "atk", *options)
    assert f"  data      too large to be shown: {why}\n  self      float32[{shape[0]}, {shape[1]}]\n" in out
    assert "golden" not in out


def test_data_that_does_not_fit_into_memory_is_said(tmp_path, capsys, monkeypatch):
    def full(*arguments):
        raise MemoryError

    monkeypatch.setattr(execute, "make_call", full)
    out = shown(capsys, "--paths", str(write_atk(tmp_path, case(1, tensor()))), "atk")
    assert "too large to be shown: it does not fit into memory" in out
