"""Shares of a selection, and records of shares put together again."""

import json

import pytest
from shipped import shipped_cases
from tiny import prelu_cases, prelu_group, session

from conformance.errors import InvalidOption, InvalidRecord
from conformance.header import header_of
from conformance.merge import merge
from conformance.options import Options
from conformance.product import PRODUCTS
from conformance.record import RecordWriter, line_of, read_record
from conformance.shard import IDENTITY_CASES, Shard, identity_cases, share_of

B910 = PRODUCTS["ascend910b"]


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_shares_have_every_case_once_and_the_identity_cases_all(of):
    cases = shipped_cases()[:1000]
    shares = [share_of(cases, Shard(index, of), B910) for index in range(1, of + 1)]
    ids = [case.id for share in shares for case in share.cases]
    assert set(ids) == {case.id for case in cases}
    assert len(ids) == len(cases) + (of - 1) * IDENTITY_CASES
    assert {share.digest for share in shares} == {shares[0].digest}
    assert len(identity_cases(cases, B910)) == IDENTITY_CASES


def test_shares_can_be_balanced_by_time():
    cases = shipped_cases()[:200]
    seconds = {case.id.rpartition(".")[0]: 1.0 if n < 20 else 0.001 for n, case in enumerate(cases)}
    slow = {case.id for case in cases[:20]} - identity_cases(cases, B910)
    counts = [len(slow & {c.id for c in share_of(cases, Shard(i, 4), B910, seconds).cases}) for i in (1, 2, 3, 4)]
    assert max(counts) - min(counts) <= 1
    assert sum(counts) == len(slow)


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "-1/2", "a/b", "1/2/3", "1.0/2"])
def test_what_is_no_share(text):
    with pytest.raises(InvalidOption, match="is not I/N"):
        Shard.parse(text)


@pytest.fixture
def cases(tmp_path):
    return prelu_cases(tmp_path / "data", *(prelu_group(f"group{n}") for n in range(12)))


@pytest.fixture
def shards(tmp_path, cases):
    """Records of three shares."""
    trial = session()
    paths = []
    for index in (1, 2, 3):
        share = share_of(cases, Shard(index, 3), trial.product)
        header = {**header_of(trial, Options(runner="simulator")), "shard": share.to_json()}
        with RecordWriter(tmp_path / f"{index}.jsonl", header) as writer:
            for case in share.cases:
                writer.add(line_of(trial.execute(case)))
        paths.append(writer.path)
    return [read_record(path) for path in paths]


def test_merged_shards_are_one_record_of_all_cases(shards, cases, tmp_path):
    merge(shards, tmp_path / "all.jsonl")
    whole = read_record(tmp_path / "all.jsonl")
    assert [line["id"] for line in whole.lines] == sorted(case.id for case in cases)
    assert "shard" not in whole.header
    assert whole.footer["cases"] == len(cases)


def without_one(record):
    lines = [line for line in record.lines if line["id"] not in record.header["shard"]["identity"]]
    kept = tuple(line for line in record.lines if line is not lines[0])
    return type(record)(record.path, record.header, kept, record.footer)


def with_header(record, **changes):
    return type(record)(record.path, {**record.header, **changes}, record.lines, record.footer)


def with_line(record, number, **changes):
    lines = list(record.lines)
    lines[number] = {**lines[number], **changes}
    return type(record)(record.path, record.header, tuple(lines), record.footer)


def with_terms(record, **terms):
    return with_header(record, terms=terms)


def with_measured(record, factor):
    """The first identity case with a figure that is off by a factor."""
    number = identity_line(record)
    line = json.loads(json.dumps(dict(record.lines[number])))
    output = next(iter(line["outputs"].values()))
    output["headroom"] = 0.125 * factor
    return with_line(record, number, outputs=line["outputs"])


def identity_line(record):
    return next(n for n, line in enumerate(record.lines) if line["id"] in record.header["shard"]["identity"])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda one, two, three: [one, two], "shard 3 is missing"),
        (lambda one, two, three: [one, two, two, three], "shard 2 is there 2 times"),
        (lambda one, two, three: [one, without_one(two), three], "cases are there, 12 were selected"),
        (lambda one, two, three: [one, two, with_header(three, product="ascend950")], "product: ascend910b in"),
        (lambda one, two, three: [one, two, with_header(three, data="0" * 64)], "data: "),
        (lambda one, two, three: [one, two, with_header(three, seed=7)], "seed: 0 in"),
        (lambda one, two, three: [one, with_line(two, identity_line(two), verdict="failed"), three], "otherwise"),
        (lambda one, two, three: [one, with_line(two, -1, id="a.b.c.d.h00000000"), three], "cases are there"),
        (lambda one, two, three: [one, two, type(one)(three.path, three.header, three.lines, None)], "has no footer"),
        (lambda one, two, three: [type(one)(one.path, {}, one.lines, {}), two, three], "is no record of a shard"),
        (lambda one, two, three: [one, with_terms(two, repeat=3), three], "option repeat: None in"),
        (lambda one, two, three: [one, with_terms(two, waivers="0" * 64), three], "option waivers: None in"),
        (lambda one, two, three: [with_measured(one, 1), with_measured(two, 1.001), three], "was answered otherwise"),
        (lambda one, two, three: [one, with_header(two, shard={"index": 2}), three], "is no header of a record"),
        (lambda one, two, three: [], "there are none"),
    ],
)
def test_what_does_not_belong_together_is_refused(change, complaint, shards, tmp_path):
    with pytest.raises(InvalidRecord, match="do not belong together") as caught:
        merge(change(*shards), tmp_path / "all.jsonl")
    assert complaint in str(caught.value)
    assert not (tmp_path / "all.jsonl").exists()


def test_goldens_may_differ_in_their_last_bits_between_machines(shards, tmp_path):
    one, two, three = (with_measured(shard, factor) for shard, factor in zip(shards, (1, 1 + 1e-9, 1), strict=True))
    assert len(merge([one, two, three], tmp_path / "all.jsonl").lines) == 12


def test_no_shard_is_overwritten(shards):
    with pytest.raises(InvalidRecord, match="is one of them, and would be overwritten"):
        merge(shards, shards[1].path)
    assert read_record(shards[1].path) == shards[1]


def test_merged_records_keep_complaints_and_time(shards, tmp_path):
    footers = [
        {**shard.footer, "seconds": 10.0, "complaints": ["w.json: expired", f"in {n}"]}
        for n, shard in enumerate(shards)
    ]
    changed = [type(s)(s.path, s.header, s.lines, footer) for s, footer in zip(shards, footers, strict=True)]
    whole = merge(changed, tmp_path / "all.jsonl")
    assert whole.complaints == ("w.json: expired", "in 0", "in 1", "in 2")
    assert 30 <= whole.seconds < 60


def test_an_interrupted_record_goes_on_where_it_stopped(shards):
    path, whole = shards[0].path, shards[0].path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    before = read_record(path)
    with RecordWriter(path, {}, before) as writer:
        assert path.read_bytes() == b"".join(lines[:3])
        for text in lines[3:-1]:
            writer.add(json.loads(text))
    assert [line["id"] for line in read_record(path).lines] == [line["id"] for line in shards[0].lines]
