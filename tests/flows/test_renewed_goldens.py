"""Goldens that become new items under another name: the step stands in the same place for bytes and for values."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats import vertex_golden_files as made
from trace_inspector.core.errors import SaveError
from trace_inspector.core.golden.golden_change import UserSays
from trace_inspector.core.trace.trace import user_text
from trace_inspector.documents.reading.reading import parse, read
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.formats import BY_NAME

FORMAT = BY_NAME["vertex-item"]

KINDS = tuple(made.files(made.REQUESTS["asked"]))


def edited(folder: Path, kind: str) -> tuple[GoldenSession, str, str]:
    """A golden in which the user says something else; where it is, and the ending of its file."""
    text, suffix, place = made.files(made.REQUESTS["asked"])[kind]
    path = folder / f"item{suffix}"
    path.write_text(text)
    golden = GoldenSession(EditSession(read(path), lambda _journal: None), FORMAT)
    golden.change(place, UserSays(golden.case(place).turns[0].place, "other words"))
    return golden, place, suffix


def is_sound(golden: GoldenSession) -> bool:
    document = golden.session.state.document
    return parse(document.data, document.path).value == golden.value


@pytest.mark.parametrize("kind", KINDS)
def test_each_step_back_and_forth_is_the_same_in_bytes_and_values(kind: str, tmp_path: Path) -> None:
    golden, place, suffix = edited(tmp_path, kind)
    session, before = golden.session, golden.session.saved.data
    golden.session.save(tmp_path / f"new{suffix}")
    depth = session.depth
    said = []
    for _step in range(depth):
        golden.undo()
        assert is_sound(golden)
        said.append(user_text(golden.case(place).turns[0]))
    assert said == ["other words", "Question 0"][-depth:]
    assert session.state.document.data == before
    for _step in range(depth):
        golden.redo()
        assert is_sound(golden)
    assert session.state.document.data == (tmp_path / f"new{suffix}").read_bytes()
    session.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_save_that_fails_has_changed_nothing(kind: str, tmp_path: Path) -> None:
    golden, place, suffix = edited(tmp_path, kind)
    session, data = golden.session, golden.session.state.document.data
    with pytest.raises(SaveError):
        golden.session.save(tmp_path / "no such folder" / f"new{suffix}")
    assert (session.depth, session.depth_ahead, session.state.document.data) == (1, 0, data)
    golden.undo()
    assert user_text(golden.case(place).turns[0]) == "Question 0"
    assert is_sound(golden)
    session.close()
