"""import and export: what ATK says is in the native file or named, and comes back as it was."""

import json
from argparse import ArgumentParser
from pathlib import Path
from tempfile import mkdtemp

import pytest
from atk_samples import attribute, case, tensor, write_atk
from hypothesis import HealthCheck, given, settings
from test_mutations import mutated

from conformance.atk.conversion import add_export, add_import
from conformance.case import Success, Unspecified
from conformance.cli import main
from conformance.corpus import load_corpus
from conformance.data import data_root
from conformance.errors import InvalidOption, NothingSelected
from conformance.lint import lint_corpus
from conformance.record import read_record

NORMAL = {"name": "nd", "mean": [0.5, 0.5], "std": [1, 1]}
POLLUTED = {"name": "nd", "mean": [-1, 1], "std": [1, 2], "backward": True, "align_32B": None}
DIM = attribute("dim", -1, "int64_t")
RANGES = [
    *((-2, 2), (0.5, 0.5), [2, -2], [True, False], 0, 0.5, -0.0, True, [3], "2.5", "1e-6"),
    *("nan", "-inf", ["inf"], ["nan"], ["-inf", "inf"], [0, "inf"], ["nan", 1], [1, 2, 3], [1, 2, 3, 4]),
    *("(0, 1)", "[ -5, 0 )", "( 0, 5 ]", "[0, 1]", "[0, 2, 4]", list(range(15)), (-3.4e38, 3.4e38), (0, 1e39)),
    *(NORMAL, POLLUTED, {"name": "nd"}, {"name": "nd", "mean": 0, "std": 1}),
]
SAMPLES = [
    *(case(0, tensor(values=values)) for values in RANGES),
    *(case(0, tensor("x", dtype=dtype)) for dtype in ("fp16", "bf16", "float16", "float")),
    *(case(0, tensor(shape=shape)) for shape in ((), (0,), (3, 0, 2), (2, 3, 4, 5))),
    case(0, tensor(None)),
    case(0, tensor(""), api="aclnnSilu"),
    case(0, tensor(backward=True, required=False, outlier_values=[0.001, 1000], colour="red")),
    case(0, tensor(), note="mine", is_boundary=True, version="v2.1", default_seed=None, expected_error_msg=None),
    case(4294967295, tensor(), default_seed=7, standard={"acc": {"single_bm": {"fp16_error": "2**-10"}}, "mem": 1.1}),
    case(0, tensor(shape=(1, 2, 3, 4), format="NCHW")),
    case(0, tensor(shape=(1, 2, 3, 4), formate=["NCHW"])),
    case(0, tensor(shape=(1, 2, 3, 4)), attribute("format", "NCHW", "non_param")),
    case(0, attribute("case_spec", "{}", "non_param"), tensor()),
    case(0, tensor("grad_output"), tensor("self"), api="SiluBackward"),
    case(0, tensor("self"), tensor("gradOutput"), api="SiluBackward"),
    case(0, tensor("a", (1, 5)), tensor("b", (3, 5)), api="SiluBackward"),
    case(0, tensor(), attribute("slope", 0.1, "float", "scalar"), api="LeakyRelu"),
    case(0, tensor(), attribute("slope", [0, 1], "fp32", "scalar"), api="LeakyRelu"),
    case(0, tensor(), attribute("slope", "inf", "double", "scalar", shape=[1]), api="LeakyRelu"),
    case(0, tensor(), DIM, api="Softmax"),
    case(0, tensor(), attribute("dim", [-2, 1]), api="Softmax"),
    case(0, tensor(), attribute("dim", ["0"], "int"), api="Softmax"),
    case(
        0, tensor(dtype="int32", values=(-9, 9)), *(attribute(n, 1, "int32", "scalar") for n in "tv"), api="Threshold"
    ),
    case(
        0, tensor(dtype="uint8", values=(-5, 300)), *(attribute(n, 1, "int", "scalar") for n in "tv"), api="Threshold"
    ),
    case(0, tensor(dtype="int64", values="inf"), *(attribute(n, 1, "int", "scalar") for n in "tv"), api="Threshold"),
    case(0, tensor(), attribute("beta", "default", "fp32", "scalar"), api="Swish"),
    case(0, tensor(), attribute("beta", ["null"], "fp32", "scalar", required=False), api="Swish"),
    case(0, tensor(), api="Swish"),
    case(0, tensor("features"), tensor("labels"), api="SoftmaxCrossEntropyWithLogits"),
    case(0, tensor(shape=(1 << 13, 1 << 12))),
    case(0, tensor(shape=(1 << 15, 1 << 14))),
]
USUAL = {"required": True, "backward": False, "align_32B": None, "outlier_values": None, "shape": None}


def run(command, *words):
    parser = ArgumentParser()
    commands = parser.add_subparsers()
    add_import(commands)
    add_export(commands)
    given = parser.parse_args([command, *map(str, words)])
    return given.handler(given)


def meaning(entry, name=""):
    """An entry with what is not there and what is there as usual made the same."""
    if isinstance(entry, list):
        return [meaning(item, name) for item in entry]
    if "type" in entry:
        return {**USUAL, "name": name, **entry}
    full = {"aclnn_name": "", **entry, "inputs": [meaning(item, None) for item in entry["inputs"]]}
    return json.dumps(full, sort_keys=True)


def there_and_back(folder, entries):
    """The native file of some entries, what is written from it, and the native file of that."""
    source = write_atk(folder / "first", *entries) if (folder / "first").mkdir() is None else None
    assert run("import", source, "-o", folder / "native") == 0
    assert run("export", "--to", "atk", "--paths", folder / "native", "-o", folder / "second" / source.name) == 0
    assert run("import", folder / "second" / source.name, "-o", folder / "again") == 0
    natives, again = (sorted((folder / name).iterdir()) for name in ("native", "again"))
    assert [path.read_text() for path in natives] == [path.read_text() for path in again]
    return natives, json.loads((folder / "second" / source.name).read_text())


@pytest.mark.parametrize(
    "entry", SAMPLES, ids=lambda entry: f"{entry['aclnn_name']}-{entry['inputs'][0].get('range_values')}"
)
def test_every_form_comes_back_as_it_was(entry, tmp_path):
    (native,), (written,) = there_and_back(tmp_path, [entry])
    assert meaning(written) == meaning(entry)
    corpus = load_corpus([native])
    assert [*corpus.problems, *lint_corpus(corpus, whole=False)] == []
    assert len(corpus.cases) == 1


def test_entries_of_several_apis_are_files_of_their_own_and_one_again(tmp_path, capsys):
    entries = [{**entry, "id": number} for number, entry in enumerate(SAMPLES)]
    natives, written = there_and_back(tmp_path, entries)
    assert len(natives) == len({entry["aclnn_name"].removeprefix("aclnn") for entry in entries})
    assert sorted(map(meaning, written)) == sorted(map(meaning, entries))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=mutated(SAMPLES))
def test_whatever_is_imported_comes_back_and_the_rest_has_a_reason(tmp_path, capsys, entries):
    folder = Path(mkdtemp(dir=tmp_path))
    source = write_atk(folder)
    source.write_text(json.dumps(entries))
    status = run("import", source, "-o", folder / "native")
    seen = capsys.readouterr()
    if status:
        assert "not imported:" in seen.out or "error:" in seen.err
        return
    assert run("export", "--to", "atk", "--paths", folder / "native", "-o", folder / "back" / source.name) == 0
    assert run("import", folder / "back" / source.name, "-o", folder / "again") == 0
    natives, again = (sorted((folder / name).iterdir()) for name in ("native", "again"))
    assert [path.read_text() for path in natives] == [path.read_text() for path in again]


SILU, LEAKY = (data_root() / "activation" / api for api in ("silu", "leaky_relu"))


def exported(folder, capsys, *selectors):
    status = run("export", "--to", "atk", *selectors, "-o", folder / "atk_export.json")
    path = folder / "atk_export.json"
    return status, json.loads(path.read_text()) if path.exists() else [], capsys.readouterr().out


def test_native_cases_become_entries_that_are_read_as_the_same_calls(tmp_path, capsys):
    status, entries, out = exported(tmp_path, capsys, "activation.leaky_relu.common", "--paths", LEAKY)
    assert status == 0
    assert [entry["id"] for entry in entries] == list(range(len(entries)))
    assert {entry["aclnn_name"] for entry in entries} == {"LeakyRelu"}
    calls = {str(one.arguments["self"]) for one in load_corpus([tmp_path / "atk_export.json"]).cases}
    assert all(one.unsupported == "" for one in load_corpus([tmp_path / "atk_export.json"]).cases)
    assert 1 < len(calls) <= len(entries)
    assert f"{len(entries)} of " in out


@pytest.mark.parametrize(
    ("selector", "reason"),
    [
        ("activation.silu.refusals", "a refusal is expected"),
        ("activation.silu.views", "a tensor with strides, an offset or a larger storage"),
        ("activation.silu.protocol", "steps other than phase 1 and phase 2"),
        ("activation.silu.numeric", "values of the kind arange"),
    ],
)
def test_what_atk_has_no_notation_for_is_counted_by_reason(selector, reason, tmp_path, capsys):
    status, entries, out = exported(tmp_path, capsys, selector, "--paths", SILU)
    assert status == (0 if entries else 1)
    assert reason in out.partition("not exported:")[2]


def test_nothing_that_can_be_said_is_red_and_leaves_no_file(tmp_path, capsys):
    status, entries, _ = exported(tmp_path, capsys, "activation.silu.protocol.after_nothing", "--paths", SILU)
    assert (status, entries) == (1, [])


def test_a_selector_that_picks_nothing_is_an_error(tmp_path, capsys):
    with pytest.raises(NothingSelected, match="no case"):
        exported(tmp_path, capsys, "activation.silu.nonsense", "--paths", SILU)


def test_what_cannot_be_imported_is_counted_by_reason_and_never_green_alone(tmp_path, capsys):
    source = write_atk(tmp_path, case(0, tensor()), case(1, tensor(), api="Unheard"), case(2, tensor(dtype="int8")))
    assert run("import", source, "-o", tmp_path / "native") == 0
    left_out = capsys.readouterr().out.partition("not imported:")[2]
    assert "1  this suite has no contract of aclnnUnheard" in left_out
    assert "1  the document admits no such call" in left_out
    lone = write_atk(tmp_path, case(1, tensor(), api="Unheard"))
    assert run("import", lone, "-o", tmp_path / "none") == 1
    assert not (tmp_path / "none").exists()


def test_an_entry_that_cannot_be_read_is_bad_data_and_the_others_are_written(tmp_path, capsys):
    source = write_atk(tmp_path, case(0, tensor()), case(1, tensor(dtype="fp33")))
    assert run("import", source, "-o", tmp_path / "native") == 2
    assert "/1/inputs/0/dtype: unknown dtype 'fp33'" in capsys.readouterr().err
    assert len(load_corpus([tmp_path / "native"]).cases) == 1


def test_what_atk_says_beyond_is_kept_and_counted(tmp_path, capsys):
    inputs = (
        tensor(backward=True, outlier_values=[0.1, 9], values="(0, 1)"),
        attribute("slope", [0, 1], "fp32", "scalar"),
    )
    run("import", write_atk(tmp_path, case(7, *inputs, api="LeakyRelu", note="mine")), "-o", tmp_path / "native")
    said = capsys.readouterr().out.partition("said by ATK, not by native cases:\n")[2]
    for what in (
        "'note' of entries",
        "'backward' of inputs",
        "'outlier_values' of inputs",
        "an open end",
        "standard.acc",
    ):
        assert what in said
    assert "a number drawn from a range" in said
    assert "the stream of random numbers" in said


def test_a_folder_stands_for_the_files_of_atk_in_it(tmp_path, capsys):
    source = write_atk(tmp_path, case(0, tensor()))
    (tmp_path / "other.json").write_text("[1, 2]")
    assert run("import", tmp_path, "-o", tmp_path / "native") == 0
    assert "1 case in 1 native file\n" in capsys.readouterr().out
    assert source.exists()


@pytest.mark.parametrize(
    ("text", "what"),
    [("{", "malformed JSON"), ("{}", "a list of cases"), ('[{"op": "Silu", "input_desc": []}]', "a file of msopst")],
)
def test_a_file_that_is_none_of_atks_is_one_error(text, what, tmp_path, capsys):
    (tmp_path / "some.json").write_text(text)
    assert run("import", tmp_path / "some.json", "-o", tmp_path / "native") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert what in line


def test_a_file_that_is_there_is_written_over_only_by_force(tmp_path, capsys):
    source = write_atk(tmp_path, case(0, tensor()))
    assert run("import", source, "-o", tmp_path / "native") == 0
    with pytest.raises(InvalidOption, match="is there already"):
        run("import", source, "-o", tmp_path / "native")
    assert run("import", source, "-o", tmp_path / "native", "--force") == 0


def test_cases_go_beside_the_contract_where_the_folder_has_it(tmp_path, capsys):
    beside = tmp_path / "cases" / "activation" / "silu"
    beside.mkdir(parents=True)
    (beside / "contract.json").write_bytes((data_root() / "activation" / "silu" / "contract.json").read_bytes())
    source = write_atk(tmp_path, case(0, tensor()))
    assert run("import", source, "-o", tmp_path / "cases") == 0
    assert (beside / "atk_aclnnsilu.json").exists()
    with pytest.raises(InvalidOption, match="folder of another API"):
        run("import", write_atk(tmp_path, case(0, tensor(), api="Relu")), "-o", beside)


def test_what_was_changed_since_is_what_is_exported(tmp_path, capsys):
    source = write_atk(tmp_path, case(7, tensor(values="(0, 1)", backward=True)))
    assert run("import", source, "-o", tmp_path / "native") == 0
    path = tmp_path / "native" / "atk_aclnnsilu.json"
    path.write_text(path.read_text().replace('{"uniform": [0, 1]}', '{"uniform": [3, 4]}'))
    assert run("export", "--to", "atk", "--paths", path, "-o", tmp_path / "back.json") == 0
    (entry,) = json.loads((tmp_path / "back.json").read_text())
    assert (entry["id"], entry["inputs"][0]["range_values"]) == (7, [3, 4])
    assert "the arguments were changed since" in capsys.readouterr().out


def test_an_id_that_is_taken_is_replaced_and_told(tmp_path, capsys):
    for name in ("fp16", "fp32"):
        (tmp_path / name).mkdir()
        source = write_atk(tmp_path / name, case(3, tensor(dtype=name)))
        assert run("import", source, "-o", tmp_path / "native" / name) == 0
    paths = [word for name in ("fp16", "fp32") for word in ("--paths", tmp_path / "native" / name)]
    assert run("export", "--to", "atk", *paths, "-o", tmp_path / "both.json") == 0
    assert [entry["id"] for entry in json.loads((tmp_path / "both.json").read_text())] == [3, 0]
    assert "1  the id, which another entry has" in capsys.readouterr().out


def test_where_document_and_implementation_disagree_nothing_is_expected(tmp_path, capsys):
    entry = case(0, tensor(), attribute("alpha", "nan", "fp32", "scalar"), api="Celu")
    (native,), (written,) = there_and_back(tmp_path, [entry])
    corpus = load_corpus([native])
    assert isinstance(corpus.cases[0].expectation, Unspecified)
    assert lint_corpus(corpus, whole=False) == []
    assert meaning(written) == meaning(entry)
    assert "that the implementation may refuse the call" in capsys.readouterr().out


def test_a_product_on_which_only_the_document_admits_the_call_is_left_out(tmp_path, capsys):
    source = write_atk(tmp_path, case(0, tensor("a", (1, 5)), tensor("b", (3, 5)), api="SiluBackward"))
    assert run("import", source, "-o", tmp_path / "native") == 0
    (made,) = load_corpus([tmp_path / "native"]).cases
    assert isinstance(made.expectation, Success)
    assert made.products == {"ascend950"}


def test_imported_cases_run_and_are_judged(tmp_path, capsys):
    entries = [{**entry, "id": number} for number, entry in enumerate(SAMPLES[:30])]
    run("import", write_atk(tmp_path, *entries), "-o", tmp_path / "native")
    assert main(["run", "--paths", str(tmp_path / "native"), "--record", str(tmp_path / "record.jsonl")]) == 0
    assert {line["verdict"] for line in read_record(tmp_path / "record.jsonl").lines} == {"passed"}
