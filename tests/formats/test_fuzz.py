"""Damaged files of every format in every container: nothing but a sentence comes out, and nothing hangs.

A few examples fit into every run, thousands into a long one; `TRACE_INSPECTOR_FUZZ` names how many each test tries
instead of those.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from tests.formats.every_sample import BINARY, Pack, Sample, every_sample, ways_of
from tests.helpers.campaigns import examples
from tests.helpers.limits import within
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.values.edit import Edit, Insert, Remove, Set
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.flows.goldens.edit_file import edited
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.flows.opening.listing import expand
from trace_inspector.flows.opening.open_file import open_file, stream_file
from trace_inspector.formats import FORMATS

NAMED = int(os.environ.get("TRACE_INSPECTOR_FUZZ", "0"))
TRIED = examples(NAMED or 12, NAMED or 2_000)
SENTENCE = re.compile(r"[A-Z“].*\.", re.DOTALL)
PYTHON = re.compile(r"\w+Error\b|Traceback|\bNone(Type)?\b|<class| object at 0x")
LIMIT_S = 60.0  # what is tried takes milliseconds; only what never ends gets here

SAMPLES = every_sample()
PAIRS: list[tuple[Sample, Pack]] = [(sample, pack) for sample in SAMPLES for pack in ways_of(sample).values()]
VALUES = [sample for sample in SAMPLES if sample.text and not sample.kind.startswith("in a text")]
ODD: tuple[Json, ...] = (
    None, True, 0, -1, 1.5, float("inf"), float("nan"), 10**400, -(2**63), 1e300, "", "x", "\ud800", "\x00", "-", "1",
    '{"a": [1]}', '"{}"', "[" * 50, "NaN", "PASSED", "2020-01-01T00:00:00Z", [], {}, [[]], [None], [{}], {"": None},
    {"parts": [None]}, {"parts": {}}, [1, 2], {"a/b~": [0]}, [[[[[[[[{}]]]]]]]],
)  # fmt: skip
BYTES = (
    b"", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b'"', b"\\", b"\\u", b"\\ud800", b"{", b"}", b"[", b"]",
    b",", b":", b"//", b"/*", b"#", b"&a ", b"*a", b"- ", b"|\n", b"---\n", b"\n", b"\r", b"NaN", b"1e99999999",
    b"-", b"9" * 40, b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"PK\x03\x04", b"\x1f\x8b\x08", b"SQLite format 3\x00",
)  # fmt: skip
OUTPUTS = [known.name for known in FORMATS if known.write is not None]
EDITS: tuple[Edit, ...] = (Set("", "1"), Set("/0", "null"), Insert("/-", "{}"), Insert("/new", "[]"), Remove("/0"))


def refusals(path: Path) -> list[InspectorError]:
    """What refuses everything that can be done with a file; whatever is not a sentence falls through."""
    refused: list[InspectorError] = []

    @contextmanager
    def unless_refused() -> Iterator[None]:
        try:
            yield
        except InspectorError as problem:
            refused.append(problem)

    with within(LIMIT_S):
        for each in [path] if path.is_file() else [path, *expand([path.parent])]:
            with unless_refused():
                opened = open_file(each)
                for finding in opened.contents.findings:
                    assert finding.line >= 0
                    assert finding.message
                for edit in (*EDITS, *_edits(opened.document.value)):
                    with unless_refused():
                        edited(opened.document, [edit])
            with unless_refused():
                assert [*stream_file(each)]
            for name in OUTPUTS:
                with unless_refused():
                    convert_files([each], name)
    return refused


def untold(path: Path) -> list[InspectorError]:
    """Those that are no sentence, name no file or speak Python."""
    return [
        one
        for one in refusals(path)
        if not one.path or not SENTENCE.fullmatch(one.sentence) or PYTHON.search(one.sentence)
    ]


def _edits(value: Json) -> Iterator[Edit]:
    """One edit of each kind at the first few places."""
    for place in _places(value, "", 4):
        yield Set(place, '{"b": 1}')
        yield Insert(place + "/key", "1")
        yield Remove(place)


def _places(value: Json, place: str, most: int) -> Iterator[str]:
    if isinstance(value, dict):
        for key in [*value][:most]:
            yield join(place, key)
            yield from _places(value[key], join(place, key), most - 1)
    elif isinstance(value, list):
        for index in range(min(len(value), most)):
            yield join(place, index)
            yield from _places(value[index], join(place, index), most - 1)


def ways(value: Json, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value in a value."""
    yield way
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from ways(item, (*way, key))


def put(value: Json, way: tuple[str | int, ...], other: Json) -> Json:
    """A value with something else somewhere in it."""
    if not way:
        return other
    key, *rest = way
    if isinstance(value, dict) and isinstance(key, str):
        return {**value, key: put(value.get(key), tuple(rest), other)}
    if isinstance(value, list) and isinstance(key, int):
        return [put(item, tuple(rest), other) if at == key else item for at, item in enumerate(value)]
    return value


SHARES = st.floats(0, 1)
CUTS = st.lists(st.tuples(SHARES, st.integers(0, 40), st.sampled_from(BYTES)), min_size=1, max_size=4)


def _damaged(data: bytes, cuts: list[tuple[float, int, bytes]]) -> bytes:
    for share, gone, come in cuts:
        at = int(share * len(data))
        data = data[:at] + come + data[at + gone :]
    return data


@TRIED
@given(st.sampled_from(PAIRS), CUTS)
def test_damaged_bytes(pair: tuple[Sample, Pack], cuts: list[tuple[float, int, bytes]]) -> None:
    sample, pack = pair
    with TemporaryDirectory() as folder:
        path = pack(sample, Path(folder))
        file = path if path.is_file() else path.parents[1]
        file.write_bytes(_damaged(file.read_bytes(), cuts))
        assert untold(path) == []


@TRIED
@given(st.sampled_from(PAIRS), SHARES, st.sampled_from(SAMPLES), SHARES)
def test_the_beginning_of_one_file_and_the_end_of_another(
    pair: tuple[Sample, Pack], cut: float, other: Sample, rest: float
) -> None:
    sample, pack = pair
    data = sample.data[: int(cut * len(sample.data))] + other.data[int(rest * len(other.data)) :]
    with TemporaryDirectory() as folder:
        assert untold(BINARY["plain"](Sample(sample.format, "", data, sample.suffix), Path(folder))) == []
        path = None
        with suppress(UnicodeDecodeError, ValueError):  # halves that cannot be packed so
            path = pack(Sample(sample.format, "", data, sample.suffix), Path(folder))
        assert path is None or untold(path) == []


@TRIED
@given(
    st.sampled_from(VALUES).flatmap(lambda sample: st.tuples(st.just(sample), st.sampled_from([*ways_of(sample)]))),
    st.lists(st.tuples(SHARES, st.sampled_from(ODD)), min_size=1, max_size=3),
)
def test_odd_values(pair: tuple[Sample, str], puts: list[tuple[float, Json]]) -> None:
    sample, way = pair
    value: Json = json.loads(sample.data)
    for share, other in puts:
        everywhere = [*ways(value)]
        value = put(value, everywhere[min(int(share * len(everywhere)), len(everywhere) - 1)], other)
    odd = Sample(sample.format, sample.kind, json.dumps(value).encode(), sample.suffix)
    with TemporaryDirectory() as folder:
        assert untold(ways_of(sample)[way](odd, Path(folder))) == []
