"""ATK files → native case files: a group for each case, and a count of everything that native cases do not say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from conformance.atk.cases import entries
from conformance.atk.read import AtkCase
from conformance.atk.remainder import rest_of, spelt
from conformance.atk.rewrites import rules_for
from conformance.atk.translate import native_values
from conformance.call import Attribute, Scalar
from conformance.card import DEFAULT, HUGE, LARGE
from conformance.case import ELEMENT_CAP, HUGE_CAP, ArgumentSpec, TensorSpec, ValueSpec
from conformance.contract import Basis, Contract
from conformance.data import files_below
from conformance.errors import InvalidData, InvalidSpec, Location, Problem
from conformance.foreign.bind import Given, Unbound, bind, matched, middle
from conformance.foreign.build import DEADLINE, completed, subject_of
from conformance.foreign.heads import ATK, broken_of, suite_of
from conformance.foreign.spans import Choice, Constant, Infinities, Normal, Uniform
from conformance.load import load_contracts
from conformance.number import write_number
from conformance.product import PRODUCTS
from conformance.signature import Parameter, snake_name
from conformance.specify import specify
from conformance.status import NAMES
from conformance.tensor import Format

_LARGE_FROM = 1 << 24
_LONGEST = 120
SEEDED = "the stream of random numbers that ATK's id seeds: native data depends on the native id"
STANDARD = "standard.acc: native cases are judged by the standard of the run"


@dataclass(frozen=True, slots=True)
class Native:
    """One case as a native group of an API's file, and what of it native cases do not say."""

    api: str
    group: Mapping[str, Any]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """What became of some files: native groups by API and file, counts of reasons, and what could not be read."""

    groups: Mapping[tuple[str, Path], list[Mapping[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    lost: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)


def import_files(paths: Iterable[Path]) -> Import:
    """Every case of ATK files, those of folders too; what cannot be read is among the problems."""
    done = Import()
    for path in (found for one in paths for found in _files_in(one)):
        try:
            _import_file(path, done)
        except InvalidData as error:
            done.problems.extend(error.problems)
    return done


def _files_in(path: Path) -> list[Path]:
    """ATK's files in a folder; a file as it is."""
    if not path.is_dir():
        return [path]
    return sorted(one for one in files_below(path) if one.suffix == ".json" and ATK in (suite_of(one), broken_of(one)))


def _import_file(path: Path, done: Import) -> None:
    """Add what becomes of one file; raises InvalidData where it is none of ATK's."""
    suite = suite_of(path)
    if suite not in (ATK, ""):
        raise InvalidData(
            [Problem(Location(path), f"a file of {suite}, not of ATK", "run it as it is with run --paths")]
        )
    for one in entries(path):
        if isinstance(one, Problem):
            done.problems.append(one)
            continue
        try:
            native = native_case(*one, path)
        except Unbound as error:
            done.left_out[str(error)] += 1
            continue
        done.groups[native.api, path].append(native.group)
        done.lost.update(native.lost)


def document_of(api: str, source: Path, groups: Iterable[Mapping[str, Any]], schema_path: str) -> dict[str, Any]:
    """A native case file of groups that come from one file."""
    about = f"cases of {source.name}, a file of ATK"
    return {"$schema": schema_path, "api": api, "about": about, "groups": list(groups)}


def native_case(read: AtkCase, written: Mapping[str, Any], path: Path) -> Native:
    """One case as a native group; raises Unbound where it cannot be one."""
    contract = load_contracts().get(read.api)
    if contract is None:
        raise Unbound(f"this suite has no contract of {read.api}")
    ruled, why = rules_for(contract, path, read.executors)
    why = read.error or why
    if why:
        raise Unbound(why)
    call = native_call(read, contract, ruled)
    try:
        rest = rest_of(read, written, contract, call.specs)
        about = f"case {read.id} of {spelt(path.name)[:_LONGEST]}"
    except ValueError as error:
        raise Unbound(str(error)) from None
    where, fewer = _where(contract, call)
    group = {"name": f"id{read.id}", "about": about, **where, **_size(call), "arguments": call.arguments, "atk": rest}
    lost = [*call.lost, fewer, SEEDED, STANDARD if read.acc is not None else "", *_unread(read)]
    return Native(read.api, group, tuple(dict.fromkeys(filter(None, lost))))


def _unread(read: AtkCase) -> Iterator[str]:
    """Keys that say something and that nothing here looks at."""
    items = [one for item in read.inputs for one in (item if isinstance(item, tuple) else (item,))]
    unread = [("entries", read.extra), *(("inputs", item.extra) for item in items)]
    yield from dict.fromkeys(
        f"the key {spelt(key)!r:.40} of {where}" for where, extra in unread for key, value in extra.items() if value
    )


@dataclass(frozen=True, slots=True)
class NativeCall:
    """Arguments of a call as native JSON and as read back from it; where it is legal; what they do not say."""

    arguments: Mapping[str, Any]
    specs: Mapping[str, ArgumentSpec]
    products: frozenset[str]
    lost: tuple[str, ...]


def native_call(read: AtkCase, contract: Contract, ruled: Mapping[str, ValueSpec]) -> NativeCall:
    """The call of an entry in native JSON; raises Unbound."""
    bound = bind(read.inputs, contract)
    made, products = completed(contract, bound)
    items = {parameter.name: item for parameter, item in matched(read.inputs, contract)}
    arguments: dict[str, Any] = {}
    lost: list[str] = []
    for parameter in contract.parameters:
        name, spec = parameter.name, made[parameter.name]
        arguments[name] = _argument(spec)
        if name in ruled and isinstance(spec, TensorSpec):
            values = {ruled[name].kind: ruled[name].argument}
            arguments[name]["values"] = {**values, "each": ruled[name].each} if ruled[name].each > 1 else values
        elif name in items:
            arguments[name], more = _with_values(parameter, items[name], spec, arguments[name])
            lost.append(more)
    specs = _read_back(contract, arguments, made)
    return NativeCall(arguments, specs, products, tuple(filter(None, lost)))


def _argument(spec: ArgumentSpec) -> Any:
    """An argument without its data."""
    if spec is None:
        return None
    if isinstance(spec, TensorSpec):
        tensor: dict[str, Any] = {"dtype": spec.dtype.name, "shape": list(spec.shape)}
        return tensor if spec.format is Format.ND else {**tensor, "format": spec.format.name}
    if isinstance(spec, Scalar):
        return {"scalar": _json(spec.value), "dtype": spec.dtype.name}
    return [_json(value) for value in spec.value] if isinstance(spec.value, tuple) else _json(spec.value)


def _json(value: Any) -> Any:
    return write_number(value) if isinstance(value, float) else value


def _with_values(parameter: Parameter, item: Given, spec: ArgumentSpec, written: Any) -> tuple[Any, str]:
    """The argument with what fills it, and what that does not say of ATK's range."""
    if isinstance(item, tuple) or spec is None or isinstance(spec, Attribute):
        spans = [one.span for one in (item if isinstance(item, tuple) else (item,))]
        drawn = spec is not None and any(isinstance(s, (Uniform, Choice, Normal, Infinities)) for s in spans)
        return written, _DRAWN if drawn else ""
    if isinstance(spec, Scalar):
        value = middle(item.span)
        exact = {**written, "scalar": _json(value)} if spec.dtype.is_float else written
        return exact, "" if isinstance(item.span, Constant) else _DRAWN
    if spec.dtype.carrier is None:
        return written, ""
    translated = native_values(item.span, spec)
    return {**written, "values": translated.values}, translated.lost


_DRAWN = "a number drawn from a range: here it is the middle, or the first of a list"


def _read_back(
    contract: Contract, arguments: Mapping[str, Any], made: Mapping[str, ArgumentSpec]
) -> Mapping[str, ArgumentSpec]:
    """The arguments as a native file gives them; raises Unbound where they are not those that were made."""
    try:
        specs = specify(contract, {"arguments": arguments}, {}).arguments
    except InvalidSpec as error:
        raise Unbound(str(error)) from None
    for name, spec in specs.items():
        bare = replace(spec, values=None) if isinstance(spec, TensorSpec) else spec
        if repr(bare) != repr(made[name]):
            raise Unbound(f"{name} has a value that native cases cannot hold")
    return specs


def _where(contract: Contract, call: NativeCall) -> tuple[dict[str, Any], str]:
    """Products and expectation of a call, and what is left out there.

    Where document and implementation disagree on every product, the case is unspecified.
    """
    breaches = {
        name: contract.first_breach(call.specs, PRODUCTS[name], without=Basis.DOCUMENT)
        for name in contract.products
        if name in call.products
    }
    legal = [name for name, breach in breaches.items() if breach is None]
    first = next(iter(breaches.values()), None)
    if legal or first is None:
        expect: dict[str, Any] = {"success": {"degenerate": sorted(contract.outputs)}}
        return {**_products(contract, legal), "expect": expect}, _FEWER if len(legal) < len(breaches) else ""
    status = first.constraint.status
    alike = [name for name, one in breaches.items() if one is not None and one.constraint.status == status]
    expect = {
        "unspecified": f"the document admits the call, and the implementation refuses it: {first.message}",
        "document": "success",
        "implementation": {"reject": NAMES[status], "phase": "workspace"},
    }
    return {**_products(contract, alike), "expect": expect}, _FEWER if len(alike) < len(breaches) else ""


_FEWER = "products on which the implementation refuses what the document admits"


def _products(contract: Contract, names: list[str]) -> dict[str, Any]:
    return {} if len(names) == len(contract.products) else {"products": names}


def _size(call: NativeCall) -> dict[str, Any]:
    """Tier and deadline of a call with large tensors; raises Unbound where they are too large for any tier."""
    tensors = [spec for spec in call.specs.values() if isinstance(spec, TensorSpec)]
    most = max((prod(spec.shape) for spec in tensors), default=0)
    if most > HUGE_CAP:
        raise Unbound(f"a tensor of more than {HUGE_CAP} elements")
    tier = HUGE if most > ELEMENT_CAP else LARGE if most > _LARGE_FROM else DEFAULT
    return {} if tier == DEFAULT else {"tier": tier, "deadline": DEADLINE}


def named(api: str, source: Path, several: bool) -> str:
    """Name of the native file of one API's cases of a file, which holds several or not."""
    subject = subject_of(source)
    subject = subject if subject[0].isalpha() else f"atk_{subject}"
    return f"{subject}_{snake_name(api)}.json" if several else f"{subject}.json"


def files_of(done: Import) -> Iterator[tuple[str, Path, list[Mapping[str, Any]], str]]:
    """API, source, groups and name of each native file."""
    apis = Counter(source for _, source in done.groups)
    for (api, source), groups in done.groups.items():
        yield api, source, groups, named(api, source, apis[source] > 1)
