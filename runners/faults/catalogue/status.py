"""Faults in host checks: a missing check, another status or order, a refusal of what is legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace

from conformance.call import Action, Attribute, Call, Scalar
from conformance.outcome import StepResult
from conformance.status import CODES, SUCCESS
from conformance.tensor import Tensor
from runners.faults.contracts import (
    Answering,
    Refusing,
    TooLate,
    Workspace,
    checking,
    empty_exit_after,
    empty_exit_first,
    giving,
    null_pointers_last,
    without,
)
from runners.faults.fault import EASY, MEDIUM, OURS, Fault, FaultClass
from runners.faults.kernels import Build
from runners.faults.views import is_strided, tensors_read
from runners.faults.where import both, broadcasts, declares, has_axis, has_rule, has_slopes, has_threshold, only

_fault = partial(Fault, FaultClass.STATUS)
_NULL, _INVALID = CODES["PARAM_NULLPTR"], CODES["PARAM_INVALID"]
_TYPES = ("dtype_in", "dtype_not_in")
_SHAPES = ("same_shape", "broadcast_result", "broadcast_numel", "broadcasts_to", "channel_weight")


def _tensors(call: Call, *, written: bool | None = None) -> Iterator[Tensor]:
    for side in (False, True):
        if written in (None, side):
            yield from (tensor for _, tensor in call.tensors(written=side))


def _refusing(refuses: Callable[[Call], bool], status: str = "PARAM_INVALID") -> Build:
    return lambda: Refusing(refuses, status)


def _any(holds: Callable[[Tensor], bool], *, written: bool | None = None) -> Callable[[Call], bool]:
    return lambda call: any(holds(tensor) for tensor in _tensors(call, written=written))


def _scalar(holds: Callable[[float], bool]) -> Callable[[Call], bool]:
    return lambda call: any(
        isinstance(given, Scalar) and isinstance(given.value, int | float) and holds(given.value)
        for given in call.arguments.values()
    )


def _negative_axis(call: Call) -> bool:
    return any(isinstance(g, Attribute) and isinstance(g.value, int) and g.value < 0 for g in call.arguments.values())


def _broadcast(call: Call) -> bool:
    shapes = {t.shape for name, t in (*call.tensors(written=False), *call.updated()) if name != "weight"}
    return len(shapes) > 1


def _amending(amend: Callable[[Call, StepResult], StepResult]) -> Build:
    return lambda: Answering(amend)


def _silent(call: Call, result: StepResult) -> StepResult:
    return replace(result, message="")


def _null_executor_is_fine(call: Call, result: StepResult) -> StepResult:
    return replace(result, status=SUCCESS) if "executor" in result.step.nulls and _is_run(result) else result


def _empty_run_fails(call: Call, result: StepResult) -> StepResult:
    empty = not any(tensor.numel for tensor in _tensors(call))
    return replace(result, status=CODES["INNER"]) if empty and _is_run(result) and not result.step.nulls else result


def _is_run(result: StepResult) -> bool:
    return result.step.action is Action.RUN


def _repeatable_refused(call: Call, result: StepResult) -> StepResult:
    return replace(result, status=CODES["INNER"]) if result.step.action is Action.REPEATABLE else result


FAULTS = (
    _fault("null_gives_161002", EASY, "null pointers give 161002", "ops-nn@defaa3f97", giving(_INVALID, ["not_null"])),
    _fault(
        "invalid_gives_161001", EASY, "illegal arguments give 161001", "candle known issues",
        giving(_NULL, instead_of=_INVALID),
    ),
    _fault(
        "types_give_561103", EASY, "a type that is not taken gives 561103", "ops-nn@ec94ed06b",
        giving(CODES["INNER_NULLPTR"], _TYPES),
    ),
    _fault(
        "ranks_give_561002", EASY, "too many dimensions give the tiling error 561002", "ops-nn@ec94ed06b",
        giving(CODES["INNER_TILING_ERROR"], ["rank"]), has_rule("rank"),
    ),
    _fault(
        "shapes_give_561001", EASY, "shapes that do not fit give the inference error 561001", "ops-nn@ec94ed06b",
        giving(CODES["INNER_INFERSHAPE_ERROR"], _SHAPES), has_rule(*_SHAPES),
    ),
    _fault("every_refusal_gives_1", EASY, "refusals give 1, which is no status of aclnn", OURS, giving(1)),
    _fault("types_unchecked", EASY, "types are not checked", "ops-nn@8884ccc6b", without(*_TYPES)),
    _fault(
        "equal_types_unchecked", EASY, "types that must be equal may differ", "ops-nn@8884ccc6b", without("same_dtype"),
        has_rule("same_dtype"),
    ),
    _fault(
        "promotion_unchecked", EASY, "types that have no common type are taken", OURS, without("promotes", *_TYPES),
        only("aclnnPrelu", "aclnnGeluBackward", "aclnnGeluBackwardV2"),
    ),
    _fault("ranks_unchecked", EASY, "nine dimensions are taken", "ops-nn@8a9fc1f60", without("rank"), has_rule("rank")),
    _fault(
        "shapes_unchecked", EASY, "shapes that must be equal may differ", OURS, without("same_shape"),
        has_rule("same_shape"),
    ),
    _fault(
        "broadcast_unchecked", EASY, "shapes that do not broadcast are taken", OURS,
        without("broadcast_result", "broadcast_numel", "broadcasts_to"), broadcasts,
    ),
    _fault("slopes_unchecked", EASY, "any number of slopes is taken", OURS, without("channel_weight"), has_slopes),
    _fault(
        "axis_unchecked", EASY, "an axis that the tensor does not have is taken", OURS, without("axis_range"), has_axis,
    ),
    _fault("nulls_unchecked", EASY, "null pointers are not checked", "ops-nn@4c8b12ff9", without("not_null")),
    _fault(
        "empty_before_nulls", MEDIUM, "empty tensors end the call before null pointers are looked at",
        "ops-nn@87583b6ff", checking(empty_exit_first),
    ),
    _fault(
        "empty_before_types", MEDIUM, "empty tensors end the call before types are looked at", "ops-nn@87583b6ff",
        checking(empty_exit_after("not_null")), declares("empty/*"),
    ),
    _fault(
        "empty_before_shapes", MEDIUM, "empty tensors end the call before shapes are looked at", "ops-nn@87583b6ff",
        checking(empty_exit_after(*_TYPES, "not_null")), both(declares("empty/*"), has_rule(*_SHAPES)),
    ),
    _fault(
        "nulls_checked_last", MEDIUM, "null pointers are looked at after everything else", OURS,
        checking(null_pointers_last),
    ),
    _fault("refused_in_phase_2", EASY, "what phase 1 should refuse is refused in phase 2", OURS, TooLate),
    _fault("message_missing", MEDIUM, "a refusal leaves no text", OURS, _amending(_silent)),
    _fault(
        "null_executor_taken", MEDIUM, "phase 2 with a null executor succeeds", OURS, _amending(_null_executor_is_fine),
    ),
    _fault(
        "empty_run_fails", MEDIUM, "phase 2 of an empty call fails", "ops-nn@3b45e0376", _amending(_empty_run_fails),
        declares("empty/*"),
    ),
    _fault("repeatable_refused", MEDIUM, "an executor cannot be made repeatable", OURS, _amending(_repeatable_refused)),
    _fault(
        "workspace_for_nothing", EASY, "an empty call asks for a workspace", OURS,
        lambda: Workspace(lambda size: size or 512), declares("empty/*"),
    ),
    _fault(
        "eight_dimensions_refused", EASY, "eight dimensions are refused", "ops-nn@8a9fc1f60",
        _refusing(_any(lambda t: len(t.shape) == 8)), declares("rank/*/8"),
    ),
    _fault(
        "numbers_refused", EASY, "0-dim tensors are refused", "ops-nn@36a79ee4b, paddle#49959",
        _refusing(_any(lambda t: not t.shape)), declares("rank/*/0"),
    ),
    _fault(
        "vectors_refused", EASY, "1-dim inputs are refused", "ops-nn@22b4d3351",
        _refusing(lambda c: all(len(t.shape) == 1 for t in _tensors(c))), declares("rank/*/1"),
    ),
    _fault(
        "empty_refused", EASY, "empty tensors are refused", "ops-nn@76a48cd61", _refusing(_any(lambda t: not t.numel)),
        declares("empty/*"),
    ),
    _fault(
        "threshold_zero_refused", EASY, "a threshold of 0 is refused", "op-plugin@a3c376b0",
        _refusing(_scalar(lambda value: value == 0)), has_threshold,
    ),
    _fault(
        "negative_threshold_refused", EASY, "a negative threshold is refused", "op-plugin@a3c376b0",
        _refusing(_scalar(lambda value: value < 0)), has_threshold,
    ),
    _fault("negative_axis_refused", EASY, "a negative axis is refused", OURS, _refusing(_negative_axis), has_axis),
    _fault(
        "strided_inputs_refused", EASY, "strided inputs are refused", "candle@3b9879f",
        _refusing(lambda call: any(map(is_strided, tensors_read(call).values()))),
    ),
    _fault(
        "strided_outputs_refused", EASY, "strided outputs are refused", "ops-nn@c74271a4c",
        _refusing(_any(is_strided, written=True)),
    ),
    _fault(
        "odd_offsets_refused", MEDIUM, "a tensor that does not begin at a multiple of 32 bytes is refused", OURS,
        _refusing(_any(lambda t: t.offset * t.dtype.itemsize % 32 != 0)),
    ),
    _fault(
        "large_tensors_refused", MEDIUM, "more than 2^19 elements give the tiling error 561002", "ops-nn@e44955494",
        _refusing(_any(lambda t: t.numel > 1 << 19), "INNER_TILING_ERROR"),
    ),
    _fault(
        "float16_refused", EASY, "float16 gives 561003: its kernel was not packed", "vllm-ascend#237",
        _refusing(_any(lambda t: t.dtype.name == "float16"), "INNER_FIND_KERNEL_ERROR"),
        declares("dtype/*/float16/{product}"),
    ),
    _fault(
        "legal_broadcast_refused", EASY, "inputs of different shapes are refused", "ops-nn@f98f04ca8",
        _refusing(_broadcast), broadcasts, ("ascend910b", "ascend950"),
    ),
    _fault(
        "one_slope_refused", EASY, "a single slope for several channels is refused", OURS,
        _refusing(lambda c: any(name == "weight" and t.numel == 1 for name, t in c.tensors(written=False))), has_slopes,
    ),
)  # fmt: skip
"""Faults of this class."""
