from __future__ import annotations

import os
import stat
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.errors import EditError, ReadError
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.saving import journal
from trace_inspector.documents.saving.history import Move
from trace_inspector.documents.saving.journal_format import (
    MAGIC,
    Record,
    UnfinishedError,
    head,
    parse_journal,
    record_bytes,
)
from trace_inspector.documents.text.patch import Patch

DOCUMENT = parse(b'{"a": 1}', Path("/some/file.json"))


def record(at: int = 6, old: bytes = b"1", new: bytes = b"2", move: Move = Move.EDIT) -> Record:
    return Record(move, (Patch(at, old, new),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journals"


def written(folder: Path, *records: Record, document: Document = DOCUMENT) -> Path:
    writer = journal.begin(folder, document)
    for one in records:
        writer.append(one)
    writer.close()
    return writer.path


patches = st.builds(Patch, st.integers(0, 1 << 40), st.binary(max_size=20), st.binary(max_size=20))
records = st.builds(
    Record,
    st.sampled_from(Move),
    st.lists(patches, max_size=3).map(tuple),
    st.integers(0, (1 << 63) - 1),
    st.integers(1, 1 << 20),
)


@examples(40, 1000)
@given(st.lists(records, max_size=5), st.binary(max_size=40) | st.none())
def test_what_is_written_is_read(made: list[Record], copy: bytes | None) -> None:
    origin = parse_journal(head_of(DOCUMENT), Path("j")).origin
    data = head(origin, copy) + b"".join(map(record_bytes, made))
    found = parse_journal(data, Path("j"))
    assert (found.origin, found.copy, found.records, found.end, found.note) == (
        origin,
        copy,
        tuple(made),
        len(data),
        "",
    )


def head_of(document: Document) -> bytes:
    from trace_inspector.documents.saving.journal_format import Origin

    return head(Origin(str(document.path), "0" * 64, 3, document.stamp, 1.5, 7), document.data)


def test_a_journal_of_the_version_before_is_read_and_gone_on_with(folder: Path) -> None:
    """It told nothing of groups: a record is one edit."""
    payload = b"e" + struct.pack("<QQQ", 6, 1, 1) + b"12"
    old = head_of(DOCUMENT).replace(b"journal 2", b"journal 1")
    folder.mkdir()
    path = folder / "1-a.journal"
    path.write_bytes(old + struct.pack("<QI", len(payload), zlib.crc32(payload)) + payload)
    taken = journal.take_over(path)
    assert taken is not None
    writer, found = taken
    assert (found.records, found.note) == ((record(),), "")
    grouped = replace(record(), group=5, edits=2)
    writer.append(grouped)
    writer.close()
    again = journal.look(path)
    assert again is not None
    assert (again.records, again.note) == ((record(), grouped), "")


@examples(40, 1000)
@given(st.lists(records, min_size=1, max_size=3), st.data())
def test_a_last_record_that_is_torn_anywhere_is_left_out(made: list[Record], data: st.DataObject) -> None:
    whole = head_of(DOCUMENT) + b"".join(map(record_bytes, made[:-1]))
    last = record_bytes(made[-1])
    for size in range(1, len(last)):
        for rest in (last[:size], last[:size] + b"\0" * (len(last) - size)):
            found = parse_journal(whole + rest, Path("j"))
            if rest == last:
                continue
            assert (found.records, found.end) == (tuple(made[:-1]), len(whole))
            assert found.torn
            assert found.note.startswith("The last edit was only half written")
    flipped = bytearray(last)
    flipped[data.draw(st.integers(0, len(last) - 1))] ^= 1
    assert parse_journal(whole + bytes(flipped), Path("j")).records == tuple(made[:-1])


def test_damage_in_the_middle_ends_the_journal_there() -> None:
    whole = head_of(DOCUMENT) + record_bytes(record())
    broken = bytearray(record_bytes(record(new=b"broken")))
    broken[-1] ^= 1
    found = parse_journal(whole + bytes(broken) + record_bytes(record()), Path("j"))
    assert (len(found.records), found.end, found.torn) == (1, len(whole), False)
    assert found.note == f"The journal is damaged from byte {len(whole) + 1} on; the edits before it are there."


def test_a_whole_frame_that_is_no_record_ends_the_journal() -> None:
    whole = head_of(DOCUMENT) + record_bytes(record())
    for payload in (b"e" + b"\0" * 23, b"x" + b"\0" * 24, b"e" + b"\xff" * 24):
        frame = struct.pack("<QI", len(payload), zlib.crc32(payload)) + payload
        found = parse_journal(whole + frame + record_bytes(record()), Path("j"))
        assert (len(found.records), found.end, found.torn) == (1, len(whole), False)


def test_zeros_behind_the_last_record_are_no_records() -> None:
    found = parse_journal(head_of(DOCUMENT) + b"\0" * 4096, Path("j"))
    assert (found.records, found.note[:13]) == ((), "The last edit")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 100,
        b"{}",
        MAGIC[:-3],
        MAGIC,
        MAGIC + b"\xff" * 50,
        b"trace-inspector journal 2\n",
        head_of(DOCUMENT)[:60],
    ],
)
def test_what_is_no_journal_is_a_sentence(folder: Path, data: bytes) -> None:
    folder.mkdir()
    path = folder / "x.journal"
    path.write_bytes(data)
    for use in (journal.look, journal.take_over):
        with pytest.raises(ReadError, match=r"[.]$"):
            use(path)
    assert path.read_bytes() == data


def test_of_a_foreign_file_only_the_start_is_read(folder: Path) -> None:
    folder.mkdir()
    path = folder / "huge.journal"
    with path.open("wb") as file:
        file.write(b"something else")
        file.truncate(1 << 36)
    with pytest.raises(ReadError, match="no edit journal"):
        journal.look(path)


@given(st.binary(max_size=200))
def test_no_bytes_behind_the_magic_break_the_reader(data: bytes) -> None:
    for start in (MAGIC, head_of(DOCUMENT)):
        try:
            assert parse_journal(start + data, Path("j")).end <= len(start) + len(data)
        except ReadError:
            continue


def test_a_journal_is_the_owners_alone(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    path = written(folder, record())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_journal_in_use_is_left_alone(folder: Path) -> None:
    first, second = journal.begin(folder, DOCUMENT), journal.begin(folder, DOCUMENT)
    assert first.path != second.path
    assert journal.look(first.path) is None
    assert journal.take_over(second.path) is None
    first.close()
    assert journal.look(first.path) is not None
    assert journal.take_over(second.path) is None
    second.close()


def test_half_a_record_goes_when_a_journal_is_gone_on_with(folder: Path) -> None:
    path = written(folder, record())
    whole = path.read_bytes()
    path.write_bytes(whole + record_bytes(record())[:-1])
    taken = journal.take_over(path)
    assert taken is not None
    writer, found = taken
    assert (len(found.records), found.note[:13]) == (1, "The last edit")
    assert path.read_bytes() == whole
    writer.append(record(new=b"3"))
    writer.close()
    again = journal.look(path)
    assert again is not None
    assert [one.change[0].new for one in again.records] == [b"2", b"3"]


def test_a_large_document_is_not_copied(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_COPY_BYTES", 7)
    large = journal.look(written(folder, record()))
    assert large is not None
    assert (large.copy, large.origin.size, len(large.records)) == (None, 8, 1)
    small = journal.look(written(folder, document=replace(DOCUMENT, data=b"[1]")))
    assert small is not None
    assert small.copy == b"[1]"


def test_an_append_that_fails_leaves_the_journal_whole(folder: Path) -> None:
    writer = journal.begin(folder, DOCUMENT)
    os.close(writer._handle)
    writer._handle = os.open(writer.path, os.O_RDONLY)
    before = writer.path.read_bytes()
    with pytest.raises(EditError, match=r"journal cannot be written \(Bad file descriptor\)"):
        writer.append(record())
    assert writer.path.read_bytes() == before
    with pytest.raises(EditError, match="an earlier failure left it damaged"):
        writer.append(record())
    writer.close()


def test_a_journal_that_replaces_another_removes_it_once_it_is_safe(folder: Path) -> None:
    old = journal.begin(folder, DOCUMENT)
    new = journal.begin(folder, DOCUMENT, (record(),), replaced=old)
    assert old.path.exists()
    new.sync()
    assert not old.path.exists()
    new.remove()
    new.sync()
    assert list(folder.iterdir()) == []


def test_replaced_journals_go_with_the_newest(folder: Path) -> None:
    newest = journal.begin(folder, DOCUMENT)
    for _ in range(3):
        newest = journal.begin(folder, DOCUMENT, replaced=newest)
    newest.remove()
    assert list(folder.iterdir()) == []


@each("kind", [b"o", b"c", Move.EDIT.value.encode(), b"?"])
def test_damage_is_not_taken_for_a_write_that_was_cut_off(kind: bytes) -> None:
    """Garbage in the place of a length leads behind the end of the file almost always."""
    garbage = struct.pack("<QI", 1 << 60, 7) + kind + bytes(range(1, 90))
    found = parse_journal(head_of(DOCUMENT) + garbage, Path("j"))
    assert (found.torn, found.note[:22]) == (False, "The journal is damaged")
    with pytest.raises(ReadError) as refused:
        parse_journal(MAGIC + garbage, Path("j"))
    assert not isinstance(refused.value, UnfinishedError)


def test_a_last_record_with_another_checksum_is_damage_and_not_half_written(folder: Path) -> None:
    data = bytearray(written(folder, record(), record()).read_bytes())
    data[-1] ^= 1
    found = parse_journal(bytes(data), Path("j"))
    assert (len(found.records), found.torn) == (1, False)


def test_of_a_damaged_journal_a_copy_stays_when_it_is_gone_on_with(folder: Path) -> None:
    path = written(folder, record(), record(), record())
    data = bytearray(path.read_bytes())
    data[-len(record_bytes(record())) - 1] ^= 1
    path.write_bytes(data)
    taken = journal.take_over(path)
    assert taken is not None
    taken[0].remove()
    (aside,) = folder.iterdir()
    assert aside.name.startswith(f"{path.name}.damaged-")
    assert (aside.read_bytes(), stat.S_IMODE(aside.stat().st_mode)) == (bytes(data), 0o600)


def test_a_pipe_among_the_journals_is_a_sentence(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "x.journal")
    for use in (journal.look, journal.take_over):
        with pytest.raises(ReadError, match="Not a regular file"):
            use(folder / "x.journal")
