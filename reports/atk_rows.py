"""Lines of a record → the rows of ATK's spreadsheet: its columns, its words, and beside them what it has none for.

ATK keeps execution and accuracy apart and puts the verdict into the column of the node that it compares with; a column
that it fills from measurements nobody made here is empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from conformance.record import Record
from conformance.verdict import Verdict

Line = Mapping[str, Any]
Cell = str | int | float | bool | None
Row = list[Cell]

DUT, COMPARED = "pyaclnn_0", "cpu_0"
_OF_A_NODE = (
    "精度通过",
    "Device性能（us）",
    "端到端性能(us)",
    "同步端到端99th（us）",
    "同步端到端标准差",
    "Device性能比",
    "端到端性能比",
)
COLUMNS = (
    *("编号", "运行结果", "失败原因", "用例json信息", "精度详情"),
    *(f"{node}_{what}" for node in (DUT, COMPARED) for what in _OF_A_NODE),
    *("用例标识", "接口", "判定", "余量", "耗时（s）"),
)
"""ATK's columns, and five of our own: id, API, verdict, error ÷ limit, seconds."""
SUMMARY_COLUMNS = (
    *("名称", "总用例数", "执行成功用例个数", "确定性计算执行成功用例个数", "执行失败用例个数", "精度比对通过用例个数"),
    *(
        "错误信息匹配用例个数",
        "精度比对通过率",
        "e2e性能通过率",
        "device性能通过率",
        "平均e2e性能比",
        "平均device性能比",
    ),
)
ACCURACY = COLUMNS.index(f"{COMPARED}_精度通过")
SUCCESS, FAILED, TIMEOUT, UNDO = "SUCCESS", "FAILED", "TIMEOUT", "UNDO"
STATUS = COLUMNS.index("运行结果")
NOTHING = "-"
"""What ATK writes where it has no figure."""
_THE_RUN = "the run itself"
_ENDED = {"Completed": SUCCESS, "TimedOut": TIMEOUT, "Crashed": FAILED, "Broken": FAILED}
_ATK_NUMBER = re.compile(r"atk\..*\.id(\d{1,10})(?:-sliced)?\.h\d+")
_DETAILS = ("max_abs_error", "max_rel_error", "mean_rel_error", "rmse", "max_ulp", "class_mismatches")
_KEPT = ("id", "api", "call", "expected", "facets", "exercises")


def row_of(line: Line) -> Row:
    """A case's row."""
    verdict, status = Verdict(line["verdict"]), status_of(line)
    row: Row = [None] * len(COLUMNS)
    row[:5] = [
        _number(line["id"]),
        status,
        "" if verdict is Verdict.PASSED else f"{verdict.value}: {line['reason']}",
        json.dumps({name: line[name] for name in _KEPT if line.get(name)}, ensure_ascii=False),
        "; ".join(_details(line)),
    ]
    row[ACCURACY] = _accuracy(verdict, status)
    row[-5:] = [line["id"], line["api"], verdict.value, line.get("headroom"), line["seconds"]]
    return row


def row_of_complaint(number: int, text: str) -> Row:
    """The row of what makes a run red beside its cases: whoever reads rows alone sees it too."""
    row: Row = [None] * len(COLUMNS)
    row[:3] = [f"{_THE_RUN}: complaint {number}", FAILED, text]
    row[-4] = _THE_RUN
    return row


def status_of(line: Line) -> str:
    """ATK's word for how far the case got; a refusal that is expected or excused is no failure to run."""
    kind = line.get("outcome", {}).get("kind", "")
    if kind == "Rejected":
        refused = str(line.get("expected", "")).startswith("refusal") or line["verdict"] != Verdict.FAILED.value
        return SUCCESS if refused else FAILED
    if line["verdict"] == Verdict.BROKEN.value:
        return FAILED
    return _ENDED.get(kind, UNDO)


def _accuracy(verdict: Verdict, status: str) -> bool | None:
    """True only for what passed; None where the answer was not compared, or nobody's answer is the right one."""
    if status != SUCCESS or verdict is Verdict.UNSPECIFIED or not verdict.was_executed:
        return None
    return verdict is Verdict.PASSED


def _number(case_id: str) -> str | int:
    """ATK's own number of a case from one of its files; the id of any other."""
    found = _ATK_NUMBER.fullmatch(case_id)
    return int(found[1]) if found else case_id


def _details(line: Line) -> Iterable[str]:
    for name, output in line.get("outputs", {}).items():
        metrics = output["metrics"]
        figures = [f"{word}={metrics[word]}" for word in _DETAILS if word in metrics]
        yield f"{name} ({output['comparison']}): {', '.join(figures)}" + (
            f": {output['reason']}" if output.get("reason") else ""
        )


class Summary:
    """Counts of one API, or of the run itself. Not a value: it counts rows as they are written."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cases = self.ran = self.failed = self.judged = self.accurate = self.refused = 0

    def add(self, row: Row, line: Line | None = None) -> None:
        """Count a row."""
        self.cases += 1
        self.ran += row[STATUS] == SUCCESS
        self.failed += row[STATUS] in (FAILED, TIMEOUT)
        self.judged += row[ACCURACY] is not None
        self.accurate += row[ACCURACY] is True
        refused = line is not None and line.get("outcome", {}).get("kind") == "Rejected"
        self.refused += refused and row[ACCURACY] is True

    def row(self) -> Row:
        """ATK's row; the share is that of all cases that have a right answer and were run, crashes among them."""
        tried = self.judged + self.failed
        share = f"{self.accurate / tried:.2%}" if tried else NOTHING
        counts: Row = [self.cases, self.ran, NOTHING, self.failed, self.accurate, self.refused]
        return [self.name, *counts, share, *[NOTHING] * 4]


def facts_of(record: Record) -> list[Row]:
    """What the record says of the whole run, a fact a row."""
    header = record.header
    named = {name: f"{header[name]['name']} {header[name]['version']}" for name in ("runner", "reference", "standard")}
    facts: dict[str, Any] = {"product": header["product"], **named}
    facts |= {name: header[name] for name in ("started", "seed")}
    facts |= {f"runner.{name}": fact for name, fact in header["runner"]["facts"].items()}
    facts |= {f"environment.{name}": fact for name, fact in header["environment"].items()}
    return [[name, _cell(fact)] for name, fact in facts.items()]


def _cell(fact: Any) -> Cell:
    return fact if isinstance(fact, (int, float)) else str(fact)
