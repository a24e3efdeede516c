"""Facets of the closed set, which are pytest markers too."""

from __future__ import annotations

from conformance.dtype_words import WORDS
from conformance.status import CODES

MARKERS: dict[str, str] = {
    "noncontiguous": "some tensor is not dense in row-major order from offset 0",
    "empty": "some tensor has no elements",
    "broadcast": "shapes are broadcast, or the file is about that",
    "special": "NaN, infinities, signed zeros, subnormals or extremes",
    "boundary": "values at a threshold and one rounding step beside it",
    "refusal": "the call must be refused",
    "nullptr": "some pointer is null",
    "unspecified": "document and implementation disagree, or the document is silent",
    "protocol": "about the two-phase protocol",
    "alias": "an output is an input",
    "sequence": "other calls are made just before it, in the same process",
    "moved": "tensors move to other addresses between two runs",
    "streams": "phase 2 on a second stream of the caller",
    "repeated": "made several times with the same data, and must answer the same",
    "small": "largest tensor below 2^10 elements",
    "medium": "largest tensor below 2^20 elements",
    "large": "largest tensor from 2^20 elements",
    **{word: f"some tensor is of {name}" for name, word in WORDS.items()},
    **{f"rank{rank}": f"some tensor has {rank} dimensions" for rank in range(10)},
    **{f"status_{code}": f"expects status {code}" for code in CODES.values() if code},
}
"""Facets of the closed set, which are pytest markers too; API, family and file words are keywords only."""
