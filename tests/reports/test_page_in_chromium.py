"""The HTML page in a real browser: filters, keys, languages, details, and that hostile texts stay texts."""

import re

import pytest
from lines import failing, line, record_file

from reports.html import html

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect
HOSTILE = "</script><script>window.hit=1</script><img src=x onerror='window.hit=1'>"
CASES = 3000


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page of many cases of two products: passed ones, and one failure that says nothing but mischief."""
    folder = tmp_path_factory.mktemp("page")
    lines = [line(headroom=number / CASES, facets=["fp16" if number % 2 else "fp32"]) for number in range(CASES)]
    hostile = failing(reason=HOSTILE, signature=HOSTILE, call=HOSTILE, expected=HOSTILE, facets=[HOSTILE, "fp16"])
    one = record_file(folder / "1.jsonl", *lines, hostile)
    two = record_file(folder / "2.jsonl", line("unspecified", api="aclnnOther"), product="ascend950")
    path = folder / "page.html"
    path.write_text(html(one, [two], [folder]), encoding="ascii")
    return path.as_uri()


@pytest.fixture
def page(browser, address):
    context = browser.new_context(locale="en-GB", viewport={"width": 1300, "height": 900})
    made = context.new_page()
    wrong, asked = [], []
    made.on("pageerror", lambda error: wrong.append(str(error)))
    made.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    made.on("request", lambda request: asked.append(request.url))
    made.goto(address)
    made.wait_for_selector("html[data-ready]")
    yield made
    assert made.evaluate("window.hit") is None
    assert wrong == []
    assert {url.partition("#")[0] for url in asked} == {address}
    context.close()


def shown(page):
    return page.inner_text("#shown").split(" ")[0]


def until(page, count):
    expect(page.locator("#shown")).to_have_text(re.compile(f"^{count} "))


def test_only_rows_in_sight_exist_and_red_ones_come_first(page):
    assert shown(page) == str(CASES + 2)
    assert page.locator(".row").count() < 100
    assert page.locator(".row").first.inner_text().startswith("failed")


def test_words_facets_verdicts_and_the_matrix_filter(page):
    page.fill("#text", "mischief window.hit")
    until(page, 0)
    page.fill("#text", "window.hit")
    until(page, 1)
    page.click("#reset")
    page.fill("#facet", "fp16")
    until(page, CASES // 2 + 1)
    page.click("#verdicts button >> nth=0")
    until(page, 1)
    page.click("#reset")
    page.click("td [data-api='aclnnOther']")
    until(page, 1)
    assert "ascend950" in page.locator(".row").first.inner_text()
    page.click("#chosen button >> nth=0")
    page.click("table.groups .link")
    until(page, 1)


def test_columns_sort_both_ways(page):
    page.click("#columns button:has-text('limit')")
    assert "1.5" in page.locator(".row").first.inner_text()
    page.click("#columns button:has-text('limit')")
    assert page.locator(".row").first.inner_text().split("\n")[0] == "unspecified"


def test_keys_search_move_open_and_close(page):
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "text"
    page.focus("#list")
    page.keyboard.press("End")
    assert page.locator("[aria-selected=true]").inner_text().startswith("passed")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_selector("#detail:not([hidden])")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#detail h3").first).to_have_text(re.compile("^unspecified"))
    page.keyboard.press("Escape")
    assert page.locator("#detail").is_hidden()


def test_a_case_in_detail_says_everything_and_how_to_run_it_again(page):
    page.locator(".row").first.click()
    page.wait_for_selector("#detail:not([hidden])")
    detail = page.inner_text("#detail")
    for words in (HOSTILE, "only the last element is wrong", "at most 70 ULP", "21 of 153 elements", "[1, 1]", "-1.3"):
        assert words in detail
    assert page.locator("#detail svg.histogram rect").count() == 10
    command = page.inner_text("#detail .again code")
    assert command.startswith("pytest cases -k demo.tiny.numeric.plain.fp32-2x3.h")
    assert command.endswith("--runner simulator --product ascend910b")
    page.click("#detail .again button")
    expect(page.locator("#detail .again button")).to_have_text("copied")


def test_an_address_with_a_case_opens_it(page, address):
    page.locator(".row").nth(5).click()
    page.wait_for_selector("#detail:not([hidden])")
    heading, link = page.inner_text("#detail h3 >> nth=0"), page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("#detail:not([hidden])")
    assert page.inner_text("#detail h3 >> nth=0") == heading


def test_language_and_theme_are_switched_and_kept(page):
    page.click("#language")
    page.click("#theme")
    assert page.inner_text("h1") == "aclnn 一致性报告"
    assert page.locator(".row").first.inner_text().startswith("失败")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.inner_text(".badge >> nth=0") == "不符合"
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_what_the_suite_says_is_told_in_chinese_with_the_english_beside_it(browser, tmp_path):
    reason = "out: max error 70 ULP > 8 ULP; run again it passed: flaky"
    words = {"signature": "out: only the last element is wrong"}
    found = failing(reason=reason, expected="success", side="both", **words)
    record = record_file(tmp_path / "1.jsonl", line(), found, failing(reason="out of luck", **words), ended=False)
    path = tmp_path / "page.html"
    path.write_text(html(record), encoding="ascii")
    page = browser.new_context(locale="zh-CN").new_page()
    page.goto(f"{path.as_uri()}#ascend910b/{found['id']}")
    page.wait_for_selector("#detail:not([hidden])")
    told = page.locator("#detail dd").first
    assert told.inner_text() == "out：最大误差 70 ULP > 8 ULP；再次运行则通过：结果不稳定"
    assert told.get_attribute("title") == reason
    assert page.inner_text(".warning") == "运行没有结束：记录缺少尾行"
    assert page.inner_text("table.groups .link") == "out：仅最后一个元素错误"
    for words, count in (
        ("再次运行则通过", 1),
        ("flaky", 1),
        ("flaky 最后", 1),
        ("out of luck", 1),
        ("最后一个元素", 2),
        ("没有的话", 0),
    ):
        page.fill("#text", words)
        until(page, count)
    page.click("#language")
    assert page.inner_text(".warning") == "the run did not end: the record has no footer"
    assert page.locator("#detail dd").first.inner_text() == reason
    assert page.locator("#detail dd[title]").count() == 0
    page.context.close()


def test_on_paper_the_cases_are_lines(page):
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#table").is_hidden()
    assert page.locator("#printed p").count() == 301
    assert page.locator("#printed p").last.inner_text() == f"… {CASES + 2 - 300} more in the record"
