from __future__ import annotations

import math
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.errors import ReadError, Stopped
from trace_inspector.core.finding import Severity
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Container
from trace_inspector.documents.reading import reading
from trace_inspector.documents.reading.reading import parse, read
from trace_inspector.documents.text.warnings import MAX_FINDINGS, WARNINGS

# The bytes of a file, the value that is shown, and its findings as code:line:column pointer.
ODD_FILES: tuple[tuple[bytes, Json, tuple[str, ...]], ...] = (
    (b'{"a": 1,\n "b": [1, 2,],\n}', {"a": 1, "b": [1, 2]}, ("trailing-comma:2:12 /b", "trailing-comma:2:14 ")),
    (b'// why\n{"a": /* one */ 1}', {"a": 1}, ("comment:1:1 ", "comment:2:7 ")),
    (b'{"a": 1} // the end', {"a": 1}, ("comment:1:10 ",)),
    (b'{"a": 1} /* never closed', {"a": 1}, ("comment:1:10 ",)),
    (b"[Infinity, -Infinity]", [math.inf, -math.inf], ("not-a-number:1:2 /0", "not-a-number:1:12 /1")),
    (
        b'{"a": "\\ud83d", "b": "\\ude00\\ud83d"}',
        {"a": "\ud83d", "b": "\ude00\ud83d"},
        ("lone-surrogate:1:8 /a", "lone-surrogate:1:23 /b"),
    ),
    (b'["\\\\ud83d", "\\ud83d\\ude00"]', ["\\ud83d", "\U0001f600"], ()),
    (b'{"a": 1, "b": 2, "a": 3}', {"a": 3, "b": 2}, ("duplicate-key:1:18 /a",)),
    (b'[{"a": 1, "\\u0061": 3}]', [{"a": 3}], ("duplicate-key:1:11 /0/a",)),
    (b'{"a": [1, {"b": "cut o', {"a": [1, {"b": "cut o"}]}, ("truncated:1:23 /a/1",)),
    (b'{"a": "cut off in an escape\\', {"a": "cut off in an escape"}, ("truncated:1:29 ",)),
    (b"[\n[1],\n[2]", [[1], [2]], ("truncated:3:4 ",)),
    (b'{"a": 1, "b"', {"a": 1}, ("truncated:1:13 ",)),
    (b'{"a": 1, "b":', {"a": 1}, ("truncated:1:14 ",)),
    (b'{"a": tru', {"a": "tru"}, ("unexpected-text:1:7 /a", "truncated:1:10 ")),
    (b"[" + b"1" * 4301 + b"]", [math.inf], ("huge-number:1:2 /0",)),
    (b"[-" + b"1" * 4301 + b"]", [-math.inf], ("huge-number:1:2 /0",)),
    (b"[1,, 2]", [1, 2], ("extra-comma:1:4 ",)),
    (b"[, 1]", [1], ("extra-comma:1:2 ",)),
    (b'[1 2\n"3"]', [1, 2, "3"], ("missing-comma:1:4 ", "missing-comma:2:1 ")),
    (b'{"a" 1}', {"a": 1}, ("missing-colon:1:6 /a",)),
    (b'{"a": , "b": 2}', {"b": 2}, ("missing-value:1:2 /a",)),
    (b'{"a":}', {}, ("missing-value:1:2 /a",)),
    (b'{[1, "}"], "b": 2}', {"b": 2}, ("missing-key:1:2 ",)),
    (
        b"{a: 1, b: True}",
        {"a": 1, "b": "True"},
        ("unquoted-key:1:2 ", "unquoted-key:1:8 ", "unexpected-text:1:11 /b"),
    ),
    (
        b"[01, .5, +1, 1., 0x1F]",
        ["01", ".5", "+1", "1.", "0x1F"],
        tuple(f"unexpected-text:1:{c} /{i}" for i, c in enumerate((2, 6, 10, 14, 18))),
    ),
    (b"[:1]", [1], ("unexpected-mark:1:2 ",)),
    (b'{"a": [1, 2}', {"a": [1, 2]}, ("mismatched-bracket:1:12 /a",)),
    (b"[1}, 2]", [1, 2], ("mismatched-bracket:1:3 ",)),
    (b'["a\tb\nc"]', ["a\tb\nc"], ("control-character:1:4 /0",)),
    (b'["\\q \\\\ \\u12 \\n"]', ["\\q \\ \\u12 \n"], ("invalid-escape:1:3 /0",)),
    (b'{"a": "\xff\xc3\xa9"}', {"a": "\udcff\xe9"}, ("invalid-utf-8:1:8 ",)),
    (b'["a",, "\xff"]', ["a", "\udcff"], ("extra-comma:1:6 ", "invalid-utf-8:1:9 ")),
    ('["é", 1,]'.encode(), ["é", 1], ("trailing-comma:1:8 ",)),
    (b"\xef\xbb\xbf[1]", [1], ("byte-order-mark:1:1 ",)),
    (b"\xef\xbb\xbf[1,]", [1], ("byte-order-mark:1:1 ", "trailing-comma:1:3 ")),
    ("\ufeff{}".encode("utf-16-le"), {}, ("utf-16:1:1 ",)),
    ('\ufeff["é",\n1,]'.encode("utf-16-be"), ["é", 1], ("utf-16:1:1 ", "trailing-comma:2:2 ")),
    ("\ufeff[1]".encode("utf-16-le") + b"\n", [1], ("utf-16:1:1 ", "half-character:1:4 ")),
    (
        b'callback({"a": 1})',
        ["callback(", {"a": 1}, ")"],
        ("unexpected-text:1:1 /0", "missing-space:1:10 /1", "missing-space:1:18 /2", "unexpected-text:1:18 /2"),
    ),
)


@each(("data", "value", "findings"), ODD_FILES, ids=lambda case: case[:30] if isinstance(case, bytes) else "")
def test_odd_files_are_read_with_findings(data: bytes, value: Json, findings: tuple[str, ...]) -> None:
    document = parse(data, Path("x.json"))
    assert document.value == value
    assert tuple(f"{one.code}:{one.line}:{one.column} {one.pointer}" for one in document.findings) == findings
    assert document.data == data


def test_nan_is_kept() -> None:
    value = parse(b"[NaN]", Path("x.json")).value
    assert isinstance(value, list)
    assert repr(value) == "[nan]"


LINES: tuple[tuple[bytes, Json, tuple[str, ...]], ...] = (
    (b'{"a":1}\n{"b":2}\n', [{"a": 1}, {"b": 2}], ()),
    (b"[1]\r\n\r\n[2]", [[1], [2]], ()),
    (b'{"a":\n1}\n{"b":\n2}', [{"a": 1}, {"b": 2}], ()),
    (b"{}{}[]", [{}, {}, []], ()),
    (b"1 2\n3", [1, 2, 3], ()),
    (b'{"a":1}\n{"a":\n{"b":2}\n{"c":3}', [{"a": 1}, {}, {"b": 2}, {"c": 3}], ("truncated:2:6 /1",)),
    (b'{"a":1}\n{"b":2,}\n', [{"a": 1}, {"b": 2}], ("trailing-comma:2:7 /1",)),
    (b'{"a":1}\n{"b":{"b":1,"b":2}}', [{"a": 1}, {"b": {"b": 2}}], ("duplicate-key:2:13 /1/b/b",)),
    ("\ufeff[1]\n[2]".encode("utf-16-le"), [[1], [2]], ("utf-16:1:1 ",)),
)


@each(("data", "value", "findings"), LINES)
def test_documents_that_follow_each_other_are_an_array(data: bytes, value: Json, findings: tuple[str, ...]) -> None:
    for name in ("x.json", "x.jsonl", "x"):
        document = parse(data, Path(name))
        assert document.container is Container.JSON_LINES
        assert document.value == value
        assert tuple(f"{one.code}:{one.line}:{one.column} {one.pointer}" for one in document.findings) == findings


def test_a_broken_line_spoils_only_itself() -> None:
    lines = [b'{"n": %d}' % number for number in range(50)]
    lines[20] = b'{"n": [1, {"cut": "of'
    value = parse(b"\n".join(lines), Path("x.json")).value
    assert isinstance(value, list)
    assert value[20] == {"n": [1, {"cut": "of"}]}
    assert value[21:] == [{"n": number} for number in range(21, 50)]


@each("text", ['[{"a":1},\n{"b":2}\n]', '[\n{"a":1},\n{"b":2}\n]', "[" + "[1],\n" * 9 + "[1]\n]"])
@each("fault", ["", "[NaN],"])
def test_an_array_with_an_element_on_each_line_is_one_document(text: str, fault: str) -> None:
    document = parse(text.replace("[", "[" + fault, 1).encode(), Path("x.json"))
    assert document.container is Container.JSON


@pytest.mark.parametrize("name", ["x.jsonl", "x.NDJSON"])
def test_a_single_line_is_a_json_lines_file_by_its_name(name: str) -> None:
    document = parse(b'{"a": 1}\n', Path(name))
    assert (document.container, document.value) == (Container.JSON_LINES, [{"a": 1}])


REFUSED = (
    (b"", "empty"),
    (b" \r\n\t", "white space"),
    (b"\xef\xbb\xbf ", "no value"),
    (b"// nothing\n", "no value"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n", "git lfs pull"),
    (b"../shared/eval.json", "symbolic link"),
    (b"eval.evalset.json\n", "symbolic link"),
    (b"PK\x03\x04\x14\x00\x08\x00", "archive is cut off"),
    (b"\x1f\x8b\x08\x08\x01\x02\x03\x04data", "Nothing could be unpacked"),
    (b'{"a": "\x00"}', "binary"),
    ("[1]".encode("utf-16-le"), "UTF-16 without"),
    ("[1]".encode("utf-16-be"), "UTF-16 without"),
    ("\ufeff[1]".encode("utf-32-le"), "UTF-32"),
    (b"1,2,3\n", "not JSON"),
    (b"<html></html>", "not JSON"),
    (b"[INFO] something happened twice today", "not JSON"),
    (b"nothing at all", "not JSON"),
)


@each(("data", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_what_is_no_document_is_refused_in_one_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(data)
    with pytest.raises(ReadError, match=sentence) as caught:
        read(file)
    assert caught.value.path == str(file)
    assert caught.value.sentence.endswith(".")


@each("data", [b"1.5", b"-0.5e3", b"true", b'"../a.json"', b"12"])
def test_a_lone_scalar_is_a_document(data: bytes) -> None:
    assert parse(data, Path("x.json")).data == data


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text("{}")
    for path, sentence in (
        (tmp_path / "nothing.json", "no such file"),
        (tmp_path, "This is a folder"),
        (tmp_path / "file.json" / "x.json", "not a folder"),
        (tmp_path / "a\0b.json", "No file can have this name"),
        (tmp_path / ("a" * 300), "could not be read"),
    ):
        with pytest.raises(ReadError, match=sentence):
            read(path)


def test_pipes_and_sockets_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ReadError, match="no regular file"):
        read(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        with pytest.raises(ReadError, match="no regular file"):
            read(tmp_path / "door")


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    def tick() -> None:
        pytest.fail("it was read")

    file = tmp_path / "large.json"
    with file.open("wb") as handle:
        handle.truncate(reading.MAX_BYTES + 1)
    with pytest.raises(ReadError, match="larger than 1 GiB"):
        read(file, tick)


def test_the_progress_point_can_stop_reading(tmp_path: Path) -> None:
    def stop() -> None:
        raise Stopped

    file = tmp_path / "x.json"
    file.write_text("[1, 2]")
    with pytest.raises(Stopped):
        read(file, stop)


def test_progress_is_reported_while_odd_files_are_read(tmp_path: Path) -> None:
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1

    file = tmp_path / "x.json"
    file.write_text("[" + "NaN," * 50_000 + "1]")
    read(file, tick)
    assert ticks > 10


def test_findings_are_bounded_and_the_rest_is_counted() -> None:
    findings = parse(b"[" + b"NaN, " * (MAX_FINDINGS + 7) + b"1]", Path("x.json")).findings
    assert len(findings) == MAX_FINDINGS + 1
    assert findings[-1].code == "more-findings"
    assert "7 further places" in findings[-1].message


def test_the_stamp_is_that_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text("{}")
    stamp, status = read(file).stamp, file.stat()
    assert stamp is not None
    assert (stamp.size, stamp.modified_ns, stamp.inode) == (2, status.st_mtime_ns, status.st_ino)


def test_every_oddity_is_a_sentence() -> None:
    assert [code for code, (_, sentence) in WARNINGS.items() if not sentence.endswith((".", "places."))] == []
    assert {severity for severity, _ in WARNINGS.values()} == set(Severity)


MARKS = (
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b'"',
    b"\\",
    b'"a"',
    b"1",
    b" ",
    b"\n",
    b"\r\n",
    b"true",
    b"nul",
    b"//",
    b"/*",
    b"*/",
)
MORE_MARKS = (b"\xff", b"-", b'"\\ud83d"', b"NaN", b"\xef\xbb\xbf", b'"a":', b"{}", b"\x00", b"\xff\xfe", b"\xc3")


@given(st.lists(st.sampled_from(MARKS + MORE_MARKS), max_size=30).map(b"".join))
def test_any_bytes_are_a_document_or_refused(data: bytes) -> None:
    try:
        document = parse(data, Path("x.json"))
    except ReadError:
        return
    assert document.data == data
    assert all(finding.line and finding.column for finding in document.findings)
