"""What is right for a case, and what its outputs measure beside it: from the reference, or kept from an earlier run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec.structs import replace

from conformance.call import Call
from conformance.case import Case, Refusal, Success, Unspecified
from conformance.dtype import DType
from conformance.errors import BrokenReference
from conformance.golden import Golden, GoldenOutput, follow
from conformance.golden_checks import check_golden
from conformance.investigate import written
from conformance.kept_reference import KeptReference, Shelf, digest_of_outputs
from conformance.measure import measure
from conformance.metrics import Metrics, Probes
from conformance.outcome import Unsupported
from conformance.pieces import InPieces, Pair, is_in_pieces, pieces
from conformance.product import Product
from conformance.runner import Reference
from conformance.standard import ComparisonClass
from conformance.tensor import Array
from conformance.verdict import Measured

Benchmark = Mapping[str, Array] | None
_SMALL = 1 << 14
"""Bytes of an output up to which it is looked whether the benchmark is the same: measuring that takes longer."""


class Yardsticks:
    """Makes yardsticks of one session. ``make_call`` makes the call of a case as it was before it ran."""

    def __init__(
        self, reference: Reference, product: Product, seed: int, probes: Probes, make_call: Callable[[Case], Call]
    ) -> None:
        self.reference, self.probes, self.make_call = reference, probes, make_call
        self._product, self._seed = product, seed

    def of(self, case: Case, call: Call) -> Yardstick | Unsupported:
        """The yardstick of a call that is about to be made; raises BrokenReference."""
        if isinstance(case.expectation, Refusal) or not _may_succeed(case):
            return Yardstick(self, case, None, ({}, None))
        shelf = self._shelf(case)
        if is_in_pieces(case, call) or (shelf is not None and shelf.is_known):
            return Yardstick(self, case, shelf, None)
        answers = self.ask(case, call)
        if isinstance(answers, Unsupported):
            return answers
        if shelf is not None:
            shelf.keep(*answers)
        return Yardstick(self, case, shelf, answers)

    def ask(self, case: Case, call: Call) -> tuple[Golden, Benchmark] | Unsupported:
        """Golden and benchmark of a call as the reference gives them.

        Nothing where the document does not admit the call and its formula cannot be applied to it.
        """
        try:
            golden = self.reference.golden(call)
        except Exception as error:
            if isinstance(error, BrokenReference) and _is_beyond_the_document(case):
                return {}, None
            raise BrokenReference(f"the reference raised {type(error).__name__}: {error}") from error
        if isinstance(golden, Unsupported):
            return golden
        check_golden(case, golden, call)
        try:
            return golden, self.reference.benchmark(call) if golden else None
        except Exception as error:
            raise BrokenReference(f"the benchmark raised {type(error).__name__}: {error}") from error

    @cached_property
    def _probes_digest(self) -> bytes:
        return hashlib.sha256(repr(self.probes).encode()).digest()

    def _shelf(self, case: Case) -> Shelf | None:
        kept = self.reference
        if not isinstance(kept, KeptReference):
            return None
        return kept.shelf(case, self._product, self._seed, self._probes_digest)


class Yardstick:
    """Goldens and benchmark of one case, there from the start or found when they are needed.

    Of large calls of elementwise operators they are never all there: they are found and measured piece by piece.

    ``is_kept`` says whether outputs were judged by what an earlier run computed, without the reference.
    """

    def __init__(
        self, source: Yardsticks, case: Case, shelf: Shelf | None, answers: tuple[Golden, Benchmark] | None
    ) -> None:
        self._source, self._case, self._shelf, self._answers = source, case, shelf, answers
        self.is_kept = False

    @property
    def golden(self) -> Golden:
        """The goldens; raises BrokenReference or BrokenCase where they cannot be made now."""
        return self._found()[0]

    def measure(self, call: Call, inputs: Mapping[str, Array]) -> dict[str, Measured]:
        """What the outputs of the call measure; raises BrokenReference or BrokenCase."""
        if self._shelf is None:
            return self._measure(call, inputs)
        outputs = digest_of_outputs(call)
        measured = self._shelf.measured(outputs)
        if measured is None:
            measured = self._measure(call, inputs)
            self._shelf.keep_measured(outputs, measured)
        else:
            self.is_kept = self._answers is None
        return measured

    def _measure(self, call: Call, inputs: Mapping[str, Array]) -> dict[str, Measured]:
        pairs = None
        if self._answers is None and is_in_pieces(self._case, call):
            pairs = self._pairs_in_pieces(call, inputs)
        types = {name: tensor.dtype for name, tensor in call.tensors(written=True)}
        return {
            name: Measured(one, comparison_of(self._case, name, types[name]), second)
            for name, (one, second) in (pairs or self._pairs_at_once(call, inputs)).items()
        }

    def _pairs_in_pieces(self, call: Call, inputs: Mapping[str, Array]) -> dict[str, Pair] | None:
        """Metrics piece by piece; None where the answers of pieces are not those of the whole."""
        measured = InPieces(call, self._source.probes)
        for part, one in pieces(call, inputs):
            answers = self._source.ask(self._case, one)
            if isinstance(answers, Unsupported):
                raise BrokenReference(f"no golden: {answers.reason}")
            if not measured.add(part, *answers):
                return None
        if self._shelf is not None:
            self._shelf.keep_fitting()
        return measured.pairs(inputs)

    def _pairs_at_once(self, call: Call, inputs: Mapping[str, Array]) -> dict[str, Pair]:
        golden, benchmark = self._found()
        probes, pairs = self._source.probes, {}
        outputs = written(call)
        values, theirs = follow(golden, outputs), follow(golden, benchmark) if benchmark else {}
        for name, tensor in call.tensors(written=True):
            if name not in golden or tensor.numel == 0:
                continue
            output = outputs[name] if name in outputs else tensor.array()
            metrics = measure(values[name], output, tensor.dtype, probes, inputs)
            second = None
            if benchmark is not None and name in benchmark:
                one, other = theirs[name], benchmark[name]
                is_known = one is values[name] and _is_same(one, output, other)
                second = _without_inputs(metrics) if is_known else measure(one, other, tensor.dtype, probes)
            pairs[name] = metrics, second
        return pairs

    def _found(self) -> tuple[Golden, Benchmark]:
        """The answers: of the case's call made anew, since an implementation may have changed its inputs."""
        if self._answers is None:
            kept = self._shelf.answers() if self._shelf is not None else None
            self.is_kept = kept is not None
            self._answers = kept or self._asked_again()
        return self._answers

    def _asked_again(self) -> tuple[Golden, Benchmark]:
        answers = self._source.ask(self._case, self._source.make_call(self._case))
        if isinstance(answers, Unsupported):
            raise BrokenReference(f"no golden: {answers.reason}")
        return answers


def _is_same(golden: GoldenOutput, output: Array, benchmark: Array) -> bool:
    """Whether a small benchmark is the output bit for bit, and what it measures is a matter of its bits alone."""
    if output.nbytes > _SMALL or golden.alternatives or golden.law is not None:
        return False
    same_kind = output.dtype == benchmark.dtype and output.shape == benchmark.shape
    return same_kind and output.tobytes() == benchmark.tobytes()


def _without_inputs(metrics: Metrics) -> Metrics:
    """Metrics as they are where no inputs are given."""
    return metrics if metrics.worst is None else replace(metrics, worst=replace(metrics.worst, inputs={}))


def comparison_of(case: Case, name: str, dtype: DType) -> ComparisonClass:
    """How closely an output of a case must match: as its contract says, unless the type has it rounded to integers."""
    declared = case.contract.outputs[name.partition(".")[0]]
    real = dtype.is_float or dtype.name.startswith("complex")
    kept = real or declared in (ComparisonClass.EXACT, ComparisonClass.QUANTISED)
    return declared if kept else ComparisonClass.INTEGER


def _may_succeed(case: Case) -> bool:
    expectation = case.expectation
    if isinstance(expectation, Unspecified):
        answers = (expectation.document, expectation.implementation)
        if not any(isinstance(answer, Success) for answer in answers):
            return False
    return not case.nulls and all(a is not None or _optional(case, n) for n, a in case.arguments.items())


def _is_beyond_the_document(case: Case) -> bool:
    """Whether only the implementation is known to take the call."""
    return isinstance(case.expectation, Unspecified) and not isinstance(case.expectation.document, Success)


def _optional(case: Case, name: str) -> bool:
    return case.contract.parameter(name).optional
