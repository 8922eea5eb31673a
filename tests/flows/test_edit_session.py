from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.json_texts import all_pointers, texts
from tests.helpers.campaigns import examples
from trace_inspector.core.errors import EditError, SaveError
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.edit import Edit, Insert, Remove, Set
from trace_inspector.documents.reading.reading import parse, read
from trace_inspector.documents.saving import journal
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.settings import data_folder, journal_folder

TEXT = b'{"a": 1, "b": [true]}\n'


def unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.json"
    path.write_bytes(TEXT)
    return path


@pytest.fixture
def session(file: Path) -> Iterator[EditSession]:
    with closing(EditSession(read(file), unnoted)) as session:
        yield session


def journals() -> list[Path]:
    return sorted(journal_folder().glob("*")) if journal_folder().exists() else []


def test_a_session_without_an_edit_writes_nothing(session: EditSession) -> None:
    state = session.state
    assert (state.is_changed, state.can_undo, state.can_redo, state.change) == (False, False, False, ())
    session.apply()
    session.apply(Set("/a", "1"))
    session.save()
    assert not data_folder().exists()


def test_edits_of_one_step_are_undone_and_made_again_together(session: EditSession) -> None:
    state = session.apply(Set("/a", "2.0"), Insert("/b/-", "null"))
    assert state.document.data == b'{"a": 2.0, "b": [true, null]}\n'
    assert (state.is_changed, state.can_undo, state.can_redo, len(state.change)) == (True, True, False, 2)
    state = session.undo()
    assert state.document.data == TEXT
    assert (state.is_changed, state.can_undo, state.can_redo) == (False, False, True)
    assert session.redo().document.data == b'{"a": 2.0, "b": [true, null]}\n'


def test_a_step_that_fails_changes_nothing(session: EditSession) -> None:
    with pytest.raises(EditError, match="nothing at “/gone”"):
        session.apply(Set("/a", "2"), Remove("/gone"))
    assert session.state.document.data == TEXT
    assert journals() == []
    for move in (session.undo, session.redo):
        with pytest.raises(EditError, match="nothing to"):
            move()


def test_the_journal_is_the_owners_alone_and_written_before_the_result(file: Path) -> None:
    sizes: list[int] = []
    with closing(EditSession(read(file), lambda writer: sizes.append(writer.path.stat().st_size))) as session:
        for number in range(3):
            session.apply(Set("/a", f"1{number}"))
        assert sizes == sorted(set(sizes))
        assert len(sizes) == 3
        (path,) = journals()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == stat.S_IMODE(data_folder().stat().st_mode) == 0o700


def test_saving_removes_the_journal_and_undo_reaches_back_behind_it(session: EditSession, file: Path) -> None:
    session.apply(Set("/a", "2"))
    state = session.save()
    assert (file.read_bytes(), state.is_changed, state.can_undo) == (TEXT.replace(b"1", b"2"), False, True)
    assert journals() == []
    state = session.undo()
    assert (state.document.data, state.is_changed) == (TEXT, True)
    assert len(journals()) == 1
    session.save()
    assert file.read_bytes() == TEXT
    assert session.redo().is_changed


def test_saving_under_another_name_goes_on_with_that(session: EditSession, file: Path) -> None:
    session.apply(Set("/a", "2"))
    other = file.with_name("other.json")
    state = session.save(other)
    assert (state.document.path, state.is_changed, file.read_bytes()) == (other, False, TEXT)
    session.apply(Set("/a", "3"))
    session.save()
    assert (file.read_bytes(), other.read_bytes()) == (TEXT, TEXT.replace(b"1", b"3"))


def test_a_save_that_fails_keeps_the_journal(session: EditSession, file: Path) -> None:
    session.apply(Set("/a", "2"))
    file.write_bytes(b"[]")
    with pytest.raises(SaveError, match="changed on disk"):
        session.save()
    assert (session.state.is_changed, len(journals())) == (True, 1)
    session.save(force=True)
    assert (file.read_bytes(), journals()) == (TEXT.replace(b"1", b"2"), [])


def test_discarding_goes_back_for_good(session: EditSession, file: Path) -> None:
    session.apply(Set("/a", "2"))
    state = session.discard()
    assert (state.document.data, state.can_undo, state.can_redo, journals()) == (TEXT, False, False, [])
    assert file.read_bytes() == TEXT


def test_closing_keeps_the_journal_only_of_what_is_not_saved(file: Path) -> None:
    changed, undone = EditSession(read(file), unnoted), EditSession(read(file), unnoted)
    changed.apply(Set("/a", "2"))
    undone.apply(Set("/a", "2"))
    undone.undo()
    assert len(journals()) == 2
    undone.close()
    assert len(journals()) == 1
    changed.close()
    assert len(journals()) == 1


def test_two_sessions_of_one_file_have_a_journal_each(file: Path) -> None:
    with closing(EditSession(read(file), unnoted)) as one, closing(EditSession(read(file), unnoted)) as other:
        one.apply(Set("/a", "2"))
        other.apply(Set("/b", "3"))
        one.undo()
        other.save()
        assert len(journals()) == 1
        assert other.undo().document.data == one.state.document.data == TEXT


@pytest.mark.parametrize("blocked", [".", "journals"])
def test_without_a_journal_there_is_no_edit(session: EditSession, file: Path, blocked: str) -> None:
    path = data_folder() / blocked
    path.parent.mkdir(exist_ok=True)
    path.write_text("in the way")
    with pytest.raises(EditError, match="The edit was not made, because its journal cannot be written"):
        session.apply(Set("/a", "2"))
    assert session.state.document.data == TEXT
    assert not session.state.can_undo
    assert file.read_bytes() == TEXT


FULL = """
import resource, sys
from pathlib import Path
from trace_inspector.core.values.edit import Set
from trace_inspector.core.errors import EditError
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.settings import journal_folder
session = EditSession(read(Path(sys.argv[1])), lambda _: None)
session.apply(Set("/a", "2"))
(journal,) = journal_folder().iterdir()
whole = journal.read_bytes()
resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 30, resource.RLIM_INFINITY))
for text in ('"' + "x" * 100 + '"', "3"):
    try:
        session.apply(Set("/a", text))
    except EditError as problem:
        print(problem.sentence)
    assert journal.read_bytes() == whole
    assert session.state.document.value["a"] == 2
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
session.apply(Set("/a", "4"))
session.save()
print(journal.exists())
"""


def test_a_full_disk_refuses_the_edit_and_loses_nothing(file: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL, str(file)], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert lines[0] == lines[1]
    assert lines[0].startswith("The edit was not made, because its journal cannot be written (File too large).")
    assert (lines[2], file.read_bytes()) == ("False", TEXT.replace(b"1", b"4"))


def test_a_journal_that_grew_begins_anew(session: EditSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_GROWTH_BYTES", 2000)
    synced: list[JournalWriter] = []
    session._written = synced.append
    for number in range(300):
        session.apply(Set("/a", str(number + 2)))
    assert len(set(synced)) > 3
    synced[-1].sync()
    (path,) = journals()
    assert path.stat().st_size < 4000
    for _ in range(300):
        state = session.undo()
    assert (state.document.data, state.is_changed, state.can_undo) == (TEXT, False, False)


def test_a_journal_that_was_deleted_begins_anew_with_all_that_was_edited(session: EditSession) -> None:
    session.apply(Set("/a", "2"))
    shutil.rmtree(data_folder())
    session.apply(Set("/b", "[7]"))
    document = session.state.document
    session.close()
    (found,) = find_recoverable().recoverable
    assert found.changes == 1, "what was edited before is one with it"
    with closing(recover(found, unnoted)) as again:
        assert again.state.document.data == document.data
        again.undo()


def some_edit(pointer: str, token: str, text: str, kind: int) -> Edit:
    return (Set(pointer, text), Insert(pointers.join(pointer, token), text), Remove(pointer))[kind]


@given(texts(), st.data())
@settings(examples(15, 40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_all_undone_is_the_original_and_all_made_again_the_result(text: str, data: st.DataObject) -> None:
    original = parse(text.encode(), Path("x.json"))
    session = EditSession(original, unnoted)
    steps = 0
    for _ in range(data.draw(st.integers(1, 8))):
        pointer = data.draw(st.sampled_from(list(all_pointers(session.state.document.value))))
        token, new = data.draw(st.sampled_from(("-", "0", "k"))), data.draw(st.sampled_from(("1", "{}", '["é"]')))
        edit = some_edit(pointer, token, new, data.draw(st.integers(0, 2)))
        try:
            steps += bool(session.apply(edit).change)
        except EditError:
            continue
        if data.draw(st.booleans()) and session.state.can_undo:
            session.undo()
            steps -= 1
    final = session.state.document
    for _ in range(steps):
        session.undo()
    assert session.state.document == original
    assert not session.state.can_undo
    for _ in range(steps):
        session.redo()
    assert session.state.document == final
    session.discard()
