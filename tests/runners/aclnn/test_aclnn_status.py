"""Numbers get their names in one place."""

import pytest

from runners.aclnn.status import complaint, name_of, plain_message


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (161002, "PARAM_INVALID (161002)"),
        (561003, "INNER_FIND_KERNEL_ERROR (561003)"),
        (507015, "RT_AICORE_EXCEPTION (507015)"),
        (424242, "424242"),
    ],
)
def test_a_number_has_a_name_and_an_unknown_one_stands_alone(number, name):
    assert name_of(number) == name


def test_a_complaint_quotes_cann_only_when_it_said_something():
    assert complaint("aclrtMalloc", 207001, "") == "aclrtMalloc returned RT_MEMORY_ALLOCATION (207001)"
    assert complaint("aclrtMalloc", 207001, "EL0004").endswith("(207001): EL0004")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("[PID: 7] 2026-01-24-11:53:44.671.727 AclNN_Parameter_Error(EZ1001): a\n", "AclNN_Parameter_Error(EZ1001): a"),
        ("EZ1001: [PID:426] 2025-02-01-01:02:03.004.005 a\n  TraceBack", "EZ1001: a\n  TraceBack"),
        ("nothing stamped [PID: 1]", "nothing stamped [PID: 1]"),
    ],
)
def test_process_ids_and_times_are_no_part_of_a_message(text, plain):
    assert plain_message(text) == plain
