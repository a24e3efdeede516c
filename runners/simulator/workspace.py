"""The workspace: named regions, each starting at a multiple of 512 bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from conformance.tensor import Array, Memory
from runners.simulator.kernel import Spec

ALIGNMENT = 512
"""Bytes; every region starts and the workspace ends at a multiple of it."""


class Region(NamedTuple):
    """Where a dense tensor lies in the workspace: offset in bytes, shape and dtype."""

    offset: int
    spec: Spec


@dataclass(frozen=True, slots=True)
class Workspace:
    """Regions by name and the bytes they take together."""

    regions: Mapping[str, Region]
    size: int

    def bind(self, memory: Memory) -> dict[str, Array]:
        """Region name → writable array over the memory; raises ValueError when the memory is too small."""
        return {name: _array(memory, region) for name, region in self.regions.items()}


def plan_workspace(specs: Mapping[str, Spec]) -> Workspace:
    """Workspace with one region a spec, in the order given."""
    regions: dict[str, Region] = {}
    offset = 0
    for name, spec in specs.items():
        regions[name] = Region(offset, spec)
        offset += -(-spec.nbytes // ALIGNMENT) * ALIGNMENT
    return Workspace(regions, offset)


def _array(memory: Memory, region: Region) -> Array:
    offset, spec = region
    chunk = memory.payload[offset : offset + spec.nbytes]
    if len(chunk) < spec.nbytes:
        raise ValueError(f"workspace of {len(memory.payload)} bytes ends inside the region at {offset}")
    if spec.dtype.codes is not None:
        return chunk.reshape(spec.shape)
    assert spec.dtype.numpy is not None
    return chunk.view(spec.dtype.numpy).reshape(spec.shape)
