"""A call whose outputs the file states: what the contract answers to it, success or the refusal that is expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from conformance.case import ArgumentSpec, Expectation, Refusal, Success, TensorSpec, Unspecified
from conformance.contract import Basis, Contract
from conformance.foreign.bind import Bound, Unbound, bound_tensor
from conformance.foreign.build import Fitted, completed, together
from conformance.foreign.inputs import Input
from conformance.foreign.spans import Omitted
from conformance.outcome import Phase
from conformance.product import PRODUCTS
from conformance.signature import Parameter, ParameterKind, Role
from conformance.tensor import contiguous_strides

_Arguments = Mapping[str, ArgumentSpec]
Answer = Success | Refusal
_UNREFUSED = "the file expects a failure, the document admits the call"


def fitted(
    contract: Contract, bound: Bound, outputs: Sequence[Input], products: Iterable[str], refused: bool = False
) -> Fitted:
    """The call with the outputs that the file states, on those of the products where it is answered as expected.

    Without any the outputs are the first that the contract admits. Raises Unbound where no product answers so.
    """
    wanted = [name for name in contract.products if name in frozenset(products)]
    if not wanted:
        raise Unbound(f"the file is for products that {contract.api} is not on")
    if not outputs and not refused:
        arguments, legal = completed(contract, bound, wanted)
        return Fitted(arguments, legal, bound.draws)
    if any(size < 0 for one in outputs for size in one.shape or ()):
        outputs = _with_sizes(contract, outputs, completed(contract, bound, wanted)[0])
    stated = _stated(contract, bound, outputs) if outputs else _like_the_first_input(contract, bound, wanted)
    arguments = {p.name: stated[p.name] for p in contract.parameters}
    return (_refused if refused else _admitted)(contract, bound, arguments, wanted)


def _stated(contract: Contract, bound: Bound, outputs: Sequence[Input]) -> dict[str, ArgumentSpec]:
    """All arguments. Of an input that is written too the file may name the output or not."""
    pairs = zip(_written(contract, outputs), outputs, strict=True)
    return {**bound.arguments, **{p.name: _output(one) for p, one in pairs if p.role is Role.OUTPUT}}


def _written(contract: Contract, outputs: Sequence[Input]) -> list[Parameter]:
    """The parameter of each output; raises Unbound where there are others."""
    written = [p for p in contract.parameters if p.is_written]
    apart = [p for p in written if p.role is Role.OUTPUT]
    if len(outputs) not in (len(written), len(apart)) or any(p.kind is not ParameterKind.TENSOR for p in apart):
        ours = ", ".join(p.name for p in written)
        raise Unbound(f"{len(outputs)} outputs do not fit those of {contract.api} ({ours})")
    return written if len(outputs) == len(written) else apart


def _with_sizes(contract: Contract, outputs: Sequence[Input], made: _Arguments) -> list[Input]:
    """Outputs with the sizes that the file leaves open, as the contract has them for these inputs."""
    pairs = zip(_written(contract, outputs), outputs, strict=True)
    return [_sized(one, made[parameter.name]) for parameter, one in pairs]


def _sized(stated: Input, likeliest: ArgumentSpec) -> Input:
    """An output, with the shape of the likeliest where that fits what the file says of it."""
    shape = stated.shape or ()
    if not isinstance(likeliest, TensorSpec) or all(size >= 0 for size in shape):
        return stated
    sizes = likeliest.shape
    open_rank = any(size < -1 for size in shape)
    same = len(sizes) == len(shape) and all(size in (-1, ours) for size, ours in zip(shape, sizes, strict=True))
    return replace(stated, shape=sizes) if open_rank or same else stated


def _output(stated: Input) -> ArgumentSpec:
    return None if isinstance(stated.span, Omitted) else bound_tensor(stated)


def _may_be_legal(contract: Contract, bound: Bound, wanted: Sequence[str]) -> bool:
    try:
        completed(contract, bound, wanted)
    except Unbound:
        return False
    return True


def _like_the_first_input(contract: Contract, bound: Bound, wanted: Sequence[str]) -> dict[str, ArgumentSpec]:
    """All arguments of a call that is refused for its inputs; raises Unbound where some outputs would make it legal."""
    if _may_be_legal(contract, bound, wanted):
        raise Unbound(_UNREFUSED)
    tensors = [one for one in bound.arguments.values() if isinstance(one, TensorSpec)]
    outputs = [p for p in contract.parameters if p.role is Role.OUTPUT]
    if not tensors or any(p.kind is not ParameterKind.TENSOR for p in outputs):
        raise Unbound(f"the file does not state the outputs of {contract.api}")
    shape = tensors[0].shape
    dense = TensorSpec(tensors[0].dtype, shape, contiguous_strides(shape), 0, shape)
    return {**bound.arguments, **{p.name: dense for p in outputs}}


def _admitted(contract: Contract, bound: Bound, arguments: _Arguments, wanted: Sequence[str]) -> Fitted:
    answers = {name: _answer(contract, arguments, name, Basis.IMPLEMENTATION) for name in wanted}
    legal = frozenset(name for name, (answer, _) in answers.items() if isinstance(answer, Success))
    if not legal:
        raise Unbound(
            together({on: f"the document admits no such call on {on}: {why}" for on, (_, why) in answers.items()})
        )
    return Fitted(arguments, legal, bound.draws)


def _refused(contract: Contract, bound: Bound, arguments: _Arguments, wanted: Sequence[str]) -> Fitted:
    """Where some product's document refuses: what it says, on all products where the same is said."""
    expected = {name: _expected(contract, arguments, name) for name in wanted}
    known = {name: one for name, one in expected.items() if one is not None}
    if not known:
        raise Unbound(_UNREFUSED)
    first = next(iter(known.values()))
    return Fitted(arguments, frozenset(n for n, one in known.items() if one == first), bound.draws, expectation=first)


def _expected(contract: Contract, arguments: _Arguments, name: str) -> Expectation | None:
    """The refusal; None where the document has none. Where the implementation answers otherwise neither is wrong."""
    document, why = _answer(contract, arguments, name, Basis.IMPLEMENTATION)
    implementation, _ = _answer(contract, arguments, name, Basis.DOCUMENT)
    if isinstance(document, Success):
        return None
    if document == implementation:
        return document
    return Unspecified(f"the document refuses ({why}), the implementation answers otherwise", document, implementation)


def _answer(contract: Contract, arguments: _Arguments, name: str, without: Basis) -> tuple[Answer, str]:
    breach = contract.first_breach(arguments, PRODUCTS[name], without=without)
    if breach is None:
        return Success(degenerate=frozenset(contract.outputs)), ""
    return Refusal(Phase.WORKSPACE, breach.constraint.status), breach.message
