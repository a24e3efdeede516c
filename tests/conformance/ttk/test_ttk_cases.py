"""TTK tables as they are: forms of cells, binding, outputs, products, data, what cannot be run and why."""

import re

import numpy as np
import pytest
from ttk_samples import BACKWARD, SILU, write_ttk

from conformance.errors import InvalidData
from conformance.foreign_files import cases_and_problems, cases_or_problem
from conformance.generate import make_call
from conformance.product import PRODUCTS
from conformance.tensor import Format


def only(folder, row, **cells):
    (made,) = cases_or_problem(write_ttk(folder, {**row, **cells}))
    return made


def outline(argument):
    return argument.dtype.word, argument.shape


def arrays(made):
    return {name: one.array() for name, one in make_call(made, PRODUCTS["ascend910b"], 0).tensors(written=False)}


@pytest.mark.parametrize(
    "operator", ["Silu", "silu", "aclnnSilu", "aclnn_silu", "SiLU"], ids=["bare", "snake", "prefixed", "both", "case"]
)
def test_an_operator_is_known_in_any_spelling(operator, tmp_path):
    assert only(tmp_path, SILU, op_name=operator).api == "aclnnSilu"


def test_the_files_name_says_the_api_where_no_cell_does(tmp_path):
    (made,) = cases_or_problem(write_ttk(tmp_path, {**SILU, "op_name": ""}, name="ttk_aclnnSilu.csv"))
    assert made.id.startswith("ttk.silu.ttk_aclnnsilu.plain.h")


@pytest.mark.parametrize(
    ("cells", "shape", "word"),
    [
        ({}, (3, 5), "fp32"),
        ({"input_dtypes": "float16"}, (3, 5), "fp16"),
        ({"input_dtypes": '["bf16"]'}, (3, 5), "bf16"),
        ({"input_shapes": "(3, 5)"}, (3, 5), "fp32"),
        ({"input_shapes": "[[3, 5]]"}, (3, 5), "fp32"),
        ({"input_shapes": "((),)"}, (), "fp32"),
        ({"input_shapes": "((0, 4),)"}, (0, 4), "fp32"),
        ({"input_formats": "('ND',)", "input_ori_shapes": "((3, 5),)"}, (3, 5), "fp32"),
        ({"input_formats": "('NC1HWC0',)", "input_ori_shapes": "((2, 3, 4, 5),)"}, (2, 3, 4, 5), "fp32"),
    ],
)
def test_shapes_and_types_in_every_spelling(cells, shape, word, tmp_path):
    made = only(tmp_path, SILU, **cells)
    assert made.unsupported == ""
    assert [outline(made.arguments[name]) for name in ("self", "out")] == [(word, shape)] * 2


def test_outputs_are_those_of_the_file(tmp_path):
    stated = {"output_shapes": "((3, 5),)", "output_dtypes": "('float32',)"}
    assert outline(only(tmp_path, SILU, **stated).arguments["out"]) == ("fp32", (3, 5))
    wrong = only(tmp_path, SILU, output_shapes="((5, 3),)", output_dtypes="('float32',)")
    assert wrong.unsupported.startswith("the document admits no such call on ascend950, ascend910_93, ")


def test_an_input_that_is_written_too_may_be_named_among_the_outputs_or_not(tmp_path):
    row = {**SILU, "op_name": "InplaceRelu"}
    assert only(tmp_path, row).unsupported == ""
    assert only(tmp_path, row, output_shapes="((3, 5),)", output_dtypes="('float32',)").unsupported == ""


@pytest.mark.parametrize(
    ("operator", "attributes", "name", "value"),
    [
        ("Softmax", "{'dim': -1}", "dim", -1),
        ("Softmax", '{"DIM": -1}', "dim", -1),
        ("Softmax", "(('dim', 0),)", "dim", 0),
        ("LeakyRelu", "{'negative_slope': 0.5}", "negativeSlope", 0.5),
        ("LeakyRelu", "{'alpha': 2}", "negativeSlope", 2),
        ("GeluV2", "{'approximate': 1}", "approximate", 1),
    ],
)
def test_attributes_are_bound_by_name_or_position(operator, attributes, name, value, tmp_path):
    made = only(tmp_path, SILU, op_name=operator, attributes=attributes)
    assert made.unsupported == ""
    assert made.arguments[name].value == value


@pytest.mark.parametrize(
    ("ranges", "holds"),
    [
        ("", lambda a: (abs(a) <= 2).all() and len(np.unique(a)) > 10),
        ("((3, 4), (0, 1))", lambda a: (a >= 3).all() and (a <= 4).all()),
        ("(3, 4)", lambda a: (a >= 3).all() and (a <= 4).all()),
        ("((None, None),)", lambda a: (abs(a) <= 2).all()),
        ("(None, (0, 1))", lambda a: (abs(a) <= 2).all()),
        ("((nan, nan), (0, 1))", lambda a: np.isnan(a).all()),
        ("((inf,), (0, 1))", lambda a: (a == np.inf).all()),
        ("(('-inf', 'inf'), (0, 1))", lambda a: np.isinf(a).all()),
        ("(float('-inf'), (0, 1))", lambda a: (a == -np.inf).all()),
        ("(-np.inf, (0, 1))", lambda a: (a == -np.inf).all()),
        ("7", lambda a: (a == 7).all()),
    ],
)
def test_ranges_fill_the_inputs(ranges, holds, tmp_path):
    assert holds(arrays(only(tmp_path, BACKWARD, input_data_ranges=ranges))["gradOutput"])


def test_data_depends_on_the_row_alone_and_equal_rows_get_other_data(tmp_path):
    first, again = cases_or_problem(write_ttk(tmp_path, SILU, SILU))
    (alone,) = cases_or_problem(write_ttk(tmp_path, SILU))
    assert alone.id == first.id != again.id
    assert np.array_equal(arrays(alone)["self"], arrays(first)["self"])
    assert not np.array_equal(arrays(again)["self"], arrays(first)["self"])


def test_the_data_may_lie_in_a_file(tmp_path):
    numbers = np.arange(15, dtype=np.float32)
    numbers.tofile(tmp_path / "x.bin")
    made = only(tmp_path, SILU, manual_input_binaries="('x.bin',)")
    assert np.array_equal(arrays(made)["self"].reshape(-1), numbers)
    short = only(tmp_path, SILU, manual_input_binaries="('x.bin',)", input_shapes="((3, 4),)")
    assert short.unsupported == "x.bin holds 60 bytes, float32[3, 4] takes 48"
    assert "is not there" in only(tmp_path, SILU, manual_input_binaries="('y.bin',)").unsupported


def test_a_tensor_may_lie_anywhere_in_its_storage(tmp_path):
    lies = {"input_strides": "((1, 3),)", "input_offsets": "(2,)", "input_storage_shapes": "((20,),)"}
    made = only(tmp_path, SILU, **lies).arguments["self"]
    assert (made.strides, made.offset, made.storage_shape) == ((1, 3), 2, (20,))
    odd = only(tmp_path, SILU, input_is_contiguous="(False,)")
    assert odd.unsupported.startswith("input_is_contiguous may say how a tensor lies")


@pytest.mark.parametrize(
    ("series", "products"),
    [
        ("", set(PRODUCTS) - {"ascend310b"}),
        ("Ascend910B", {"ascend910b"}),
        ("('Ascend910B', 'ascend910_93')", {"ascend910b", "ascend910_93"}),
        ("ascend910b,A3", {"ascend910b", "ascend910_93"}),
        ("Ascend910B3", {"ascend910b"}),
        ("('Kirin', 'Ascend950')", {"ascend950"}),
    ],
)
def test_the_series_narrows_the_products(series, products, tmp_path):
    made = only(tmp_path, SILU, soc_series=series)
    assert made.unsupported == ""
    assert made.products <= products
    assert not series or made.products == products


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"op_name": "NoSuchThing"}, "no contract of aclnnNoSuchThing"),
        ({"op_name": "no_such_thing"}, "no contract of aclnnNoSuchThing"),
        ({"input_shapes": "((3, 5), (3, 5))"}, "neither by name nor by position"),
        ({"input_shapes": "(None,)"}, "self"),
        ({"input_shapes": "((-1, 5),)"}, "leaves sizes open"),
        ({"input_shapes": "(((2, 3), (4,)),)"}, "a list of tensors"),
        ({"input_formats": "FRACTAL_NZ"}, "no original shape"),
        ({"input_dtypes": "int8"}, "the document admits no such call"),
        ({"op_name": "Softmax"}, "nothing is given for dim"),
        ({"op_name": "Softmax", "attributes": "{'dim': [1, 2]}"}, "dim is one int64, a list is given for it"),
        ({"attributes": "{'axis': 1}"}, "fit aclnnSilu() neither"),
        ({"output_shapes": "(None,)"}, "out is null"),
        ({"input_shapes": "(((2, 3), (4,)),)", "input_data_ranges": "(((0, 1), (0, 1)),)"}, "a list of tensors"),
        ({"soc_series": "Kirin"}, "the file is for Kirin alone"),
        ({"output_shapes": "((3, 5), (3, 5))", "output_dtypes": "float32"}, "2 outputs do not fit"),
        ({"output_shapes": "(((3, 5), (3,)),)", "output_dtypes": "float32"}, "a list of tensors is an output"),
    ],
)
def test_what_cannot_be_run_is_a_case_that_says_why(cells, reason, tmp_path):
    assert reason in only(tmp_path, SILU, **cells).unsupported


@pytest.mark.parametrize("where", ["op/tests/st/ttk.csv", "op/tests/st/arch35/ttk.csv", "op/tests/ttk.csv"])
def test_a_script_for_inputs_is_never_run_and_its_cases_neither(where, tmp_path):
    script = tmp_path / "op" / "tests" / "assets" / "input.py"
    script.parent.mkdir(parents=True)
    script.write_text("raise SystemExit('scripts are never run')\n")
    (made,) = cases_or_problem(write_ttk(tmp_path, SILU, name=where))
    assert made.unsupported == "assets/input.py makes inputs, no script is run, and no rule says how"


@pytest.mark.parametrize(
    ("operator", "word", "standard"),
    [("Relu", "float32", "cann_mixed"), ("Relu", "int8", ""), ("Softmax", "float64", "")],
)
def test_a_standard_without_numbers_for_an_output_does_not_judge_it(operator, word, standard, tmp_path):
    attributes = "{'dim': -1}" if operator == "Softmax" else ""
    made = only(tmp_path, SILU, op_name=operator, input_dtypes=word, attributes=attributes)
    assert (made.unsupported, made.standard) == ("", standard)


def test_a_format_is_kept_where_it_has_a_letter_for_each_axis(tmp_path):
    made = only(tmp_path, SILU, input_shapes="((2, 3, 4, 5),)", input_formats="nchw")
    assert made.arguments["self"].format is Format.NCHW


@pytest.mark.parametrize(
    ("cells", "column", "what"),
    [
        ({"input_shapes": "((3, 5)"}, "input_shapes", "no shape"),
        ({"input_shapes": "((3, 5.5),)"}, "input_shapes", "no shape"),
        ({"input_shapes": "((3, -7),)"}, "input_shapes", "no shape"),
        ({"input_dtypes": "float33"}, "input_dtypes", "unknown type 'float33'"),
        ({"input_dtypes": ""}, "input_dtypes", "unknown type None"),
        ({"input_dtypes": "('float32', 'float32')"}, "input_dtypes", "2 entries for 1 tensors"),
        ({"input_data_ranges": "({'name': 'beta'},)"}, "input_data_ranges", "'beta' is unknown"),
        ({"input_data_ranges": "([],)"}, "input_data_ranges", "empty"),
        ({"attributes": "{'a': 1"}, "attributes", "no dictionary"),
        ({"attributes": "{'a': 1, 'a': 2}"}, "attributes", "no dictionary"),
        ({"attributes": "{'a': {}}"}, "attributes", "no value of an attribute"),
        ({"attributes": "{'a': 9223372036854775808}"}, "attributes", "no value of an attribute"),
        ({"input_strides": "((9, 9),)", "input_storage_shapes": "((2,),)"}, "input_strides", "reaches element"),
        ({"input_strides": "((1,),)"}, "input_strides", "1 strides for 2 axes"),
        ({"manual_input_binaries": "(7,)"}, "manual_input_binaries", "no name of a file"),
        ({"op_name": ""}, "op_name", "which API"),
        ({"op_name": "aclnn"}, "op_name", "which API"),
    ],
)
def test_a_broken_row_is_named_with_line_and_column_and_the_others_run(cells, column, what, tmp_path):
    cases, (problem,) = cases_and_problems(write_ttk(tmp_path, {**SILU, **cells}, {**SILU, "testcase_name": "good"}))
    assert [one.group for one in cases] == ["good"]
    assert (problem.where.line, problem.where.pointer) == (2, column)
    assert what in problem.what
    assert problem.advice


@pytest.mark.parametrize("writing", [{"delimiter": ";"}, {"delimiter": "\t"}, {"encoding": "utf-8-sig"}])
def test_spreadsheets_write_tables_in_several_ways(writing, tmp_path):
    path = write_ttk(tmp_path, SILU, **writing)
    assert [one.unsupported for one in cases_or_problem(path)] == [""]


def test_rows_may_be_empty_short_and_hold_line_breaks(tmp_path):
    path = tmp_path / "ttk.csv"
    head = "testcase_name,op_name,input_shapes,input_dtypes,attributes,remark\n\n"
    rows = ['a,Silu,"((3,', '5),)",float32', ",,,,,", 'b,Silu,"((4,),)",float33,,,', 'c,Silu,"((4,),)",fp16,,,,x']
    path.write_text("\n".join([head, *rows]))
    cases, problems = cases_and_problems(path)
    assert [one.about for one in cases] == ["line 4 of ttk.csv, a"]
    assert [(one.where.line, one.where.pointer) for one in problems] == [(7, "input_dtypes"), (8, "")]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"testcase_name,op_name\n", "holds no case"),
        (b"testcase_name,op_name,op_name\na,b,c\n", "names op_name twice"),
        (b"testcase_name,op_name\n\xff\xfe,Silu\n", "not UTF-8"),
        (b"name,op\n", "does not begin with the header"),
    ],
)
def test_a_file_that_is_no_table_of_cases_is_one_readable_error(content, what, tmp_path):
    path = tmp_path / "ttk.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidData, match=what) as error:
        cases_or_problem(path)
    assert len(error.value.problems) == 1


def test_a_quote_that_never_ends_is_a_problem_of_its_line(tmp_path):
    path = write_ttk(tmp_path, SILU)
    path.write_text(path.read_text() + 'b,"Silu\n')
    cases, (problem,) = cases_and_problems(path)
    assert len(cases) == 1
    assert problem.where.line == 3
    assert "malformed CSV" in problem.what


@pytest.mark.parametrize(
    "cells", [{"op_name": "Né/w op.x"}, {"testcase_name": "a b/c.d*é"}, {"testcase_name": "x" * 900}, {"op_name": "☃"}]
)
def test_an_id_can_be_pasted_anywhere_whatever_the_file_says(cells, tmp_path):
    (made,) = cases_or_problem(write_ttk(tmp_path, {**SILU, **cells}))
    assert re.fullmatch(r"ttk(\.[a-z0-9_-]+){3}\.h\d{8}", made.id)
    assert len(made.id) < 120


def test_products_of_the_series_decide_which_outputs_are_legal(tmp_path):
    row = {**BACKWARD, "input_shapes": "((1, 5), (3, 5))"}
    assert only(tmp_path, row, soc_series="Ascend950").products == {"ascend950"}
    assert only(tmp_path, row, soc_series="Ascend910B").unsupported
