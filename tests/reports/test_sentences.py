"""The Chinese of what the suite says: every sentence has one, and every one is said."""

import ast
import inspect
import re
from importlib import import_module
from itertools import chain

import pytest
import said
import said_of_numbers
from chinese import tell
from lines import line, record_file

from reports.html import html
from reports.sentences import forms, kind_of

FILE = "reports/page/sentences.json"
SILENT = {"element", "ordinal"}
"""Slots that English needs for its grammar alone."""
EXAMPLES = [
    ("success", "成功"),
    ("gradInput: max error 3 ULP > 0 ULP", "gradInput：最大误差 3 ULP > 0 ULP"),
    (
        "expected refusal at workspace with PARAM_INVALID (161002), but the call was accepted",
        "预期在 workspace 阶段拒绝并返回 PARAM_INVALID (161002)，但调用被接受",
    ),
    (
        "expected success, but it was rejected at run with INNER (561000): no: luck; run again it passed: flaky",
        "预期成功，实际在 run 阶段被拒绝，返回 INNER (561000)：no: luck；再次运行则通过：结果不稳定",
    ),
    (
        "timed out after 2 s [xfail until 2099-12-31: known]; alone in a fresh process: timed out after 2 s again",
        "超时（2 s） [xfail，至 2099-12-31：known]；单独在新进程中运行：再次超时（2 s）",
    ),
    (
        "2 of 8 elements wrong, only where an input is NaN: they should be NaN and are zero",
        "8 个元素中有 2 个错误，仅出现在某个输入为 NaN 处：应为 NaN，实为零",
    ),
    (
        "unspecified (document says success; implementation says refusal at run with 161002)",
        "未规定（文档：成功；实现：在 run 阶段拒绝并返回 161002）",
    ),
    (
        "out: NaN or infinity on one side only at 1 of 9 elements; first at (1, 2): got nan, expected -0.5",
        "out：9 个元素中有 1 个只在一侧为 NaN 或无穷；首个位于 (1, 2)：实得 nan，预期 -0.5",
    ),
    (
        "aclnnX(x float32[2, 3] strides [1, 2] offset 0 in [6], dims = (0, 1), y float32[2, 3] aliases x, z null)",
        "aclnnX(x float32[2, 3] 步长 [1, 2] 偏移 0 存储 [6], dims = (0, 1), y float32[2, 3] 与 x 共用存储, z 空指针)",
    ),
    ("workspace with null x on stream 1", "workspace（x 传空指针），流 1"),
]
FOREIGN = [
    "",
    "out of luck: 3 times; again",
    "EZ9999: inner error, only 5 cases",
    "the document does not say what becomes of NaN",
    "x" * 5000,
]
SAYING = {
    **dict.fromkeys(("verdict", "rules", "random_rules", "standard", "guard", "repetition", "outcome", "law"), ""),
    **dict.fromkeys(("patterns", "whereabouts", "likeness", "misreadings", "diagnose", "fingerprint", "execute"), ""),
    **dict.fromkeys(("golden_checks", "supervise"), ""),
    "select": "excess reason_not_to_run",
    "call": "__str__",
    "explain": "describe_call describe_argument describe_expectation",
    "waiver": "_why_stale _why_unlike term",
}
"""Modules that say what a page shows, and the functions of those that say other things too."""


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """All that the suite says in these tests, each text once."""
    folder = tmp_path_factory.mktemp("said")
    in_folders = (said.of_liars, said.of_supervision, said.of_the_harness, said.of_records)
    alone = (said.of_expectations, said.of_verdicts, said.of_waivers)
    numbers = (said_of_numbers.of_standards, said_of_numbers.of_diagnoses)
    sources = [*(source(folder / source.__name__) for source in in_folders), *(source() for source in alone + numbers)]
    return sorted(set(chain.from_iterable(sources)) - {""})


def test_every_sentence_is_translated_to_its_end(texts):
    left = {part: text for text in texts for part in tell(text).unknown if part not in said.QUOTED}
    assert not left, f"add a form to {FILE} for: {left}"


def test_every_form_is_said(texts):
    used = frozenset().union(*(tell(text).forms for text in texts))
    assert [form.english for form in forms() if form.english not in used] == []


def test_a_page_says_what_these_tests_read(browser, texts, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(html(record_file(tmp_path / "record.jsonl", line())), encoding="ascii")
    page = browser.new_page(locale="zh-CN")
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    everything = [*texts, *FOREIGN, "x: a new fault; out: timed out"]
    assert dict(zip(everything, page.evaluate("(texts) => texts.map(told)", everything), strict=True)) == {
        text: tell(text).chinese for text in everything
    }
    assert page.evaluate("(text) => told(text)", "a: " * 600).startswith("a: a: ")
    page.close()


@pytest.mark.parametrize("module", SAYING)
def test_no_words_of_the_code_lack_a_form(module):
    known = figureless("\n".join(form.english for form in forms()))
    missing = [
        words for words in words_of(f"conformance.{module}", SAYING[module].split()) if figureless(words) not in known
    ]
    assert missing == [], f"add a form to {FILE} for what conformance/{module}.py says"


def figureless(text):
    return re.sub(r"\{\w+\}|\d+", "#", text)


def words_of(module, functions):
    """Literals of at least two words, of all functions or of some; docstrings are none."""
    tree = ast.parse(inspect.getsource(import_module(module)))
    defined = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in functions]
    found = list(chain.from_iterable(map(ast.walk, defined or [tree])))
    left_out = {id(inner) for node in found if is_for_programmers(node) for inner in ast.walk(node)}
    literals = [node.value for node in found if isinstance(node, ast.Constant) and id(node) not in left_out]
    return [text.strip(" :;,") for text in literals if isinstance(text, str) and re.search(r"[a-z]+ [a-z]+", text)]


def is_for_programmers(node):
    """Docstrings, and errors that do not become a verdict."""
    error = node.exc.func if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) else None
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or (isinstance(error, ast.Name) and error.id != "BrokenReference")


@pytest.mark.parametrize(("english", "chinese"), EXAMPLES)
def test_a_sentence_in_chinese(english, chinese):
    assert (tell(english).chinese, tell(english).unknown) == (chinese, ())


@pytest.mark.parametrize("text", FOREIGN, ids=lambda text: text[:20])
def test_what_others_say_stays_as_it_is(text):
    assert tell(text).chinese == text


def test_what_is_known_of_a_text_is_translated():
    assert tell("x: a new fault; out: timed out").chinese == "x: a new fault；out：超时"


def test_both_languages_have_the_same_slots():
    for form in forms():
        told = {slot for slot in form.slots if kind_of(slot) not in SILENT}
        assert set(re.findall(r"\{(\w+)\}", form.chinese)) == told, form.english
    assert len({form.english for form in forms()}) == len(forms())
