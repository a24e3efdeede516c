"""The device as a runner: operators of an installed CANN, called through its C ABI."""

from __future__ import annotations

import os
from dataclasses import dataclass

import conformance
from conformance.call import Call
from conformance.load import load_contracts
from conformance.outcome import Broken, Outcome, Unsupported
from conformance.product import Product, product_of_soc
from conformance.runner import RunnerInfo
from runners.aclnn.device import Device, pick_device
from runners.aclnn.functions import Functions
from runners.aclnn.handles import CannotExpress
from runners.aclnn.launch import launch
from runners.aclnn.library import Installation, find_place, open_installation
from runners.aclnn.prototypes import UnknownCType
from runners.aclnn.provenance import driver_facts, library_facts, version_facts
from runners.aclnn.status import DeviceError


@dataclass(frozen=True, slots=True)
class _Opened:
    installation: Installation
    functions: Functions
    device: Device
    soc_name: str


class AclnnRunner:
    """Runs calls on one device.

    ``cann`` is the path of a CANN installation (found by the environment when None), ``device`` a device id or a list
    of them, of which each worker of a parallel run takes one. Nothing is loaded before the first question.
    """

    def __init__(self, cann: str | None = None, device: str = "0") -> None:
        self._cann = cann
        self._device = device
        self._opened: _Opened | None = None
        self._answers: dict[tuple[str, str], str | None] = {}

    def describe(self) -> RunnerInfo:
        """SoC, versions, driver, libraries with SHA-256 and which of them provides what.

        Raises NoLibrary, NoDevice or DeviceError when there is no usable installation or device.
        """
        opened = self._open()
        functions = opened.functions
        apis = [api for api in sorted(load_contracts()) if functions.missing(api) is None]
        facts = {"soc": opened.soc_name, "device": str(opened.device.number), "acl": opened.device.version}
        facts |= {"simulated": opened.device.simulated} if opened.device.simulated else {}
        facts |= version_facts(opened.installation) | driver_facts() | library_facts(functions, apis)
        facts |= {f"not opened {number}": text for number, text in enumerate(opened.installation.failures, 1)}
        return RunnerInfo("aclnn", conformance.__version__, facts)

    def supports(self, api: str, product: Product) -> str | None:
        """None when the device is of that product and both phases exist; otherwise the reason."""
        key = (api, product.name)
        if key not in self._answers:
            self._answers[key] = self._why_not(api, product)
        return self._answers[key]

    def run(self, call: Call) -> Outcome:
        """Take every step of the call on the device; all memory is copied back into the call's own."""
        reason = self.supports(call.api, call.product)
        if reason is not None:
            return Unsupported(reason)
        opened = self._open()
        try:
            entry = opened.functions.entry(call.api, call.parameters)
            return launch(opened.device, entry, call)
        except (UnknownCType, CannotExpress) as error:
            return Unsupported(str(error))
        except DeviceError as error:
            return Broken(str(error))

    def _why_not(self, api: str, product: Product) -> str | None:
        opened = self._open()
        actual = product_of_soc(opened.soc_name)
        if actual is None:
            return f"the device is {opened.soc_name or 'nameless'}, which is no known product"
        if actual != product:
            return f"the device is {opened.soc_name}, product {actual}, not {product}"
        return opened.functions.missing(api)

    def _open(self) -> _Opened:
        if self._opened is None:
            number = pick_device(self._device, os.environ)
            installation = open_installation(find_place(self._cann, os.environ))
            functions = Functions(installation)
            device = Device(functions, number)
            self._opened = _Opened(installation, functions, device, device.soc_name)
        return self._opened
