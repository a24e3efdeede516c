"""How large the HTML page of very many cases is, and how fast a browser opens, filters and sorts it.

``python benchmarks/html_page.py RECORD [CASES]`` repeats the cases of a record under ids of their own until there are
enough. Needs chromium and playwright.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from conformance.record import RecordWriter, read_record
from reports.html import html

CASES = 100_000


def enlarged(record: Path, cases: int, path: Path) -> Path:
    found = read_record(record)
    executed = [line for line in found.lines if "outcome" in line]
    with RecordWriter(path, found.header) as writer:
        for number, line in enumerate(islice(cycle(executed), cases)):
            writer.add({**line, "id": f"{line['id'].rpartition('.h')[0]}.h{number:08d}"})
    return path


def timed(what: str, action: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    result = action()
    print(f"{what:<12} {time.perf_counter() - start:.2f} s")
    return result


def in_turn(*steps: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: [step() for step in steps]


def main(record: Path, cases: int) -> None:
    folder = Path(tempfile.mkdtemp())
    large, page_file = enlarged(record, cases, folder / "large.jsonl"), folder / "page.html"
    page_file.write_text(timed("written", lambda: html(large)), encoding="ascii")
    print(f"{'size':<12} {page_file.stat().st_size / 1e6:.1f} MB from {large.stat().st_size / 1e6:.0f} MB")
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=shutil.which("chromium")).new_page()
        timed(
            "opened",
            in_turn(partial(page.goto, page_file.as_uri()), partial(page.wait_for_selector, "html[data-ready]")),
        )
        type_text, no_row = partial(page.fill, "#text", "no such case"), partial(page.wait_for_selector, ".row")
        timed("filtered", in_turn(type_text, partial(no_row, state="detached")))
        page.click("#reset")
        for column in ("verdict", "id", "headroom", "ms"):
            timed(
                f"by {column}",
                page.locator("#columns button").nth(["verdict", "id", "headroom", "ms"].index(column)).click,
            )
        timed("case opened", in_turn(page.locator(".row").first.click, partial(page.wait_for_selector, "#detail h3")))
        timed("in Chinese", partial(page.click, "#language"))
        in_chinese = partial(page.fill, "#text", "没有这样的用例")
        timed("searched", in_turn(in_chinese, partial(no_row, state="detached")))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else CASES)
