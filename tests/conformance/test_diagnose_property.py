"""A diagnosis is given for any wrong output, whatever it holds."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.diagnose import diagnose
from conformance.dtype import DTYPES
from conformance.evidence import Evidence
from conformance.golden import GoldenOutput
from conformance.measure import measure

NUMBERS = st.sampled_from([0.0, -0.0, 1.0, -2.5, 1e-45, 3e38, np.inf, -np.inf, np.nan, 65520.0, 0.1])
SHAPES = st.sampled_from([(), (1,), (5,), (2, 3), (4, 1, 2), (2, 2, 2, 3, 2)])
TYPES = st.sampled_from(["float32", "float16", "bfloat16", "float64"])


@settings(max_examples=150, deadline=None)
@given(SHAPES, TYPES, st.booleans(), st.booleans(), st.data())
def test_any_output_has_a_diagnosis_or_is_right(shape, dtype, exact, with_terms, data):
    def draw():
        size = int(np.prod(shape))
        return np.array(data.draw(st.lists(NUMBERS, min_size=size, max_size=size))).reshape(shape)

    golden, output, x = draw(), draw(), draw()
    with np.errstate(all="ignore"):
        output, x = output.astype(DTYPES[dtype].numpy), x.astype(np.float32)
    terms = np.abs(draw()) if with_terms else None
    evidence = Evidence(
        GoldenOutput(golden, terms=terms), output, DTYPES[dtype], exact, {"x": x}, (1,) * len(shape), 2, {"a": 0.1}
    )
    diagnosis = diagnose(evidence)
    different = measure(evidence.golden, output, DTYPES[dtype]).bit_different
    assert with_terms or (diagnosis is None) is (different == 0)
    assert diagnosis is None or f" of {golden.size} " in diagnosis.text
