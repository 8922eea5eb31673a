"""Reverting what is as it was saved is no step: nothing to undo, and no journal for the next start."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from trace_inspector.core.values.edit import Set
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.goldens.edit_session import EditSession


def test_reverting_what_nobody_changed_is_no_step(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(b'{"a": 1}\n')
    with closing(EditSession(read(file), lambda _journal: None)) as session:
        state = session.revert()
        assert (session.depth, session.journal, session.records, state.is_changed) == (0, None, 0, False)
        session.apply(Set("/a", "2"))
        session.undo()
        depths = session.depth, session.depth_ahead, session.records
        session.revert()
        assert (session.depth, session.depth_ahead, session.records) == depths == (0, 1, 2)
