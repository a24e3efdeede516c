"""One device in this process: initialised when first needed, streams and two events, closed at exit."""

from __future__ import annotations

import atexit
import ctypes
import time
from collections.abc import Mapping
from contextlib import suppress

from conformance.errors import ConformanceError
from conformance.status import SUCCESS
from runners.aclnn.functions import Functions
from runners.aclnn.prototypes import MARKER
from runners.aclnn.status import REPEAT_INITIALIZE, STREAM_SYNC_TIMEOUT, DeviceError, DeviceTimeout, complaint

_LONGEST_MS = 2**31 - 1


class NoDevice(ConformanceError):
    """A device id or the number of a process that is no number, or a list of devices that is empty."""


def pick_device(device: str, environ: Mapping[str, str]) -> int:
    """The device id of this process: of a list like ``0,1,2`` each worker of a parallel run takes its own.

    Raises NoDevice.
    """
    ids = [part.strip() for part in device.split(",") if part.strip()]
    if not ids or not all(part.isdecimal() for part in ids):
        raise NoDevice(f"device {device!r} is neither a device id nor a list of them")
    worker = environ.get("CONFORMANCE_WORKER") or environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw") or "0"
    if not worker.isdecimal():
        raise NoDevice(f"CONFORMANCE_WORKER is {worker!r}; it is the number of a process, from 0: unset it")
    return int(ids[int(worker) % len(ids)])


class Device:
    """Owns the process's use of a device. Not a value; made once a process."""

    def __init__(self, functions: Functions, number: int) -> None:
        """Initialise; raises DeviceError or NoLibrary."""
        self.functions = functions
        self.number = number
        functions.require()
        status = functions["aclInit"](None)
        if status not in (SUCCESS, REPEAT_INITIALIZE):
            raise DeviceError(complaint("aclInit", status, functions.error_text()))
        self._owns_process = status == SUCCESS
        self._lost = ""
        self._streams: dict[int, int | None] = {}
        self._open()
        atexit.register(self.close)

    @property
    def soc_name(self) -> str:
        """The chip's name, such as ``Ascend910B1``; empty when it has none."""
        return (self.functions["aclrtGetSocName"]() or b"").decode()

    @property
    def version(self) -> str:
        """Version of the runtime's interface; ``unknown`` where that cannot be asked."""
        parts = [ctypes.c_int32() for _ in range(3)]
        if "aclrtGetVersion" not in self.functions or self.functions["aclrtGetVersion"](*map(ctypes.byref, parts)):
            return "unknown"
        return ".".join(str(part.value) for part in parts)

    @property
    def simulated(self) -> str:
        """A sentence when this is a simulated CANN and no device; empty otherwise."""
        return (self.functions[MARKER]() or b"").decode() if MARKER in self.functions else ""

    def stream(self, number: int) -> int | None:
        """The stream of that number, made when first asked for; raises DeviceError."""
        if number not in self._streams:
            self._streams[number] = self._created("aclrtCreateStream")
        return self._streams[number]

    def mark_start(self, stream: int | None) -> None:
        """Remember on the stream where the work to be timed starts."""
        self.functions["aclrtRecordEvent"](self._start, stream)

    def mark_end(self, stream: int | None) -> None:
        """Remember on the stream where the work to be timed ends."""
        self.functions["aclrtRecordEvent"](self._end, stream)

    def synchronise(self, stream: int | None, until: float) -> int:
        """Wait for the stream; its status. Raises DeviceTimeout when the clock ``time.monotonic`` passes ``until``."""
        left = min(max(int((until - time.monotonic()) * 1000), 1), _LONGEST_MS)
        status: int = self.functions["aclrtSynchronizeStreamWithTimeout"](stream, left)
        if status == STREAM_SYNC_TIMEOUT:
            raise DeviceTimeout
        return status

    def milliseconds(self) -> float | None:
        """Time between the two marks on the device, after synchronising; None when it was not measured."""
        elapsed = ctypes.c_float()
        status = self.functions["aclrtEventElapsedTime"](ctypes.byref(elapsed), self._start, self._end)
        return elapsed.value if status == SUCCESS else None

    def require(self) -> None:
        """Make sure that the device can be used; raises DeviceError when it could not be taken again after a fault."""
        if self._lost:
            self.renew()
        if self._lost:
            raise DeviceError(f"the device is lost since an earlier fault: {self._lost}")

    def renew(self) -> None:
        """Take the device again after a fault, which leaves a context unusable; ``require`` tells if that failed."""
        destroy = "aclrtDestroyStreamForce" if "aclrtDestroyStreamForce" in self.functions else "aclrtDestroyStream"
        reset = "aclrtResetDeviceForce" if "aclrtResetDeviceForce" in self.functions else "aclrtResetDevice"
        self._destroy_streams(destroy)
        self.functions[reset](self.number)
        try:
            self._open()
            self._lost = ""
        except DeviceError as error:
            self._lost = str(error)
        self.functions.error_text()

    def close(self) -> None:
        """Give everything back; failures at the end of a process concern nobody."""
        atexit.unregister(self.close)
        with suppress(ConformanceError):
            self.functions["aclrtDestroyEvent"](self._start)
            self.functions["aclrtDestroyEvent"](self._end)
            self._destroy_streams("aclrtDestroyStream")
            self.functions["aclrtResetDevice"](self.number)
            if self._owns_process:
                self.functions["aclFinalize"]()

    def _open(self) -> None:
        self.functions.check("aclrtSetDevice", self.number)
        self._streams = {0: self._created("aclrtCreateStream")}
        self._start = self._created("aclrtCreateEvent")
        self._end = self._created("aclrtCreateEvent")

    def _destroy_streams(self, symbol: str) -> None:
        for stream in self._streams.values():
            self.functions[symbol](stream)
        self._streams = {}

    def _created(self, symbol: str) -> int | None:
        handle = ctypes.c_void_p()
        self.functions.check(symbol, ctypes.byref(handle))
        return handle.value
