from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.helpers.campaigns import examples, is_long
from trace_inspector.core.errors import ReadError, SaveError
from trace_inspector.core.golden.recoverable_edits import KEPT_DAYS, OnDisk, Recoverable, RecoverableEdits
from trace_inspector.core.values.edit import Insert, Set
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.saving import journal
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.documents.saving.journal_format import MAGIC, frames, parse_journal, record_bytes
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.forgotten_edits import bring_back, drop_expired, forget, forgotten
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.settings import journal_folder, ready_data_folder

TEXT = '{"a": 0, "b": []}\n'


def unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.json"
    path.write_text(TEXT)
    return path


@pytest.fixture
def left(file: Path) -> Recoverable:
    """What a session left behind that set a value and added two."""
    session = EditSession(read(file), unnoted)
    session.apply(Set("/a", "1"))
    session.apply(Insert("/b/-", "2"), Insert("/b/-", "3"))
    session.apply(Insert("/b/-", "4"))
    session.undo()
    session.close()
    return the_one()


def the_one() -> Recoverable:
    (found,) = find_recoverable().recoverable
    return found


EDITED = '{"a": 1, "b": [2, 3]}\n'


def test_nothing_is_left_behind_at_first() -> None:
    assert find_recoverable() == RecoverableEdits()


def test_what_was_left_behind_is_told_and_gone_on_with(left: Recoverable, file: Path) -> None:
    assert (left.file, left.changes, left.on_disk, left.note) == (file, 4, OnDisk.SAME, "")
    assert left.last_s == left.journal.stat().st_mtime
    session = recover(left, unnoted)
    assert find_recoverable() == RecoverableEdits(in_use=1)
    state = session.state
    assert (state.document.data.decode(), state.is_changed, state.can_undo, state.can_redo) == (
        EDITED,
        True,
        True,
        True,
    )
    assert session.redo().document.value == {"a": 1, "b": [2, 3, 4]}
    for _ in range(3):
        session.undo()
    assert session.state.document.data.decode() == TEXT
    session.redo()
    session.close()
    assert (the_one().journal, the_one().changes) == (left.journal, 9)
    session = recover(the_one(), unnoted)
    session.save()
    assert file.read_text() == TEXT.replace("0", "1")
    session.close()
    assert list(journal_folder().iterdir()) == []


def test_edits_in_use_are_not_offered_and_not_taken(left: Recoverable) -> None:
    session = recover(left, unnoted)
    with pytest.raises(ReadError, match="Another window"):
        recover(left, unnoted)
    assert forget(left.journal) is None
    assert left.journal.exists()
    session.close()


def test_forgotten_edits_are_kept_for_some_time_and_can_be_offered_again(left: Recoverable, file: Path) -> None:
    kept = forget(left.journal)
    assert kept is not None
    assert (find_recoverable(), file.read_text()) == (RecoverableEdits(), TEXT)
    (one,) = forgotten()
    assert (one.journal, one.file, one.edits) == (kept, file, left.edits)
    drop_expired(one.last_s + KEPT_DAYS * 86_400 - 1)
    assert bring_back(kept) == left.journal
    assert (forgotten(), the_one()) == ((), left)
    kept = forget(left.journal)
    assert kept is not None
    assert kept.stat().st_mode & 0o077 == kept.parent.stat().st_mode & 0o077 == 0, "nobody else reads them"
    drop_expired(one.last_s + KEPT_DAYS * 86_400 + 60)
    assert not kept.exists()
    assert (forgotten(), find_recoverable()) == ((), RecoverableEdits())


@pytest.mark.usefixtures("left")
def test_a_file_that_changed_since_is_kept_and_the_edits_are_saved_elsewhere(file: Path) -> None:
    file.write_text("[somebody else's]" * 9)
    assert the_one().on_disk is OnDisk.CHANGED
    file.write_text('{"somebody": "else"}')
    found = the_one()
    assert found.on_disk is OnDisk.CHANGED
    session = recover(found, unnoted)
    with pytest.raises(SaveError, match="changed on disk"):
        session.save()
    session.save(file.with_name("mine.json"))
    session.close()
    assert file.read_text() == '{"somebody": "else"}'
    assert file.with_name("mine.json").read_text() == EDITED
    assert find_recoverable() == RecoverableEdits()


@pytest.mark.usefixtures("left")
def test_a_file_that_is_gone_comes_back(file: Path) -> None:
    file.unlink()
    assert the_one().on_disk is OnDisk.GONE
    session = recover(the_one(), unnoted)
    session.save()
    session.close()
    assert file.read_text() == EDITED


def test_packed_files_stay_packed(tmp_path: Path) -> None:
    packed, archive = tmp_path / "x.json.gz", tmp_path / "x.zip"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr("in/x.json", TEXT)
        writer.writestr("other.txt", "kept")
    for path in (packed, archive / "in" / "x.json"):
        session = EditSession(read(path), unnoted)
        session.apply(Set("/a", "1"))
        session.close()
        found = the_one()
        assert (found.file, found.on_disk) == (path, OnDisk.SAME)
        session = recover(found, unnoted)
        session.save()
        session.close()
        assert read(path).data == TEXT.replace("0", "1").encode()
    assert gzip.decompress(packed.read_bytes()) == TEXT.replace("0", "1").encode()
    assert zipfile.ZipFile(archive).read("other.txt") == b"kept"


def test_edits_of_a_large_file_need_that_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_COPY_BYTES", 3)
    session = EditSession(read(file), unnoted)
    session.apply(Set("/a", "1"))
    session.close()
    file.write_text("{}")
    with pytest.raises(ReadError, match="Bring it back"):
        recover(the_one(), unnoted)
    file.write_text(TEXT)
    session = recover(the_one(), unnoted)
    assert session.state.document.value == {"a": 1, "b": []}
    session.save()
    session.close()


@pytest.mark.parametrize("disk", [TEXT, "{}"])
def test_what_was_taken_back_before_the_end_is_not_offered(file: Path, disk: str) -> None:
    session = EditSession(read(file), unnoted)
    session.apply(Set("/a", "7"))
    session.undo()
    cut_off(session)
    file.write_text(disk)
    assert find_recoverable() == RecoverableEdits()
    assert list(journal_folder().iterdir()) == []


def test_what_was_saved_before_the_end_is_not_offered(file: Path) -> None:
    session = EditSession(read(file), unnoted)
    file.write_bytes(session.apply(Set("/a", "7")).document.data)
    cut_off(session)
    assert find_recoverable() == RecoverableEdits()
    assert list(journal_folder().iterdir()) == []


def cut_off(session: EditSession) -> None:
    """As if the process ended here."""
    assert session._journal is not None
    session._journal.close()


def test_half_an_edit_is_left_out_with_a_note(left: Recoverable) -> None:
    left.journal.write_bytes(left.journal.read_bytes()[:-5])
    found = the_one()
    assert (found.changes, found.note[:30]) == (3, "The last edit was only half wr")
    session = recover(found, unnoted)
    assert session.state.document.value == {"a": 1, "b": [2, 3, 4]}
    session.discard()


@given(st.data())
@settings(examples(30, 100), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_journal_cut_anywhere_gives_a_state_that_was_there(file: Path, data: st.DataObject) -> None:
    for old in journal_folder().glob("*"):
        old.unlink()
    session = EditSession(read(file), unnoted)
    states = [session.state.document]
    for number in range(data.draw(st.integers(1, 5))):
        can_undo = session.state.can_undo and data.draw(st.booleans())
        made = session.undo() if can_undo else session.apply(Set("/a", str(number)), Insert("/b/-", str(number)))
        states.append(made.document)
    session.close()
    found = find_recoverable().recoverable
    if not found:
        assert states[-1] == states[0]
        return
    (one,) = found
    whole = one.journal.read_bytes()
    size = len(whole) * data.draw(st.integers(0, 1000)) // 1000
    one.journal.write_bytes(whole[:size] + b"\0" * data.draw(st.integers(0, 3)))
    told = find_recoverable()
    assert told.problems == ()
    for left in told.recoverable:
        recovered = recover(left, unnoted)
        assert recovered.state.document == states[left.changes]
        assert recovered.state.is_changed
        recovered.discard()
    assert list(journal_folder().iterdir()) == []


@pytest.mark.parametrize("zeros", range(4))
def test_zeros_in_place_of_the_last_byte_of_the_beginning_are_no_damage(left: Recoverable, zeros: int) -> None:
    whole = left.journal.read_bytes()
    beginning = next(frames(whole, len(MAGIC)))[2]
    left.journal.write_bytes(whole[: beginning - 1] + b"\0" * zeros)
    assert find_recoverable().problems == ()


def test_foreign_and_damaged_files_are_a_sentence_each(left: Recoverable) -> None:
    (journal_folder() / "foreign.journal").write_bytes(b"\x89PNG")
    (journal_folder() / "folder.journal").mkdir()
    (journal_folder() / "note.txt").write_text("no journal")
    (journal_folder() / "wrong.journal").write_bytes(left.journal.read_bytes().replace(b'"path": "', b'"path": 7, "'))
    told = find_recoverable()
    assert [one.journal for one in told.recoverable] == [left.journal]
    assert len(told.problems) == 3
    assert all(sentence.endswith(".") and "\n" not in sentence for sentence in told.problems)
    forget(left.journal)


CHILD = """
import sys
from pathlib import Path
from trace_inspector.core.values.edit import Insert, Set
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.goldens.edit_session import EditSession
session = EditSession(read(Path(sys.argv[1])), lambda _: None)
for number in range(1, 100_000):
    if number % 7 == 0:
        session.undo()
    else:
        session.apply(Set("/a", str(number)), Insert("/b/-", str(number)))
    print(number, flush=True)
"""


def after_steps(count: int) -> tuple[int, list[int]]:
    """What the child's document is after so many steps."""
    states: list[tuple[int, list[int]]] = [(0, [])]
    for number in range(1, count + 1):
        if number % 7 == 0:
            states.pop()
        else:
            states.append((number, [*states[-1][1], number]))
    return states[-1]


@pytest.mark.parametrize("seed", range(4 if is_long() else 2))
def test_a_killed_process_loses_nothing_that_was_confirmed(file: Path, seed: int) -> None:
    wanted = random.Random(seed).randint(1, 300)
    with subprocess.Popen([sys.executable, "-c", CHILD, str(file)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            confirmed = next(int(line) for line in child.stdout if int(line) == wanted)
            assert find_recoverable() == RecoverableEdits(in_use=1)
        finally:
            child.kill()
        confirmed = max([confirmed, *(int(line) for line in child.stdout if line.endswith("\n"))])
    found = the_one()
    assert found.changes >= confirmed >= wanted
    session = recover(found, unnoted)
    a, b = after_steps(found.changes)
    assert session.state.document.value == {"a": a, "b": b}
    while session.state.can_undo:
        session.undo()
    assert session.state.document.data.decode() == TEXT
    session.discard()
    assert file.read_text() == TEXT


def test_what_changed_inside_its_packing_is_written_over_only_by_force_and_stays_packed(tmp_path: Path) -> None:
    packed, archive = tmp_path / "x.json.gz", tmp_path / "x.zip"
    for path in (packed, archive / "x.json"):
        for text in (TEXT, "[]"):  # somebody else writes after the edit
            packed.write_bytes(gzip.compress(text.encode()))
            with zipfile.ZipFile(archive, "w") as writer:
                writer.writestr("x.json", text)
            if text == TEXT:
                session = EditSession(read(path), unnoted)
                session.apply(Set("/a", "1"))
                session.close()
        session = recover(the_one(), unnoted)
        with pytest.raises(SaveError, match="changed on disk"):
            session.save()
        session.save(force=True)
        session.close()
        assert read(path).data == TEXT.replace("0", "1").encode()
        assert read(path).packing is not None


def frame(length: int, payload: bytes) -> bytes:
    return length.to_bytes(8, "little") + b"\1\2\3\4" + payload


@pytest.mark.parametrize("disk", ["", "saved"])
def test_a_journal_whose_edits_cannot_be_read_is_offered_and_not_removed(left: Recoverable, disk: str) -> None:
    """What is behind the damage nobody knows, so that it does not count as saved or taken back."""
    whole = left.journal.read_bytes()
    start = parse_journal(whole, left.journal)
    first = len(whole) - sum(len(record_bytes(one)) for one in start.records)
    damaged = whole[:first] + frame(1 << 50, whole[first + 12 :])
    left.journal.write_bytes(damaged)
    told = find_recoverable()
    assert [(one.journal, one.changes) for one in told.recoverable] == [(left.journal, 0)]
    assert "damaged" in told.recoverable[0].note
    assert left.journal.read_bytes() == damaged
    if disk:
        recover(told.recoverable[0], unnoted).close()
        (aside,) = journal_folder().glob("*.damaged-*")
        assert aside.read_bytes() == damaged


@pytest.mark.parametrize(
    "data", [MAGIC + b"garbage " * 20, b"trace-inspector journal 2\nof the future", os.urandom(999)]
)
def test_a_journal_that_cannot_be_read_stays_and_is_named(data: bytes) -> None:
    folder = ready_data_folder() / "journals"
    folder.mkdir()
    path = folder / "1-a.journal"
    path.write_bytes(data)
    for _start in range(2):
        told = find_recoverable()
        assert told.recoverable == ()
        assert [sentence.startswith(f"{path}: ") for sentence in told.problems] == [True]
    assert path.read_bytes() == data


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_journal_that_may_not_be_read_stays_and_is_named(left: Recoverable) -> None:
    left.journal.chmod(0)
    assert [sentence.startswith(f"{left.journal}: ") for sentence in find_recoverable().problems] == [True]
    left.journal.chmod(0o600)
    assert len(find_recoverable().recoverable) == 1
