"""An installation's functions as Python callables, bound when first used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conformance.signature import Parameter
from conformance.status import SUCCESS
from runners.aclnn.library import Installation, NoLibrary
from runners.aclnn.loader import origin
from runners.aclnn.prototypes import OPTIONAL, PHASE_2, PROTOTYPES, Function, phase_1, phase_1_name
from runners.aclnn.status import DeviceError, complaint, plain_message


@dataclass(frozen=True, slots=True)
class Entry:
    """Both phases of one API."""

    api: str
    workspace: Function
    run: Function


class Functions:
    """Functions of the runtime and the aclnn base by symbol, and API pairs. Statuses are checked by who needs it."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._bound: dict[str, Function] = {}

    def __contains__(self, symbol: str) -> bool:
        return self._installation.function(symbol) is not None

    def __getitem__(self, symbol: str) -> Function:
        """The function; raises NoLibrary when the installation lacks it."""
        if symbol not in self._bound:
            address = self._installation.function(symbol)
            if address is None:
                libraries = f"{self._installation.runtime.name}, {self._installation.base.name}"
                raise NoLibrary(f"no function {symbol} in {libraries}")
            self._bound[symbol] = PROTOTYPES[symbol].bind(address)
        return self._bound[symbol]

    def require(self) -> None:
        """Find every function that the runner cannot do without; raises NoLibrary for the first that is missing."""
        for symbol in PROTOTYPES:
            if symbol not in OPTIONAL:
                self[symbol]

    def check(self, symbol: str, *arguments: object) -> None:
        """Call a function whose success the harness depends on; raises DeviceError with CANN's own message."""
        status = self[symbol](*arguments)
        if status != SUCCESS:
            raise DeviceError(complaint(symbol, status, self.error_text()))

    def error_text(self) -> str:
        """What CANN has to say since it was last asked, less process ids and times; asking clears it."""
        text: bytes | None = self["aclGetRecentErrMsg"]()
        return plain_message((text or b"").decode(errors="replace"))

    def missing(self, api: str) -> str | None:
        """None when both phases of an API exist; otherwise which does not, and where it was searched."""
        for symbol in (phase_1_name(api), api):
            if self._installation.operator(symbol) is None:
                return f"no function {symbol} in {self._installation.searched}"
        return None

    def entry(self, api: str, parameters: Sequence[Parameter]) -> Entry:
        """Both phases, phase 1 with these parameters; raises NoLibrary or UnknownCType."""
        first, second = self._installation.operator(phase_1_name(api)), self._installation.operator(api)
        if first is None or second is None:
            raise NoLibrary(self.missing(api) or api)
        return Entry(api, phase_1(parameters).bind(first), PHASE_2.bind(second))

    def origins(self, apis: Sequence[str]) -> dict[str, list[str]]:
        """Path of each binary → the symbols that it, and no other, provides to the runner."""
        addresses = {symbol: self._installation.function(symbol) for symbol in PROTOTYPES}
        for api in apis:
            addresses |= {symbol: self._installation.operator(symbol) for symbol in (phase_1_name(api), api)}
        found: dict[str, list[str]] = {}
        for symbol, address in addresses.items():
            if address is not None:
                found.setdefault(origin(address), []).append(symbol)
        return found
