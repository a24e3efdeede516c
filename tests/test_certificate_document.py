"""docs/certificate.md works as written, on the cases of one API."""

from pathlib import Path

from documents import ROOT, copy_project, replay, run

DOCUMENT = ROOT / "docs" / "certificate.md"


def test_every_command_of_the_document_works(tmp_path: Path) -> None:
    copy_project(tmp_path)
    first = run(
        ["python", "-m", "conformance", "required", "new", "2026.12", "-o", "cases/required/2026.12.json"], tmp_path
    )
    assert first.returncode == 0, first.stderr
    assert replay(DOCUMENT, tmp_path) == []
    assert "conformant (strict)" in (tmp_path / "build" / "certificate.html").read_text("utf-8")
