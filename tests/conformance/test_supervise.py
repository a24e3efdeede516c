"""The journal: what stands in it when a run is killed."""

from conformance.supervise import Journal


def test_the_first_line_of_the_journal_is_the_case_about_to_run_and_nothing_is_left_at_the_end(tmp_path):
    path = tmp_path / "build" / "record.running"
    journal = Journal(path)
    journal.begin("activation.silu.a_long_name.h00000001")
    journal.begin("short.h2")
    assert path.read_text(encoding="utf-8").split("\n")[0] == "short.h2"
    assert path.read_text(encoding="utf-8").split() == ["short.h2"]
    journal.end()
    assert not path.exists()


def test_a_journal_that_names_nothing_leaves_no_file(tmp_path):
    Journal(tmp_path / "record.running").end()
    assert list(tmp_path.iterdir()) == []
