"""Tables and lists that are changed anywhere: a case or a readable problem, and a case makes a call or says why not."""

import csv
import json
from contextlib import suppress
from copy import deepcopy

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.errors import BrokenCase, InvalidData
from conformance.foreign.outlook import UNREADABLE
from conformance.foreign_files import cases_and_problems
from conformance.generate import make_call
from conformance.product import PRODUCTS
from conformance.survey import survey

CELLS = {
    "testcase_name": "a",
    "op_name": "LeakyRelu",
    "input_shapes": "((3, 5),)",
    "input_dtypes": "('float16',)",
    "input_formats": "('ND',)",
    "input_ori_shapes": "((3, 5),)",
    "input_strides": "((5, 1),)",
    "output_shapes": "((3, 5),)",
    "output_dtypes": "('float16',)",
    "attributes": "{'negative_slope': 0.5}",
    "input_data_ranges": "((-1, 1),)",
    "soc_series": "('Ascend910B',)",
    "manual_input_binaries": "(None,)",
}
SHAPES = ["((),)", "(None,)", "((3, 5), (3, 5))", "((-1, -2),)", "((1e9, 1),)", "[[[1]]]", "(", "9" * 30, "-1"]
WORDS = ["", "None", "{}", "nan", "(nan, inf)", "('inf', 7)", "1e400", "ND", "FRACTAL_NZ", "Ascend910", "\0", "å"]
TEXTS = st.sampled_from([*SHAPES, *WORDS, "{'a': [None]}"])
DESCRIBED = {
    "name": "x",
    "format": ["ND"],
    "type": ["float16", "float"],
    "shape": [[3, 5], [7]],
    "data_distribute": ["normal"],
    "value_range": [[-1, 1]],
}
LISTED = {
    "case_name": "a",
    "op": "LeakyRelu",
    "expect": "success",
    "input_desc": [DESCRIBED],
    "output_desc": [{key: DESCRIBED[key] for key in ("format", "type", "shape")}],
    "attr": [{"name": "negative_slope", "type": "float", "value": 0.5}],
}
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 70), 1 << 70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["fuzz", "failed", "RESERVED", "UNDEFINED", "inf", "nan", "x.bin", "uniform", "beta", "int8", ""]),
    st.lists(st.one_of(st.none(), st.integers(-2, 5), st.text(max_size=3), st.lists(st.integers(-1, 4))), max_size=4),
    st.dictionaries(st.sampled_from(["name", "value", "type"]), st.integers(), max_size=2),
)
CHECK = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def places(value, path=()):
    """Every place in plain JSON that can hold something else."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


@st.composite
def mutated_list(draw):
    written = deepcopy(LISTED)
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from(list(places(written)) or [("op",)]))
        holder = written
        for key in path:
            holder = holder[key]
        if draw(st.booleans()):
            del holder[last]
        else:
            holder[last] = draw(VALUES)
    return written


def is_read_or_refused(path):
    try:
        cases, problems = cases_and_problems(path)
    except InvalidData as error:
        cases, problems = [], error.problems
    assert cases or problems
    assert all(problem.what and problem.where.path == path and "Error" not in problem.what for problem in problems)
    found = survey([path])
    assert found.outcomes[UNREADABLE] + len(found.problems) == len(problems)
    assert found.cases + len(found.problems) == len(cases) + len(problems)
    for case in cases[:4]:
        if not case.unsupported and all(size < 1 << 20 for size in sizes_of(case)):
            with suppress(BrokenCase):  # such as a text for a tensor: the verdict says so
                make_call(case, PRODUCTS[min(case.products)], 0)


def sizes_of(case):
    for argument in case.arguments.values():
        yield max(getattr(argument, "storage_shape", ()), default=0)


@CHECK
@given(st.dictionaries(st.sampled_from(sorted(CELLS)), st.one_of(TEXTS, st.text(max_size=12)), min_size=1, max_size=3))
def test_a_row_with_other_cells_is_a_case_or_a_readable_problem(tmp_path, cells):
    path = tmp_path / "ttk.csv"
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        table = csv.DictWriter(file, list(CELLS))
        table.writeheader()
        table.writerow({**CELLS, **cells})
    is_read_or_refused(path)


@CHECK
@given(mutated_list())
def test_a_case_with_other_values_is_a_case_or_a_readable_problem(tmp_path, written):
    path = tmp_path / "case.json"
    path.write_text(json.dumps([{"input_desc": [], **written}]))
    is_read_or_refused(path)


@CHECK
@given(st.data())
def test_a_file_that_is_cut_or_has_other_bytes_is_read_or_refused(tmp_path, data):
    suffix = data.draw(st.sampled_from([".csv", ".json"]))
    path = tmp_path / f"file{suffix}"
    quoted = ",".join(f'"{cell}"' for cell in CELLS.values())
    whole = (f"{','.join(CELLS)}\n{quoted}\n" if suffix == ".csv" else json.dumps([LISTED, LISTED])).encode()
    at = data.draw(st.integers(len(",".join(CELLS)) + 1 if suffix == ".csv" else 120, len(whole) - 1))
    other = b"" if data.draw(st.booleans()) else data.draw(st.binary(max_size=3)) + whole[at + 1 :]
    path.write_bytes(whole[:at] + other)
    is_read_or_refused(path)
