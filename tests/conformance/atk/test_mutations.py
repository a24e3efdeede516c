"""Whatever is done to a sample, reading it gives cases and readable problems, never a crash."""

import copy
import json

from atk_samples import attribute, case, tensor, write_atk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.errors import InvalidData
from conformance.foreign.outlook import UNREADABLE
from conformance.foreign_files import cases_and_problems
from conformance.survey import survey

SAMPLES = [
    case(0, tensor()),
    case(
        1,
        tensor("gradOutput", dtype="fp16"),
        tensor(values={"name": "nd", "mean": [0, 1], "std": [1, 2]}),
        api="SiluBackward",
    ),
    case(2, tensor(), attribute("slope", [0, 1], "fp32", "scalar"), api="LeakyRelu"),
    case(3, tensor(), attribute("dim", -1, "int64_t"), attribute("format", "NCL", "non_param"), api="Softmax"),
    case(4, [tensor(type="tensors"), tensor(type="tensors")], attribute("alpha", "default", "fp32", "scalar")),
]
WORDS = ["inf", "nan", "default", "(0, 1]", "[1, 2, 3]", "", "tensor", "attr", "attrs", "int64_t", "fp16", "Silu", "☃"]
NUMBERS = st.one_of(st.integers(-(10**30), 10**30), st.floats(), st.booleans(), st.none(), st.sampled_from(WORDS))
VALUES = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["name", "mean", "std", "acc", "type", "shape"]), inner, max_size=3),
    ),
    max_leaves=6,
)


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


@st.composite
def mutated(draw, samples=SAMPLES):
    """One sample with a few values replaced or removed."""
    written = [copy.deepcopy(draw(st.sampled_from(samples)))]
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from([path for path in places(written) if path]))
        holder = written
        for key in way:
            holder = holder[key]
        if isinstance(holder, dict) and draw(st.booleans()):
            del holder[last]
        else:
            holder[last] = draw(VALUES)
    return written


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutated())
def test_a_mutated_sample_is_a_case_or_a_readable_problem(tmp_path, written):
    path = write_atk(tmp_path)
    path.write_text(json.dumps(written))
    try:
        cases, problems = cases_and_problems(path)
    except InvalidData as error:
        cases, problems = [], error.problems
    assert len(cases) + len(problems) == 1
    assert all(problem.what and "Error" not in problem.what for problem in problems)
    found = survey([path])
    assert bool(found.outcomes[UNREADABLE] + len(found.problems)) == bool(problems)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_file_that_is_cut_or_has_other_bytes_is_read_or_refused(tmp_path, data):
    path = write_atk(tmp_path, *SAMPLES)
    whole = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = (
        whole[:at] if data.draw(st.booleans()) else whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + 1 :]
    )
    path.write_bytes(changed)
    try:
        cases, problems = cases_and_problems(path)
    except InvalidData as error:
        cases, problems = [], error.problems
    assert cases or problems
