"""Large documents in pieces: the same values at the same places as read whole, and each fault where it is."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.documents.json_texts import texts
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.finding import info
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.documents.editing.places import with_places
from trace_inspector.documents.json.json_document import parse_json
from trace_inspector.documents.large.piece_places import PiecePlaces
from trace_inspector.documents.large.piece_reader import PieceReader
from trace_inspector.documents.large.pieces import Piece, Shape
from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.text.encoding import body_of

RECORDS = {"records": Shape(items=Shape("record"))}
SHAPE = Shape("top", {"groups": Shape(items=Shape("group", RECORDS)), **RECORDS}, Shape("line", RECORDS))


def pieces(data: bytes, cut: int = 64, group: int = 32, shape: Shape = SHAPE) -> tuple[list[Piece], PieceReader]:
    reader = PieceReader(data, shape, lambda: None, group_bytes=group, cut_bytes=cut)
    return list(reader.document(0)), reader


def put_together(found: list[Piece]) -> Json:
    """The document that pieces are of: the last one holds what is left, the others fill its lists."""
    rest = found[-1].values[0]
    assert isinstance(rest, dict)
    whole: JsonObject = {key: list(held) if isinstance(held, list) else held for key, held in rest.items()}
    for piece in [piece for piece in found[:-1] if not piece.place.startswith("/groups/")]:
        listed = whole[piece.place.removeprefix("/")]
        assert isinstance(listed, list)
        assert piece.first == len(listed)
        for value, place in piece.placed():
            if piece.level == "group" and isinstance(value, dict):
                listed.append({**value, "records": _inside(found, place) or value["records"]})
            else:
                listed.append(value)
    return whole


def _inside(found: list[Piece], place: str) -> list[Json]:
    """Members of a group that was cut come before it."""
    return [value for piece in found if piece.place == f"{place}/records" for value in piece.values]


RECORD = st.fixed_dictionaries(
    {"id": st.text(max_size=30)},
    optional={"tags": st.lists(st.fixed_dictionaries({"id": st.text(max_size=9)}), max_size=4), "n": st.integers()},
)
GROUPS = st.lists(
    st.fixed_dictionaries({"name": st.text(max_size=9), "records": st.lists(RECORD, max_size=9)}), max_size=5
)


@examples(40, 1000)
@given(
    groups=GROUPS,
    records=st.lists(RECORD, max_size=12),
    indent=st.sampled_from([None, 0, 2]),
    cut=st.integers(1, 300),
    group=st.integers(1, 200),
)
def test_pieces_are_the_document(
    groups: list[Json], records: list[Json], indent: int | None, cut: int, group: int
) -> None:
    value: Json = {"first": 1, "groups": groups, "records": records, "last": {"records": [1]}}
    data = json.dumps(value, indent=indent, ensure_ascii=False).encode()
    found, reader = pieces(data, cut, group)
    places = [place for piece in found for _value, place in piece.placed()]
    assert len(places) == len(set(places))
    for piece in found[:-1]:
        if piece.level == "record":
            assert [resolve(value, place) for _value, place in piece.placed()] == list(piece.values)
    assert put_together(found) == value
    assert reader.warnings == []


@examples(40, 1000)
@given(text=texts(duplicates=False), cut=st.integers(1, 40))
def test_any_document_is_read_as_it_is_whole(text: str, cut: int) -> None:
    data = text.encode()
    shape = Shape("top", items=Shape("item", items=Shape("inner")))
    found, reader = pieces(data, cut, 10, shape)
    whole = parse(data, Path("x.json")).value
    if isinstance(whole, list):
        inner = {piece.place: True for piece in found if piece.level == "inner"}
        for piece in found:
            for value, place in piece.placed():
                if place not in inner and place:
                    assert repr(value) == repr(resolve(whole, place))
    else:
        assert repr(found[-1].values[0]) == repr(whole)
    assert reader.warnings == []


DOCUMENT = (
    b'{"groups":[{"name":"a","records":[{"id":1},{"id":2},{"id":3}]},{"name":"b","records":[]}],"records":[{"id":9}]}'
)
LONG = json.dumps({"records": [{"id": at, "tags": [{"id": "x"}]} for at in range(40)]}).encode()


@each("depth", [3, 11, 12, 13, 14, 40])
def test_a_small_value_is_the_same_however_deep(depth: int) -> None:
    deep: Json = 1
    for _ in range(depth):
        deep = [deep]
    whole: JsonObject = {"groups": [{"name": "g", "records": [{"id": "a", "in": deep}, {"id": "b"}]}], "records": []}
    data = json.dumps(whole).encode()
    found, reader = pieces(data, cut=len(data) + 1)
    assert put_together(found) == whole
    assert not reader.warnings


def test_what_stands_before_a_list_is_known_around_it() -> None:
    found, _reader = pieces(DOCUMENT, cut=20)
    assert [piece.around.get("name") for piece in found if piece.place == "/groups/0/records"] == ["a"]


@each(
    ("data", "codes", "ids"),
    [
        (LONG[: len(LONG) // 2], ["truncated"], 20),
        (LONG.replace(b'"id": 7,', b'"id": NaN,'), ["not-a-number"], 40),
        (LONG.replace(b'{"id": 7, ', b'{"id": 7, "id": 7, '), ["duplicate-key"], 40),
        (LONG.replace(b'"id": 7,', b'"id": "\xff",'), ["invalid-utf-8"], 40),
        (LONG.replace(b', {"id": 7,', b', /* here */ {"id": 7,'), ["comment"], 40),
        (LONG.replace(b', {"id": 7,', b' {"id": 7,'), ["missing-comma"], 40),
        (LONG.replace(b', {"id": 7,', b', , {"id": 7,'), ["extra-comma"], 40),
        (LONG.replace(b"}]}]}", b"}]},]}"), ["trailing-comma"], 40),
        (
            LONG.replace(b'"id": 7, "tags": [{"id": "x"}]}', b'"id": 7, "tags": [{"id": "x"]}'),
            ["mismatched-bracket"],
            40,
        ),
        (LONG.replace(b', {"id": 7,', b'} {"id": 7,'), ["unreadable-rest"], 7),
        (LONG + b" []", ["unexpected-mark"], 40),
        (LONG[:-1] + b', "records": [{"id": 1}]}', ["duplicate-key"], 41),
    ],
)
def test_a_fault_spoils_nothing_but_its_own_record(data: bytes, codes: list[str], ids: int) -> None:
    found, reader = pieces(data, cut=80, group=200)
    assert [odd.code for odd in reader.warnings] == codes
    records = [value for piece in found if piece.level == "record" for value in piece.values]
    assert len(records) == ids


@examples(40, 1000)
@given(st.data())
def test_damage_anywhere_raises_nothing(data: st.DataObject) -> None:
    damaged = bytearray(LONG)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 4))] = data.draw(
            st.sampled_from([b"", b'"', b"}", b"]", b"{", b"\\", b"[", b",", b":"])
        )
    text = b"{" + bytes(damaged[1:])
    found, reader = pieces(text, cut=60, group=100)
    assert found[-1].place == ""
    assert all(0 <= odd.offset <= len(text) for odd in reader.warnings)
    try:
        json.loads(text)
    except ValueError:
        assert reader.warnings


def test_each_line_is_a_document_and_a_broken_one_spoils_only_itself() -> None:
    lines = [json.dumps({"records": [{"id": at}] * 9}).encode() for at in range(5)]
    lines[3] = lines[3][:40]
    data = b"\n".join(lines) + b"\n\n"
    reader = PieceReader(data, SHAPE, lambda: None, group_bytes=20, cut_bytes=60)
    found = list(reader.lines(0))
    whole = parse_json(data, Path("x.jsonl"), None, lambda: None)
    assert [piece.place for piece in found if piece.level == "line"] == ["/0", "/1", "/2", "", "/4"]
    records = [place for piece in found if piece.level == "record" for _value, place in piece.placed()]
    assert records[:9] == [f"/0/records/{at}" for at in range(9)]
    assert [odd.code for odd in reader.warnings] == [finding.code for finding in whole.findings] == ["truncated"]


def test_a_long_line_that_is_cut_off_spoils_only_itself() -> None:
    data = LONG[:-40] + b"\n" + LONG + b"\n"
    reader = PieceReader(data, SHAPE, lambda: None, group_bytes=20, cut_bytes=60)
    found = list(reader.lines(0))
    assert [piece.place for piece in found if piece.level == "line"] == ["/0", "/1"]
    assert sum(len(piece.values) for piece in found if piece.place == "/1/records") == 40
    assert [(odd.code, odd.offset) for odd in reader.warnings] == [("truncated", len(LONG) - 39)]


@examples(40, 1000)
@given(groups=GROUPS, cut=st.integers(20, 300), group=st.integers(20, 200), indent=st.sampled_from([None, 1]))
def test_findings_are_placed_as_in_a_whole_document(
    groups: list[Json], cut: int, group: int, indent: int | None
) -> None:
    data = json.dumps({"groups": groups}, indent=indent).encode()
    found, _reader = pieces(data, cut, group)
    places = PiecePlaces()
    for piece in found:
        places.add(piece)
    document = parse(data, Path("x.json"))
    pointers = ["", "/groups/0/records/3/id", "/groups/4/records/1/tags/0", "/groups/2", "/groups/0/nothing/1"]
    asked = [info("here", "Here.", pointer) for pointer in pointers if resolve(document.value, pointer) is not ABSENT]
    assert places.placed(body_of(data), asked) == with_places(document, asked)
