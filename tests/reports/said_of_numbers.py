"""What the suite says of numbers, said by its own code: judgements by every standard, and diagnoses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import ml_dtypes
import numpy as np
from msgspec import structs

from conformance.diagnose import diagnose
from conformance.dtype import DTYPES
from conformance.evidence import Evidence
from conformance.golden import GoldenOutput
from conformance.law import Law, Uniform
from conformance.load import load_standards
from conformance.measure import measure
from conformance.metrics import NO_PROBES, DTypeProbes, Probes
from conformance.patterns import Finding, Pattern
from conformance.standard import ComparisonClass, probes_of
from conformance.verdict import Measured

F32, STANDARDS = DTYPES["float32"], load_standards()
STRICT, UNWRITTEN = STANDARDS["strict"], np.frombuffer(b"\xa5" * 4, np.float32)[0]


def measured_flat(value, dtype=F32, **more):
    array = np.full(4, value, dtype.numpy)
    golden = GoldenOutput(array.astype(np.complex128 if dtype.name.startswith("complex") else np.float64), **more)
    metrics = measure(golden, array, dtype, probes_of(STANDARDS.values()))
    return {"y": Measured(metrics, ComparisonClass.ARITHMETIC)}


def of_standards() -> Iterator[str]:
    """Every standard on right, wrong, flushed and random outputs of every class, measured for it or not."""
    goldens = np.concatenate([np.linspace(0.5, 1.9, 195), [1e-3, 1e-5, 1e-5, 1e-7, 1e-40]])
    asked, unasked = probes_of(STANDARDS.values()), Probes({"float32": DTypeProbes(slacks=())})
    one, small = np.arange(200) == 7, goldens < 1e-4
    wrong = [goldens, goldens * 1.5, goldens * (1 + 1e-3), goldens * np.nan, np.where(one, 9, goldens)]
    wrong += [np.where(small, 2 * goldens, goldens), np.where(goldens < 1e-30, 0, goldens)]
    more = [{}, {"terms": np.ones(200), "term_count": 3}, {"flushing": (np.where(goldens < 1e-30, 0, goldens),)}]
    for output, rest, dtype in product(wrong, more, (F32, DTYPES["float16"])):
        golden, got = GoldenOutput(goldens, **rest), output.astype(dtype.numpy)
        right = measure(golden, goldens.astype(dtype.numpy), dtype, asked)
        for probes, comparison in product((asked, unasked), ComparisonClass):
            metrics = measure(golden, got, dtype, probes)
            yield from (standard.judge(metrics, comparison).reason for standard in STANDARDS.values())
            yield from (standard.judge(metrics, comparison, right).reason for standard in STANDARDS.values())
    for rest in ({}, {"terms": np.ones(4), "term_count": 3}):
        metrics = measured_flat(1, DTYPES["complex64"], **rest)["y"].metrics
        yield from (STRICT.judge(metrics, comparison).reason for comparison in ComparisonClass)
    for factor, probes in product((0.9, 1.1, 1), (asked, unasked)):
        metrics = measure(*draws_of(factor), F32, probes)
        yield from (standard.judge(metrics, ComparisonClass.RANDOM).reason for standard in STANDARDS.values())
    nothing = measure(GoldenOutput(np.zeros(0)), np.zeros(0, np.float32), F32, NO_PROBES)
    yield STRICT.judge(nothing, ComparisonClass.EXACT).reason
    yield STRICT.judge(structs.replace(nothing, count=4, mixed_readings=2), ComparisonClass.EXACT).reason


def draws_of(factor):
    drawn = np.ones(4096, np.bool_)
    noise = np.random.default_rng(0).uniform(0, 1, 4096)
    return GoldenOutput(noise, law=Law(Uniform(0.0, 1.0), drawn, ~drawn)), (noise * factor).astype(np.float32)


def of_diagnoses() -> Iterator[str]:
    """Outputs that show each pattern, and the titles of all."""
    yield from (pattern.title for pattern in Pattern)
    golden = np.random.default_rng(0).uniform(1, 2, (16, 25))
    right = golden.astype(np.float32)
    flat = np.arange(400).reshape(16, 25)
    places = [flat == 399, flat == 30, flat >= 384, flat >= 392, flat >= 390, flat < 10, flat < 50, flat % 25 == 24]
    places += [(flat >= 33) & (flat < 44), flat % 8 == 3, flat % 16 >= 12]
    places += [flat % 397 % 89 == 5, flat % 7 % 3 == 1, flat % 3 > 0]
    yield from (diagnosed(np.where(place, 9, right), golden) for place in places)
    yield diagnosed(np.where(flat >= 384, UNWRITTEN, right), golden)
    contents = [0 * right, np.nan * right, np.inf * right, -right, right * np.float32(1.25), right + flat + 1]
    contents += [np.nextafter(right, np.float32(0)), np.nextafter(right, np.float32(9))]
    contents += [(right.view(np.int32) + 3).view(np.float32), golden.astype(ml_dtypes.bfloat16)]
    contents += [right.T.reshape(16, 25)]
    contents += [np.roll(right.reshape(-1), shift).reshape(16, 25) for shift in (3, -1)]
    yield from (diagnosed(output, golden) for output in contents)
    mixed = np.where(flat % 2, right, -right)
    yield from (diagnosed(np.nextafter(mixed, np.float32(to)), mixed.astype(np.float64)) for to in (9, -9))
    yield diagnosed(right.reshape(4, 4, 25).transpose(1, 2, 0).reshape(4, 4, 25), golden.reshape(4, 4, 25))
    yield diagnosed(right.reshape(-1)[:1] * 9, golden.reshape(-1)[:1])
    yield diagnosed(np.where(np.arange(30) < 24, right.reshape(-1)[:30], 9), golden.reshape(-1)[:30])
    for want, got in ((1e-40, 0), (np.nan, 0), (np.nan, 5), (np.inf, 5)):
        yield diagnosed(np.array([got, got, 3, 4]), np.array([want, want, 3.0, 4]))
    yield from of_special_inputs()
    yield from of_layouts()


def diagnosed(output, want, **rest) -> str:
    return diagnose(Evidence(GoldenOutput(want), np.ascontiguousarray(output, np.float32), F32, **rest)).text


def of_special_inputs() -> Iterator[str]:
    want, got = np.arange(1.0, 9.0), np.arange(1, 9, dtype=np.float32)
    got[[1, 4]] += [7, 8.5]
    for value in (np.nan, np.inf, 0, 1e-40, 0.5):
        x = np.array([1, value, 2, 3, value, 5, 6, 7], np.float32)
        yield diagnosed(got, want, inputs={"x": x}, thresholds={"lambd": 0.5})
    for value in (np.nan, np.inf, 0):
        one, two = np.ones(8, np.float32), np.ones(8, np.float32)
        one[1] = two[4] = value
        yield diagnosed(got, want, inputs={"x": one, "y": two})
    x = np.random.default_rng(2).uniform(-1, 1, 400).astype(np.float32)
    right = np.random.default_rng(0).uniform(1, 2, 400)
    yield from (diagnosed(np.where(x * sign < 0, right * 2, right), right, inputs={"x": x}) for sign in (1, -1))
    yield diagnosed(x, right, inputs={"x": x})


def of_layouts() -> Iterator[str]:
    golden = np.random.default_rng(5).uniform(1, 2, 50).astype(np.float32)
    other = np.random.default_rng(6).uniform(1, 2, 50).astype(np.float32)
    reading = Finding(Pattern.INPUT_STRIDES_IGNORED, "as if x were read without its strides")
    for values, offset, start, step in product((golden, other), (4, 1), (0, 1), (1, 2)):
        storage = np.full(128, UNWRITTEN)
        storage[start : start + 50 * step : step] = values
        output = storage[offset : offset + 100 : 2].copy()
        evidence = Evidence(GoldenOutput(golden.astype(np.float64)), output, F32, strides=(2,), offset=offset)
        found = diagnose(evidence, [(reading, GoldenOutput(other.astype(np.float64)))])
        yield found.text if found else ""
