"""A call whose outputs the file states: what the contract answers to it, success or the refusal that is expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from conformance.case import ArgumentSpec, Expectation, Refusal, Success, TensorSpec, Unspecified
from conformance.contract import Basis, Contract
from conformance.foreign.bind import Bound, Unbound, bound_tensor
from conformance.foreign.build import Fitted, completed
from conformance.foreign.inputs import Input
from conformance.foreign.spans import Omitted
from conformance.outcome import Phase
from conformance.product import PRODUCTS
from conformance.signature import ParameterKind, Role
from conformance.tensor import contiguous_strides

_Arguments = Mapping[str, ArgumentSpec]
Answer = Success | Refusal


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
    stated = _stated(contract, bound, outputs) if outputs else _like_the_first_input(contract, bound)
    arguments = {p.name: stated[p.name] for p in contract.parameters}
    return (_refused if refused else _admitted)(contract, bound, arguments, wanted)


def _stated(contract: Contract, bound: Bound, outputs: Sequence[Input]) -> dict[str, ArgumentSpec]:
    """All arguments. Of an input that is written too the file may name the output or not."""
    written = [p for p in contract.parameters if p.is_written]
    apart = [p for p in written if p.role is Role.OUTPUT]
    if len(outputs) not in (len(written), len(apart)) or any(p.kind is not ParameterKind.TENSOR for p in apart):
        ours = ", ".join(p.name for p in written)
        raise Unbound(f"{len(outputs)} outputs do not fit those of {contract.api} ({ours})")
    parameters = written if len(outputs) == len(written) else apart
    made = {p.name: _output(one) for p, one in zip(parameters, outputs, strict=True) if p in apart}
    return {**bound.arguments, **made}


def _output(stated: Input) -> ArgumentSpec:
    return None if isinstance(stated.span, Omitted) else bound_tensor(stated)


def _like_the_first_input(contract: Contract, bound: Bound) -> dict[str, ArgumentSpec]:
    """All arguments of a call that is refused for what its inputs are."""
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
        raise Unbound(f"the document admits no such call on {wanted[0]}: {answers[wanted[0]][1]}")
    return Fitted(arguments, legal, bound.draws)


def _refused(contract: Contract, bound: Bound, arguments: _Arguments, wanted: Sequence[str]) -> Fitted:
    """Where some product's document refuses: what it says, on all products where the same is said."""
    expected = {name: _expected(contract, arguments, name) for name in wanted}
    known = {name: one for name, one in expected.items() if one is not None}
    if not known:
        raise Unbound("the file expects a failure, the document admits the call")
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
