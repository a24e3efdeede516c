"""Error texts in the manner of CANN's plog, less process id and time, so that records stay comparable."""

from __future__ import annotations

PARAMETER_ERROR = "EZ1001"
INNER_ERROR = "EZ9999"


def refused(api: str, clause: str) -> str:
    """Text of a parameter error of phase 1: error number, clause, function."""
    return f"{PARAMETER_ERROR}: {clause} ({api}GetWorkspaceSize)"


def not_launched(api: str, clause: str) -> str:
    """Text of a parameter error of phase 2."""
    return f"{PARAMETER_ERROR}: {clause} ({api})"


def kernel_failed(api: str, error: Exception) -> str:
    """Text of an inner error: what the kernel raised."""
    return f"{INNER_ERROR}: kernel failed: {type(error).__name__}: {error} ({api})"
