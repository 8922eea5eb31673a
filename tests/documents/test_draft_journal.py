"""The journal of typed text: the newest of each field, whole or not at all, and no larger than it must be."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from trace_inspector.core.errors import ReadError
from trace_inspector.core.golden.recoverable_edits import DraftText, Spot
from trace_inspector.documents.saving import draft_journal
from trace_inspector.documents.saving.draft_journal import DraftJournal, look_at_drafts

ONE, OTHER = Spot("/eval_cases/0", "case-id"), Spot("/eval_cases/1", "note-case")


def text(spot: Spot, words: str) -> DraftText:
    return DraftText(spot, "Label", words)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return tmp_path / "x.json"


@pytest.fixture
def journal(tmp_path: Path, document: Path) -> DraftJournal:
    return DraftJournal(tmp_path / "journals", document)


def left(journal: DraftJournal) -> dict[Spot, str]:
    """What the next start reads."""
    found = look_at_drafts(journal.path)
    assert found is not None
    assert found.file == journal.document
    return {draft.spot: draft.text for draft in found.drafts}


def test_the_newest_text_of_each_field_is_found(journal: DraftJournal) -> None:
    journal.write({ONE: text(ONE, "a")})
    journal.write({ONE: text(ONE, "ab"), OTHER: text(OTHER, "ü\ud800\n")})
    journal.sync()
    journal.close()
    assert left(journal) == {ONE: "ab", OTHER: "ü\ud800\n"}


def test_nobody_reads_the_text_of_a_window_that_runs(journal: DraftJournal) -> None:
    journal.write({ONE: text(ONE, "a")})
    assert look_at_drafts(journal.path) is None
    journal.close()


def test_what_became_an_edit_is_gone_and_without_any_text_so_is_the_file(journal: DraftJournal) -> None:
    journal.write({ONE: text(ONE, "a"), OTHER: text(OTHER, "b")})
    journal.write({ONE: None})
    size = journal.path.stat().st_size
    journal.write({OTHER: None})
    assert journal.path.stat().st_size < size
    assert journal.is_empty
    journal.close()
    assert not journal.path.exists()


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_half_a_record_at_the_end_is_left_out(journal: DraftJournal, cut: int) -> None:
    journal.write({ONE: text(ONE, "a")})
    journal.write({ONE: text(ONE, "ab")})
    journal.close()
    os.truncate(journal.path, journal.path.stat().st_size - cut)
    assert left(journal) == {ONE: "a"}


@pytest.mark.parametrize("data", [b"", b"trace-insp"])
def test_a_journal_that_was_only_begun_holds_nothing(journal: DraftJournal, data: bytes) -> None:
    journal.close()
    journal.path.write_bytes(data)
    found = look_at_drafts(journal.path)
    assert found is not None
    assert found.drafts == ()


def test_a_foreign_file_is_a_sentence(journal: DraftJournal) -> None:
    journal.close()
    journal.path.write_bytes(b"something else\n")
    with pytest.raises(ReadError, match="no journal of typed text"):
        look_at_drafts(journal.path)


def test_it_begins_anew_when_it_has_grown_and_keeps_what_waits(
    journal: DraftJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_journal, "MAX_GROWTH_BYTES", 2_000)
    journal.write({OTHER: text(OTHER, "kept")})
    first = journal.path
    for length in range(100):
        journal.write({ONE: text(ONE, "x" * length)})
        assert journal.path.stat().st_size < 3_000
    assert not first.exists()
    journal.close()
    assert left(journal) == {OTHER: "kept", ONE: "x" * 99}


def test_it_follows_a_document_to_another_name(journal: DraftJournal, tmp_path: Path) -> None:
    journal.write({ONE: text(ONE, "a")})
    journal.move(tmp_path / "y.json")
    journal.close()
    assert left(journal) == {ONE: "a"}
    assert len(list(journal.path.parent.iterdir())) == 1


def test_what_a_full_disk_refused_is_written_with_the_next_text(
    journal: DraftJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.write({ONE: text(ONE, "a")})
    write = os.write

    def full(handle: int, data: bytes) -> int:
        write(handle, bytes(data[:5]))
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left"):
            journal.write({OTHER: text(OTHER, "b")})
    journal.write({ONE: text(ONE, "ab")})
    journal.close()
    assert left(journal) == {ONE: "ab", OTHER: "b"}
