"""Faults of random outputs: draws that are none, draws from another distribution, seeds that do not count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from conformance.contract import Contract
from conformance.standard import ComparisonClass
from conformance.tensor import Array
from runners.faults.fault import EASY, HARD, MEDIUM, OURS, Fault, FaultClass
from runners.faults.kernels import Build, Compute, patched, with_unit
from runners.faults.where import has_output
from runners.simulator.kernel import KernelCall
from runners.simulator.vector_unit import VectorUnit

_fault = partial(Fault, FaultClass.RANDOM, applies=has_output(ComparisonClass.RANDOM))
_LOW_WORD = (1 << 32) - 1
_CORES = 40


class _Drawing(VectorUnit):
    """A unit whose generator is asked otherwise, or whose draws from [0, 1) become others."""

    def __init__(self, ask: Callable[[int, int, int], tuple[int, int, int]], change: Callable[[Array], Array]) -> None:
        self._ask, self._change = ask, change

    def uniform(self, seed: int, offset: int, count: int) -> Array:
        """As many numbers as asked for."""
        seed, offset, drawn = self._ask(seed, offset, count)
        repeated: Array = np.resize(self._change(super().uniform(seed, offset, drawn)), count)
        return repeated


def _asked(ask: Callable[[int, int, int], tuple[int, int, int]]) -> Build:
    """Another seed, offset or number of draws, which are then repeated."""
    return with_unit(lambda dtype: _Drawing(ask, lambda draws: draws))


def _drawn(change: Callable[[Array], Array]) -> Build:
    """Other draws."""
    return with_unit(lambda dtype: _Drawing(lambda *asked: asked, change))


def _normal(draws: Array) -> Array:
    """Normal around the middle, a sixth of the range wide, cut off at its ends."""
    pairs = np.maximum(draws, np.float32(1e-7)), np.roll(draws, 1)
    bell = np.sqrt(-2 * np.log(pairs[0])) * np.cos(2 * np.pi * pairs[1])
    normal: Array = np.clip(0.5 + bell / 6, 0, 1).astype(np.float32)
    return normal


def _one_too_large(draws: Array) -> Array:
    draws[len(draws) // 2] = np.float32(1.02)
    return draws


def _random(contract: Contract) -> list[str]:
    return [name for name, kind in contract.outputs.items() if kind is ComparisonClass.RANDOM]


def _differently(change: Callable[[str, Array, KernelCall], Array | None]) -> Build:
    """Random outputs become what ``change`` makes of them, after all else was computed; None leaves one unwritten."""

    def patch(sound: Compute, call: KernelCall, contract: Contract) -> Mapping[str, Array]:
        results = dict(sound(call))
        for name in _random(contract):
            if name in results:
                changed = change(name, np.array(results.pop(name)), call)
                results.update({} if changed is None else {name: changed})
        return results

    return patched(patch)


def _drawn_apart(sound: Compute, call: KernelCall, contract: Contract) -> Mapping[str, Array]:
    """Random outputs of one generator, the others of another."""
    seed = call.attributes["seed"]
    assert isinstance(seed, int)
    other = sound(replace(call, attributes={**call.attributes, "seed": seed + 1}))
    return {**sound(call), **{name: other[name] for name in _random(contract) if name in other}}


def _nothing(name: str, values: Array, call: KernelCall) -> None:
    """What leaves an output unwritten."""


def _drawn_everywhere(name: str, values: Array, call: KernelCall) -> Array:
    """The smallest draw stands wherever 1 is due."""
    values[values == 1] = values.reshape(-1)[np.argmin(values)]
    return values


def _in_training(sound: Compute, call: KernelCall, contract: Contract) -> Mapping[str, Array]:
    return sound(replace(call, attributes={**call.attributes, "training": True}))


def _filled_in_evaluation(sound: Compute, call: KernelCall, contract: Contract) -> Mapping[str, Array]:
    ones = {name: np.ones_like(call.inputs[name]) for name in _random(contract)}
    return {**ones, **sound(call)}


def _scaled(factor: float) -> Build:
    return _drawn(lambda draws: draws * draws.dtype.type(factor))


def _middle(draws: Array) -> Array:
    return np.full_like(draws, 0.5)


def _four_bits(draws: Array) -> Array:
    return np.asarray(np.floor(draws * 16) / draws.dtype.type(16))


FAULTS = (
    _fault("draws_constant", EASY, "every draw is the middle of the range", OURS, _drawn(_middle)),
    _fault("draws_from_half_the_range", EASY, "no draw lies in the upper half", OURS, _scaled(0.5)),
    _fault("draws_miss_a_tenth", MEDIUM, "no draw lies in the uppermost tenth", OURS, _scaled(0.9)),
    _fault("draws_miss_a_fortieth", HARD, "no draw lies in the uppermost fortieth", OURS, _scaled(0.975)),
    _fault("draws_normal", EASY, "draws are normal in place of uniform", OURS, _drawn(_normal)),
    _fault("draws_squared", MEDIUM, "small draws are more frequent than large ones", OURS, _drawn(lambda u: u * u)),
    _fault("draws_of_four_bits", MEDIUM, "there are sixteen different draws", OURS, _drawn(_four_bits)),
    _fault("draws_sorted", HARD, "draws come in ascending order", OURS, _drawn(np.sort)),
    _fault("one_draw_out_of_range", MEDIUM, "one draw lies above the range", OURS, _drawn(_one_too_large)),
    _fault(
        "draws_repeat_every_block", MEDIUM, "every block of 256 elements gets the same draws", OURS,
        _asked(lambda seed, offset, count: (seed, offset, min(256, count))),
    ),
    _fault(
        "draws_repeat_on_every_core", HARD, "every core begins with the same draws", OURS,
        _asked(lambda seed, offset, count: (seed, offset, -(-count // _CORES) if count > 1024 else count)),
    ),
    _fault(
        "seed_ignored", EASY, "every seed gives the same draws", OURS,
        _asked(lambda seed, offset, count: (0, offset, count)),
    ),
    _fault(
        "seed_cut_to_32_bits", MEDIUM, "the upper half of a seed counts for nothing", OURS,
        _asked(lambda seed, offset, count: (seed & _LOW_WORD, offset, count)),
    ),
    _fault(
        "random_offset_ignored", EASY, "every offset gives the same draws", OURS,
        _asked(lambda seed, offset, count: (seed, 0, count)),
    ),
    _fault(
        "random_offset_cut_to_32_bits", MEDIUM, "the upper half of an offset counts for nothing", OURS,
        _asked(lambda seed, offset, count: (seed, offset & _LOW_WORD, count)),
    ),
    _fault("noise_not_written", EASY, "the draws are used and not written", OURS, _differently(_nothing)),
    _fault("noise_not_what_was_used", EASY, "what is written is drawn anew", OURS, patched(_drawn_apart)),
    _fault("noise_where_none_is_due", EASY, "a draw stands where 1 is due", OURS, _differently(_drawn_everywhere)),
    _fault("random_in_evaluation", EASY, "draws are made without training too", OURS, patched(_in_training)),
    _fault(
        "noise_filled_in_evaluation", MEDIUM, "without training noise becomes 1", OURS, patched(_filled_in_evaluation),
    ),
)  # fmt: skip
"""Faults of this class."""
