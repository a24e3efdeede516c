"""Ways to misread a call's tensors: its strided inputs without their strides or their offset."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from conformance.call import Call
from conformance.patterns import Finding, Pattern
from conformance.tensor import Tensor, contiguous_strides

_MOST_ELEMENTS = 1 << 20
"""Calls with larger tensors are not computed again for a diagnosis."""

_MISTAKES = (
    (Pattern.INPUT_STRIDES_IGNORED, "its strides", True, False),
    (Pattern.INPUT_OFFSET_IGNORED, "its offset", False, True),
    (Pattern.INPUT_LAYOUT_IGNORED, "its strides and offset", True, True),
)


def misread(call: Call) -> Iterator[tuple[Finding, Call]]:
    """The call as it would be if one of its inputs, or all alike, were read without strides, offset or both."""
    written = {id(tensor.memory) for _, tensor in call.tensors(written=True)}
    inputs = {name: one for name, one in call.tensors(written=False) if id(one.memory) not in written}
    if any(tensor.numel > _MOST_ELEMENTS for tensor in inputs.values()):
        return
    for pattern, what, no_strides, no_offset in _MISTAKES:
        changed = {
            name: other
            for name, tensor in inputs.items()
            if (other := _read(tensor, no_strides, no_offset)) is not None and name in call.arguments
        }
        if len(changed) > 1:
            whose = what.replace("its", "their")
            yield Finding(pattern, f"as if {_all(changed)} were read without {whose}"), _with(call, changed)
        for name, other in changed.items():
            yield Finding(pattern, f"as if {name} were read without {what}"), _with(call, {name: other})


def _read(tensor: Tensor, no_strides: bool, no_offset: bool) -> Tensor | None:
    """The tensor read so; None where that is no mistake, or would leave its storage."""
    dense = contiguous_strides(tensor.shape)
    strides_matter, offset_matters = tensor.strides != dense, tensor.offset != 0
    if no_strides > strides_matter or no_offset > offset_matters or not tensor.numel or tensor.dtype.numpy is None:
        return None
    offset = 0 if no_offset else tensor.offset
    if no_strides and (offset + tensor.numel) * tensor.dtype.itemsize > len(tensor.memory.payload):
        return None
    return structs.replace(tensor, strides=dense if no_strides else tensor.strides, offset=offset)


def _with(call: Call, changed: dict[str, Tensor]) -> Call:
    return structs.replace(call, arguments={**call.arguments, **changed})


def _all(names: dict[str, Tensor]) -> str:
    *some, last = names
    return f"{', '.join(some)} and {last}"
