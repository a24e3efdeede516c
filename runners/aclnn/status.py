"""The one place where a number that CANN returned gets its name, and where it becomes a step's result or an error.

The first digits say who complains: 161xxx the caller's parameters, 361xxx the runtime below an operator, 561xxx the
operator's own inside; 1xxxxx, 2xxxxx and 5xxxxx otherwise come from the runtime itself. What an API returned, and
what synchronising after it returned, is an answer of the implementation; everything else is a fault of the harness.
"""

from __future__ import annotations

import re

from conformance.call import Step
from conformance.errors import ConformanceError
from conformance.outcome import StepResult
from conformance.status import NAMES, SUCCESS

REPEAT_INITIALIZE = 100002
"""The process was initialised before: harmless."""
INTERNAL_ERROR = 500000
MEMORY_ALLOCATION = 207001
STREAM_SYNC_TIMEOUT = 507046

RUNTIME_NAMES: dict[int, str] = {
    100000: "INVALID_PARAM",
    100001: "UNINITIALIZE",
    REPEAT_INITIALIZE: "REPEAT_INITIALIZE",
    100003: "INVALID_FILE",
    100037: "REPEAT_FINALIZE",
    100039: "COMPILING_STUB_MODE, a library made for linking only",
    107000: "RT_PARAM_INVALID",
    107001: "RT_INVALID_DEVICEID",
    107002: "RT_CONTEXT_NULL",
    107003: "RT_STREAM_CONTEXT",
    107006: "RT_EVENT_TIMESTAMP_INVALID",
    107008: "RT_ADDR_UNALIGNED",
    107017: "RT_INVALID_HANDLE",
    107019: "RT_WAIT_TIMEOUT",
    107020: "RT_TASK_TIMEOUT",
    107022: "RT_DEVICE_TASK_ABORT",
    107023: "RT_STREAM_ABORT",
    200000: "BAD_ALLOC",
    200001: "API_NOT_SUPPORT",
    200006: "FEATURE_UNSUPPORTED",
    207000: "RT_FEATURE_NOT_SUPPORT",
    MEMORY_ALLOCATION: "RT_MEMORY_ALLOCATION",
    207003: "RT_AICORE_OVER_FLOW",
    207004: "RT_NO_DEVICE",
    207005: "RT_RESOURCE_ALLOC_FAIL",
    207006: "RT_NO_PERMISSION",
    207018: "RT_DEVICE_OOM",
    INTERNAL_ERROR: "INTERNAL_ERROR",
    500001: "FAILURE",
    500003: "RT_FAILURE",
    500004: "DRV_FAILURE",
    507000: "RT_INTERNAL_ERROR",
    507001: "RT_TS_ERROR",
    507007: "RT_CONTEXT_RELEASE_ERROR",
    507008: "RT_SOC_VERSION",
    507010: "RT_LOST_HEARTBEAT",
    507014: "RT_AICORE_TIMEOUT",
    507015: "RT_AICORE_EXCEPTION",
    507016: "RT_AICORE_TRAP_EXCEPTION",
    507017: "RT_AICPU_TIMEOUT",
    507018: "RT_AICPU_EXCEPTION",
    507033: "RT_DEV_SETUP_ERROR",
    507034: "RT_VECTOR_CORE_TIMEOUT",
    507035: "RT_VECTOR_CORE_EXCEPTION",
    STREAM_SYNC_TIMEOUT: "RT_STREAM_SYNC_TIMEOUT",
    507047: "RT_EVENT_SYNC_TIMEOUT",
    507053: "RT_DEVICE_MEM_ERROR",
    507054: "RT_HBM_MULTI_BIT_ECC_ERROR",
    507899: "RT_DRV_INTERNAL_ERROR",
}
"""Numbers of the runtime, without their prefix ACL_ERROR_."""

_STAMP = re.compile(r"\[PID: ?\d+\] \d{4}-\d\d-\d\d-[\d:.]+ ")


class DeviceError(ConformanceError):
    """A runtime call that the harness needs failed; the text names function, status and CANN's own message."""


class DeviceTimeout(Exception):
    """Work on the stream did not end in the time that the call has."""


def name_of(number: int) -> str:
    """``RT_AICORE_EXCEPTION (507015)``; a number without a name stands alone."""
    name = NAMES.get(number) or RUNTIME_NAMES.get(number)
    return f"{name} ({number})" if name else str(number)


def complaint(symbol: str, number: int, text: str) -> str:
    """One sentence for a failed runtime function, with CANN's message behind it."""
    said = f": {text}" if text else ""
    return f"{symbol} returned {name_of(number)}{said}"


def plain_message(text: str) -> str:
    """A message of CANN without the process id and time of each part, so that records stay comparable."""
    return _STAMP.sub("", text).strip()


def answered(step: Step, number: int, text: str) -> StepResult:
    """Result of a step that an API answered itself: its status, and its own text when it refused."""
    return StepResult(step, number, text if number != SUCCESS else "")


def failed(step: Step, symbol: str, number: int, text: str) -> StepResult:
    """Result of a step that an API accepted and that failed later, in a function of the runtime."""
    return StepResult(step, number, complaint(symbol, number, text))
