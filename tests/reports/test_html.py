"""The HTML page of a record, as text: what it holds without a browser, and that nothing in a record can break it."""

import base64
import gzip
import json
import re
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from lines import OUTPUT, SEEN, failing, line, record_file

import reports
from conformance.errors import InvalidRecord
from conformance.record import read_record
from conformance.standard import ComparisonClass
from conformance.verdict import Verdict
from reports.html import html
from reports.matrix import NO_DTYPE, matrix_of
from reports.page_data import BLOCK, SEVERITY, blocks_of, index_of
from reports.trend import lines_of, points_of

PAGE = Path(reports.__file__).parent / "page"
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\ud800\x1b"


class Reader(HTMLParser):
    """Tags, attributes and texts of a page, by the name of their element."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.texts.append((tag, ""))

    def handle_data(self, data):
        tag = self.texts[-1][0] if self.texts else ""
        self.texts.append((tag, data))


def read(page):
    reader = Reader()
    reader.feed(page)
    return reader


def unpacked(text):
    return json.loads(gzip.decompress(base64.b64decode(text)))


def carried(page, name):
    return unpacked(re.search(f'<script type="text/plain" id="{name}">([^<]*)</script>', page)[1])


@pytest.fixture
def record(tmp_path):
    return record_file(tmp_path / "now.jsonl", line(headroom=0.3), failing(), line("skipped", "other product"))


def test_verdict_environment_matrix_and_failures_stand_in_the_page_itself(record):
    texts = "".join(text for _, text in read(html(record)).texts)
    for words in ("not conforming", "simulator 0.1.0 as ascend910b", "✗ 1", "out: last element", "strict 1"):
        assert words in texts


@pytest.mark.parametrize(
    ("lines", "rest", "verdict"),
    [
        ([line()], {}, "conforming"),
        ([line(), line("unspecified")], {}, "conforming"),
        ([line()], {"ended": False}, "not_conforming"),
        ([line()], {"complaints": ["a waiver matches nothing"]}, "not_conforming"),
        ([line(), line("broken")], {}, "not_conforming"),
        ([line("skipped")], {}, "not_conforming"),
        ([], {}, "not_conforming"),
    ],
)
def test_only_a_whole_run_that_executed_something_and_has_nothing_red_is_conforming(lines, rest, verdict, tmp_path):
    page = html(record_file(tmp_path / "r.jsonl", *lines, **rest))
    assert re.search(r'class="badge"><span data-t="(\w+)"', page)[1] == verdict


def test_the_page_is_ascii_and_needs_no_other_file(record):
    page = html(record)
    assert page.isascii()
    assert page.startswith("<!DOCTYPE html>")
    addresses = [value for name, value in read(page).attributes if name in ("src", "href", "action", "srcset")]
    assert addresses == []
    assert "default-src 'none'" in page
    for name in ("page.js", "page.css"):
        text = (PAGE / name).read_text(encoding="utf-8")
        digest = base64.b64encode(sha256(text.encode()).digest()).decode()
        assert f"sha256-{digest}" in page
        assert text in page


def test_no_text_of_a_record_becomes_markup(tmp_path):
    plain = html(record_file(tmp_path / "r.jsonl", failing(reason="x", signature="x", api="x")))
    texts = {"reason": HOSTILE, "signature": HOSTILE, "api": HOSTILE, "call": HOSTILE, "facets": [HOSTILE, "fp32"]}
    hostile = record_file(
        tmp_path / "h.jsonl",
        {**failing(), **texts},
        environment={"suite": HOSTILE, "python": "", "numpy": "", "torch": "", HOSTILE: HOSTILE},
        runner={"spec": HOSTILE, "name": HOSTILE, "version": HOSTILE, "facts": {HOSTILE: HOSTILE}},
    )
    page = html(hostile)
    assert page.isascii()
    count = lambda text, tag: read(text).tags.count(tag)  # noqa: E731
    assert count(page, "script") == count(plain, "script")
    assert count(page, "img") == 0
    assert not [name for name, _ in read(page).attributes if name.startswith("on")]


def test_the_line_that_runs_a_case_again_has_all_the_options_of_the_run(tmp_path):
    runner = {"spec": "aclnn", "name": "aclnn", "version": "1", "options": {"cann": "/opt/my cann"}, "facts": {}}
    record = record_file(tmp_path / "1.jsonl", line(), runner=runner, terms={"repeat": 3, "atk_slice": 0.5})
    before, after = index_of([read_record(record)])["records"][0]["again"]
    assert before == "pytest cases -k "
    assert (
        after == " --runner aclnn --product ascend910b --runner-option 'cann=/opt/my cann' --repeat 3 --atk-slice 0.5"
    )


def test_the_index_and_the_blocks_hold_every_case_of_every_record(tmp_path):
    lines = [line() for _ in range(BLOCK)]
    one = read_record(record_file(tmp_path / "1.jsonl", *lines, failing()))
    two = read_record(record_file(tmp_path / "2.jsonl", line("broken", "why"), product="ascend950"))
    index, blocks = index_of([one, two]), [unpacked(block) for block in blocks_of([one, two])]
    assert [len(block) for block in blocks] == [BLOCK, 2]
    assert index["ids"].split("\n") == [found["id"] for found in (*one.lines, *two.lines)]
    assert index["record"][-2:] == [0, 1]
    assert [index["verdicts"][number] for number in index["verdict"][-2:]] == ["failed", "broken"]
    assert index["texts"][index["reason"][-1]] == "why"
    assert {index["words"][word] for word in index["sets"][index["facets"][0]]} == {"demo", "fp32", "rank2"}
    assert "".join(index["records"][1]["again"]) == "pytest cases -k  --runner simulator --product ascend950"
    assert set(SEVERITY) == set(Verdict)
    failure = blocks[1][0]
    assert failure["call"] == "aclnnTiny(x float32[2, 3])"
    assert failure["outputs"]["out"]["ulps"] == OUTPUT["metrics"]["ulp_histogram"]
    assert failure["outputs"]["out"]["worst"]["inputs"] == {"self": -1.3}


def test_the_page_carries_the_index_the_words_and_the_sentences(record):
    index = carried(html(record), "index")
    assert index["translations"]["failed"] == ["failed", "失败"]
    assert ["^not a case for (ascend\\w+)$", ["product"], "不是 {product} 的用例", "not a case for "] in index["forms"]
    assert len(carried(html(record), "block0")) == 3


def test_every_word_is_translated_and_used():
    words = json.loads((PAGE / "words.json").read_text(encoding="utf-8"))
    assert all(len(both) == 2 and all(both) for both in words.values())
    figures = {name: [set(re.findall(r"\{\w+\}", text)) for text in both] for name, both in words.items()}
    assert [name for name, (english, chinese) in figures.items() if english != chinese] == []
    code = "".join((PAGE / name).read_text(encoding="utf-8") for name in ("page.html.j2", "page.js"))
    said = (
        set(re.findall(r'["\[ ]"(\w+)"', code)) | set(re.findall(r'"(\w+)"', code)) | set(re.findall(r"(\w+): ", code))
    )
    made = {word.value for word in (*Verdict, *ComparisonClass)} | {"document", "implementation", "both", "neither"}
    made |= {f"trend_{name}" for name in ("red", "passed", "headroom", "seconds")}
    facts = {"flaky", "runner", "reference", "standard", "suite", "record"}
    assert words.keys() - said - made - facts == set()
    assert made | facts <= words.keys()


@pytest.mark.parametrize(
    ("lines", "shade", "label"),
    [
        ([line(headroom=0.1), line(headroom=0.3)], "near1", "0.30"),
        ([line(headroom=0.0)], "near0", "✓"),
        ([line(headroom=1e-9)], "near0", "<0.01"),
        ([line(headroom=0.99)], "near3", "0.99"),
        ([line(headroom=0.1), failing(), line("broken")], "red", "✗ 2"),
        ([line(), line("waived", headroom=7.0)], "waived", "! 1"),
        ([line("unspecified"), line("skipped")], "open", "?"),
        ([line("skipped"), line("unsupported")], "idle", NO_DTYPE),
    ],
)
def test_a_cell_of_the_matrix_says_the_worst_of_its_cases(lines, shade, label, tmp_path):
    matrix = matrix_of([read_record(record_file(tmp_path / "r.jsonl", *lines))])
    (cell,) = matrix.cells.values()
    assert (cell.shade, cell.label) == (shade, label)


def test_the_matrix_counts_a_case_under_each_of_its_dtypes_and_products(tmp_path):
    one = record_file(tmp_path / "1.jsonl", line(facets=["fp16", "fp32"]), line(facets=["nullptr"]))
    two = record_file(tmp_path / "2.jsonl", line(facets=["fp32"], api="aclnnOther"), product="ascend950")
    matrix = matrix_of([read_record(one), read_record(two)])
    assert matrix.apis == ("aclnnOther", "aclnnTiny")
    assert set(matrix.dtypes) == {"fp16", "fp32", NO_DTYPE}
    assert matrix.cells.keys() == {
        ("aclnnTiny", "fp16", 0),
        ("aclnnTiny", "fp32", 0),
        ("aclnnTiny", NO_DTYPE, 0),
        ("aclnnOther", "fp32", 1),
    }


def test_a_trend_goes_through_records_of_the_same_kind_by_time(tmp_path, record):
    folder = tmp_path / "old"
    folder.mkdir()
    record_file(folder / "b.jsonl", line(), line("broken"), started="2026-11-20T00:00:00+00:00")
    record_file(folder / "a.jsonl", line(headroom=0.5), started="2026-11-21T00:00:00+00:00")
    record_file(folder / "c.jsonl", line(), product="ascend950")
    points, others = points_of(read_record(record), [folder])
    assert [point.started[:10] for point in points] == ["2026-11-20", "2026-11-21", "2026-11-30"]
    assert [sum(point.red.values()) for point in points] == [1, 0, 1]
    assert others == 1
    red = lines_of(points)[0]
    assert (red.first, red.last) == ("1", "1")
    assert [y for _, y, _ in red.dots] == [3, 25, 3]
    page = html(record, history=[folder])
    assert page.count("<polyline") == 5
    assert "polyline" not in html(record).partition("<script>")[0].partition("</style>")[2]


def test_a_history_without_records_is_an_error(tmp_path, record):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidRecord, match="holds no record"):
        html(record, history=[tmp_path / "empty"])


def test_everything_an_outcome_may_hold_is_carried(tmp_path):
    seen = {**SEEN, "faults": [{"rule": "guard", "where": "out", "text": "two bytes after out"}]}
    crashed = failing(**{**seen, "outputs": {}, "outcome": {"kind": "Crashed", "text": "crashed", "signal": 11}})
    page = html(record_file(tmp_path / "r.jsonl", crashed))
    (detail,) = carried(page, "block0")
    assert detail["faults"][0]["text"] == "two bytes after out"
    assert detail["outcome"] == {"text": "crashed"}
