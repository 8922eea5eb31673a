"""Zip archives as folders: what is read, and what is refused with a reason."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.archives import (
    JSON,
    named,
    overlapping,
    patched_directory,
    streamed,
    wide,
    zipped,
)
from tests.helpers.campaigns import examples
from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Severity
from trace_inspector.documents.bundles.folders import files_in
from trace_inspector.documents.reading.reading import read, stamp_at
from trace_inspector.documents.zip import directory as zip_directory
from trace_inspector.documents.zip import inflate
from trace_inspector.documents.zip.layout import END
from trace_inspector.documents.zip.names import leads_outside, safe_path

Make: TypeAlias = Callable[[Mapping[str, bytes]], bytes]

MEMBERS = {"a.json": b'{"a": 1}\n', "b/c.jsonl": b'{"n": 1}\n{"n": 2}\n', "b/d e.yaml.json": b"[4]"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "x.zip"


def inside(file: Path) -> list[str]:
    return [path.relative_to(file).as_posix() for path in files_in(file)]


def why(path: Path) -> str:
    with pytest.raises(ReadError) as caught:
        read(path)
    assert caught.value.path == str(path)
    assert caught.value.sentence.endswith(".")
    return caught.value.sentence


@pytest.mark.parametrize("make", [zipped, streamed, wide])
def test_every_member_is_a_document_under_its_path(file: Path, make: Make) -> None:
    file.write_bytes(make(MEMBERS))
    assert inside(file) == sorted(MEMBERS)
    for name, data in MEMBERS.items():
        document = read(file / name)
        assert (document.path, document.data, document.findings) == (file / name, data, ())
        assert document.stamp == stamp_at(file) == stamp_at(file / name)


@pytest.mark.parametrize("before", [b"", b"#!/bin/sh\nexec something\n"])
@pytest.mark.parametrize("behind", [b"", b"\0" * 300])
def test_what_stands_around_an_archive_does_not_matter(file: Path, before: bytes, behind: bytes) -> None:
    # An archive that begins with something else is none for us, but its offsets may be wrong in the same way.
    whole = zipped(MEMBERS, comment=b"PK\x05\x06 is no end")
    first = zipped({"other.json": JSON})
    file.write_bytes((first + before if before else b"") + whole + behind)
    assert inside(file) == sorted(MEMBERS)
    assert read(file / "a.json").data == MEMBERS["a.json"]


def test_a_member_may_be_packed_in_gzip_too(file: Path) -> None:
    packed = gzip.compress(JSON)
    file.write_bytes(zipped({"a.json.gz": packed, "b.gz": gzip.compress(b"words"), "c.gz": packed}))
    assert inside(file) == ["a.json.gz", "c.gz"]
    assert read(file / "c.gz").data == JSON


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"dir\\x.json", "dir/x.json"),
        (b"./a//b/./x.json", "a/b/x.json"),
        ("grün.json".encode(), "grün.json"),
        ("grün.json".encode("cp437"), "grün.json"),
        ("日本.json".encode("cp932"), "日本.json".encode("cp932").decode("cp437")),
    ],
)
def test_names_in_other_spellings_are_read(file: Path, raw: bytes, path: str) -> None:
    file.write_bytes(named(raw))
    assert inside(file) == [path]
    assert read(file / path).data == JSON


ESCAPING = (
    b"../x.json", b"a/../../x.json", b"..\\..\\x.json", b"/etc/x.json", b"\\x.json", b"C:\\x.json", b"c:x.json",
    b"//host/share/x.json", b"a\0b.json", b"a\nb.json", b"a\x1b[31mb.json", b"..", "a\x9bb.json".encode(),
)  # fmt: skip


@pytest.mark.parametrize("raw", ESCAPING)
def test_names_that_lead_elsewhere_are_told_and_not_read(file: Path, raw: bytes) -> None:
    file.write_bytes(named(raw))
    (path,) = files_in(file)
    assert path.parts[: len(file.parts)] == file.parts
    assert ".." not in path.parts
    assert "leads elsewhere" in why(path)
    assert list(file.parent.iterdir()) == [file]


@given(st.text(max_size=30))
def test_no_name_is_shown_as_a_path_that_leads_elsewhere(name: str) -> None:
    path = Path("/x/a.zip") / safe_path(name)
    assert path.parts[:3] == ("/", "x", "a.zip")
    assert ".." not in path.parts
    assert leads_outside(name) or "\0" not in name


REFUSED = (
    (named(b"x.json", b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "symbolic link"),
    (named(b"x.json", flags=1), "encrypted"),
    (named(b"x.json", flags=1 << 6 | 1), "encrypted"),
    (named(b"x.json", method=99), "packed by method 99"),
    (named(b"x.json", method=9), "packed by method 9"),
)


@pytest.mark.parametrize(("archive", "sentence"), REFUSED)
def test_members_that_are_not_read_are_told(file: Path, archive: bytes, sentence: str) -> None:
    file.write_bytes(archive)
    assert inside(file) == ["x.json"]
    assert sentence in why(file / "x.json")


def test_what_is_not_meant_is_left_out(file: Path) -> None:
    file.write_bytes(
        zipped(
            {
                "__MACOSX/._a.json": b"x", "._a.json": b"x", ".git/a.json": JSON, "pic.png": b"\x89PNG\r\n",
                "b/": b"", "note.txt": b"words", "data": JSON, "b/.adk/eval_history/r.json": JSON,
                "w.docx": zipped(MEMBERS),
            }
        )
    )  # fmt: skip
    assert inside(file) == ["b/.adk/eval_history/r.json", "data"]


def test_of_members_with_one_name_the_last_is_read(file: Path) -> None:
    whole = zipped({f"{number}.json": b"[%d]" % number for number in range(3)})
    file.write_bytes(whole.replace(b"0.json", b"x.json").replace(b"1.json", b"x.json").replace(b"2.json", b"x.json"))
    assert inside(file) == ["x.json"]
    document = read(file / "x.json")
    assert document.value == [2]
    assert [(one.severity, one.code) for one in document.findings] == [(Severity.WARNING, "duplicate-member")]
    assert "3 files with this name" in document.findings[0].message


def test_an_archive_in_an_archive_is_told_and_not_opened(file: Path) -> None:
    file.write_bytes(zipped({"inner.zip": zipped(MEMBERS)}))
    assert inside(file) == ["inner.zip"]
    assert "archive inside an archive" in why(file / "inner.zip")


def test_what_is_not_there_is_told(file: Path) -> None:
    file.write_bytes(zipped(MEMBERS))
    assert "no “c.json” in the archive x.zip" in why(file / "c.json")
    assert "no “../x” in the archive" in why(file / ".." / "x")
    assert "no such file" in why(file.parent / "y.zip" / "a.json")
    (file.parent / "plain").write_text("{}")
    assert "Part of this path is a file" in why(file.parent / "plain" / "a.json")


def test_an_archive_where_a_file_is_needed(file: Path) -> None:
    file.write_bytes(zipped(MEMBERS))
    assert f"a single file is needed. Name one in it, such as {file / 'a.json'}" in why(file)
    assert f"such as {file / 'b' / 'c.jsonl'}" in why(file / "b")
    file.write_bytes(zipped({}))
    assert "an archive without any file that can be read" in why(file)
    file.write_bytes(zipped({"a.txt": b"words"}))
    assert "an archive without any file that can be read" in why(file)


@pytest.mark.parametrize("make", [zipped, streamed, wide])
@pytest.mark.parametrize("cut", ["directory", "end", "member", "header"])
def test_a_cut_archive_is_read_as_far_as_it_goes(file: Path, make: Make, cut: str) -> None:
    numbers = b"".join(b'{"number": %d}\n' % (at * at) for at in range(300))
    whole = make({"a.json": JSON, "b.jsonl": numbers})
    second = whole.index(b"PK\x03\x04", 4)
    ends = {"directory": whole.index(b"PK\x01\x02"), "end": -10, "member": second + 400, "header": second + 20}
    file.write_bytes(whole[: ends[cut]])
    document = read(file / "a.json")
    assert document.data == JSON
    assert [(one.severity, one.code) for one in document.findings] == [(Severity.ERROR, "archive-damaged")]
    if cut == "header":
        assert inside(file) == ["a.json"]
        return
    assert inside(file) == ["a.json", "b.jsonl"]
    rest = read(file / "b.jsonl")
    codes = [one.code for one in rest.findings]
    if cut == "member":
        assert numbers.startswith(rest.data)
        assert rest.data
        assert codes[:2] == ["archive-damaged", "packed-damaged"]
    else:
        assert (rest.data, codes) == (numbers, ["archive-damaged"])


def test_an_archive_with_nothing_to_save_says_so(file: Path) -> None:
    file.write_bytes(b"PK\x03\x04" + bytes(10))
    assert "nothing in it can be read" in why(file)
    assert list(files_in(file)) == [file]


def test_a_wrong_checksum_is_a_finding(file: Path) -> None:
    whole = zipped({"a.json": JSON})
    crc = whole[14:18]
    file.write_bytes(whole.replace(crc, bytes(4)))
    document = read(file / "a.json")
    assert document.data == JSON
    assert [(one.severity, one.code) for one in document.findings] == [(Severity.ERROR, "packed-damaged")]
    assert "checksum is wrong" in document.findings[0].message


def test_a_member_that_lies_elsewhere_is_told(file: Path) -> None:
    def move(whole: bytearray, at: int) -> None:
        whole[at + 42] += 1

    file.write_bytes(patched_directory(zipped({"a.json": JSON}), move))
    assert "not where its directory says" in why(file / "a.json")


@pytest.mark.parametrize("offset", [1 << 40, 1 << 63, (1 << 64) - 1])
def test_a_member_that_lies_beyond_the_file_is_told(file: Path, offset: int) -> None:
    whole = zipped({"a.json": JSON})
    central, end = whole.index(b"PK\x01\x02"), whole.rindex(b"PK\x05\x06")
    record = bytearray(whole[central:end] + struct.pack("<2HQ", 1, 8, offset))
    struct.pack_into("<H", record, 30, 12)
    struct.pack_into("<L", record, 42, 0xFFFF_FFFF)
    tail = END.pack(b"PK\x05\x06", 0, 0, 1, 1, len(record), central, 0)
    file.write_bytes(whole[:central] + record + tail)
    assert "not where its directory says" in why(file / "a.json")


def test_an_end_in_the_comment_is_none(file: Path) -> None:
    file.write_bytes(zipped(MEMBERS, comment=END.pack(b"PK\x05\x06", 0, 0, 0, 0, 0, 0, 0) + b"!"))
    assert inside(file) == sorted(MEMBERS)


def test_gzip_in_a_damaged_member_is_held_to_little(file: Path) -> None:
    def claim(whole: bytearray, at: int) -> None:
        whole[at + 20 : at + 24] = (1 << 29).to_bytes(4, "little")

    packed = gzip.compress(bytes(inflate.ALWAYS_ALLOWED_BYTES + 1))
    file.write_bytes(patched_directory(zipped({"a.json.gz": packed}), claim))
    assert "as a zip bomb does" in why(file / "a.json.gz")


def test_a_member_with_more_than_it_says_is_not_unpacked(file: Path) -> None:
    def shrink(whole: bytearray, at: int) -> None:
        whole[at + 24 : at + 28] = (3).to_bytes(4, "little")

    file.write_bytes(patched_directory(zipped({"a.json": JSON}), shrink))
    assert "holds more than the archive says" in why(file / "a.json")


def test_a_bomb_is_not_unpacked(file: Path) -> None:
    file.write_bytes(zipped({"a.json": bytes(inflate.ALWAYS_ALLOWED_BYTES + 1)}))
    assert "as a zip bomb does" in why(file)
    assert "as a zip bomb does" in why(file / "a.json")
    assert list(files_in(file)) == [file]


def test_small_members_make_a_bomb_together(file: Path) -> None:
    part = bytes(inflate.ALWAYS_ALLOWED_BYTES // 8)
    file.write_bytes(zipped({f"{at}.json": part for at in range(9)}))
    assert "as a zip bomb does" in why(file / "0.json")


def test_a_member_beside_ballast_is_held_to_its_own_size(file: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("ballast.bin", bytes(1 << 20), zipfile.ZIP_STORED)
        archive.writestr("a.json", bytes(inflate.ALWAYS_ALLOWED_BYTES * 2), zipfile.ZIP_DEFLATED)
    assert inside(file) == ["a.json"]
    assert "as a zip bomb does" in why(file / "a.json")


def test_members_that_share_bytes_are_not_unpacked(file: Path) -> None:
    file.write_bytes(overlapping(4, JSON))
    assert len(inside(file)) == 4
    assert "shares bytes with others" in why(file / "2.json")


def test_too_many_members_are_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_directory, "MOST_MEMBERS", 3)
    file.write_bytes(zipped({f"{at}.json": JSON for at in range(4)}))
    assert "holds more than" in why(file)
    whole = file.read_bytes()
    file.write_bytes(whole[: whole.index(b"PK\x01\x02")])
    assert "holds more than" in why(file / "0.json")


def test_names_longer_than_a_file_may_have_are_read(file: Path) -> None:
    long, deep = "n" * 5_000 + ".json", "d/" * 30_000 + "x.json"
    file.write_bytes(zipped({long: JSON, deep: JSON, "gone/x.json": JSON}))
    paths = list(files_in(file))
    assert len(paths) == 3
    assert [read(path).data for path in paths] == [JSON] * 3
    assert "There is no" in why(file / ("m" * 5_000))


def test_a_part_of_a_split_archive_is_told(file: Path) -> None:
    whole = bytearray(zipped(MEMBERS))
    whole[whole.rindex(b"PK\x05\x06") + 4] = 2
    file.write_bytes(whole)
    assert "one part of an archive in several files" in why(file)


WHOLE = zipped({"a.json": JSON, "b/c.json": b"[1, 2]" * 20}, comment=b"said")
STREAMED, WIDE = streamed({"a.json": JSON, "b.json": JSON * 9}), wide({"a.json": JSON, "b.json": JSON * 9})


@examples(40, 1000)
@given(
    st.sampled_from([WHOLE, STREAMED, WIDE]),
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255)), max_size=4),
    st.integers(0, 600),
)
def test_no_damage_raises_anything_but_a_sentence(whole: bytes, changes: list[tuple[int, int]], keep: int) -> None:
    damaged = bytearray(whole)
    for at, value in changes:
        damaged[at % len(damaged)] = value
    with TemporaryDirectory() as folder:
        file = Path(folder) / "x.zip"
        file.write_bytes(damaged[: len(damaged) - keep % len(damaged)] if keep < 300 else damaged)
        for path in [file, *files_in(file)]:
            try:
                document = read(path)
            except ReadError:
                continue
            assert len(document.data) <= inflate.ALWAYS_ALLOWED_BYTES


def test_python_agrees_on_what_is_in_an_archive(file: Path) -> None:
    for make in (zipped, streamed, wide):
        file.write_bytes(make(MEMBERS))
        with zipfile.ZipFile(io.BytesIO(file.read_bytes())) as archive:
            assert {path.filename: archive.read(path) for path in archive.infolist()} == {
                name: read(file / name).data for name in inside(file)
            }
