"""Evidence packs of strangers: cut, altered, wrongly packed, deep, with any value anywhere: findings, no crash."""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

import trace_inspector.core.rows.evidence as core_of_packs
from tests.formats import evidence_files
from tests.helpers.campaigns import examples
from trace_inspector.core.errors import ReadError, UsageError
from trace_inspector.core.rows.row_writer import RowWriter
from trace_inspector.documents.page.document import ELEMENT, data_in, element_with
from trace_inspector.engine.evidence.page import data_of, page_of
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.flows.runs.evidence import evidence_of
from trace_inspector.work.reading.row_sender import Auditor

NUMBERS = st.sampled_from([0, -1, 2**70, -(2**70), 1e308, -1e308, float("nan"), float("inf"), 0.5])
TEXTS = st.sampled_from(["", "x", "PASSED", "missing", "arguments", "/sides/0", "\ud800", "a" * 3_000, "<script>"])
KEYS = st.sampled_from(["part", "a", "name"])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner)),
    max_leaves=4,
)


@cache
def page() -> bytes:
    return evidence_files.page()


@cache
def names() -> tuple[str, ...]:
    """Every field that a value in a pack may have."""
    assert core_of_packs.VERSION == 1
    return tuple(sorted({name for kind in kinds(Struct) for name in kind.__struct_fields__}))


def kinds(kind: type[Struct]) -> Iterator[type[Struct]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("trace_inspector.core."):
            yield each
        yield from kinds(each)


def holders(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(item, dict | list):
            yield from holders(item)


COUNTED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]  # one count for all examples is meant
TRIED, READ, ON_A_PAGE = "tried", "read", "on a page again"


@pytest.fixture
def ends() -> Iterator[Counter[str]]:
    """How far the examples of a property came: it shows little if few of them were read and written again."""
    made = Counter[str]()
    yield made
    assert 3 * made[ON_A_PAGE] > made[TRIED], made


@pytest.fixture
def _some_are_refused(ends: Counter[str]) -> Iterator[None]:
    yield
    assert ends[READ] < ends[TRIED], ends


def show(path: Path, ends: Counter[str]) -> None:
    """Open it, write its rows, and make a page of it again; ReadError where nothing of it can be read."""
    ends[TRIED] += 1
    contents = open_file(path).contents
    ends[READ] += 1
    writer, auditor = RowWriter(), Auditor()
    for suite in contents.suites:
        deque(writer.steps(suite), 0)
    for trace in contents.traces:
        deque(writer.steps(trace), 0)
    for verdict in contents.reported:
        auditor.audit(verdict, 2)
        writer.row_about(verdict)
    with suppress(UsageError):  # nothing is in it, or it is too deep
        pack, _inputs = evidence_of(str(path))
        page_of(pack, data_of(pack))
        ends[ON_A_PAGE] += 1


@settings(examples(60, 1_500), deadline=None, suppress_health_check=COUNTED)
@given(st.data())
def test_any_value_anywhere(ends: Counter[str], data: st.DataObject) -> None:
    value = copy.deepcopy(json.loads(data_in(page())))
    for _change in range(data.draw(st.integers(1, 4))):
        holder, key = data.draw(st.sampled_from(list(holders(value))))
        if data.draw(st.booleans()) and isinstance(holder, dict):
            key = data.draw(st.sampled_from(names()))
        holder[key] = data.draw(VALUES)
    with evidence_files.written(element_with(json.dumps(value).encode()).encode()) as path:
        show(path, ends)


@settings(examples(60, 1_500), deadline=None, suppress_health_check=COUNTED)
@given(st.data())
@pytest.mark.usefixtures("_some_are_refused")
def test_any_damage(ends: Counter[str], data: st.DataObject) -> None:
    whole = page()
    pack = whole.index(f'<template id="{ELEMENT}"'.encode())  # a tenth of the page, and what is read of it
    start = data.draw(
        st.one_of(st.integers(0, len(whole)), st.integers(pack - 20, whole.index(b"</template>", pack)))
    )
    end = data.draw(st.integers(start, min(len(whole), start + 200)))
    damaged = whole[:start] + data.draw(st.binary(max_size=30)) + whole[end:]
    with evidence_files.written(damaged) as path, suppress(ReadError):
        show(path, ends)


@pytest.mark.parametrize(
    "inner",
    [
        element_with(b"[" * 300_000).encode(),
        element_with(b'{"trace_inspector_evidence": 1, "sides": ' + b'[{"traces":' * 5_000).encode(),
        element_with(b'{"trace_inspector_evidence": 1, "sides": {}}').encode(),
        element_with(b"\xff\xfe\x00").encode(),
        element_with(b"1" * 100_000).encode(),
        f'<template id="{ELEMENT}">{b64encode(b"no gzip").decode()}</template>'.encode(),
        f'<template id="{ELEMENT}">====</template>'.encode(),
        f'<template id="{ELEMENT}">'.encode() * 20_000,
    ],
    ids=["deep", "cut and deep", "no sides", "no text", "a number", "no gzip", "no base64", "never closed"],
)
def test_what_is_no_pack_is_a_sentence(inner: bytes) -> None:
    held: list[object] = []
    with evidence_files.written(inner) as path, suppress(ReadError):
        contents = open_file(path).contents
        held += [*contents.suites, *contents.traces, *contents.reported]
    assert held == []
