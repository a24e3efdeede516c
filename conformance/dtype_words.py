"""Words of element types in ids, facets and markers; ``dtype`` is the table of everything else about them."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "float32": "fp32",
    "float16": "fp16",
    "int8": "int8",
    "int32": "int32",
    "uint8": "uint8",
    "int16": "int16",
    "uint16": "uint16",
    "uint32": "uint32",
    "int64": "int64",
    "uint64": "uint64",
    "float64": "fp64",
    "bool": "bool",
    "complex64": "complex64",
    "complex128": "complex128",
    "bfloat16": "bf16",
    "int4": "int4",
    "complex32": "complex32",
    "hifloat8": "hif8",
    "float8_e5m2": "fp8_e5m2",
    "float8_e4m3fn": "fp8_e4m3fn",
    "float8_e8m0": "fp8_e8m0",
    "float4_e2m1": "fp4_e2m1",
    "float4_e1m2": "fp4_e1m2",
}
"""By the name of the type."""
