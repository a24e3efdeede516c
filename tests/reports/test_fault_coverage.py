"""Groups and the faults they find, from the file of the command faults."""

import json

import pytest

from conformance.errors import InvalidRecord
from reports.fault_coverage import fault_lines, read_faults

DOCUMENT = {
    "faults": [{"id": "a", "class": "tail"}, {"id": "b", "class": "tail"}, {"id": "c", "class": "dtype"}],
    "groups": {"activation.silu.numeric.x": ["a", "b", "c"], "activation.prelu.views.y": ["a"]},
}


def test_one_line_a_group_with_what_it_alone_finds(tmp_path):
    path = tmp_path / "faults.json"
    path.write_text(json.dumps(DOCUMENT))
    assert list(fault_lines(read_faults(path))) == [
        "activation.silu.numeric.x: 3 faults, 2 found by it alone (tail 2, dtype 1)",
        "activation.prelu.views.y: 1 faults, 0 found by it alone (tail 1)",
    ]
    assert len(list(fault_lines(DOCUMENT, ["silu"]))) == 1


@pytest.mark.parametrize(("text", "complaint"), [("{", "cannot be read"), ("[]", "was not written by")])
def test_another_file_is_refused(text, complaint, tmp_path):
    (tmp_path / "f.json").write_text(text)
    with pytest.raises(InvalidRecord, match=complaint):
        read_faults(tmp_path / "f.json")
