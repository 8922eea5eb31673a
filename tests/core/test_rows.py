from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.rows.rows import PLAIN_COLUMNS, RowBatch, TextColumn

# Lone surrogates too: keys of a file may hold half an emoji, and pointers are made of keys.
texts = st.lists(st.text(st.characters(exclude_categories=[]), max_size=12), max_size=20)


@given(texts, texts)
def test_a_text_column_is_a_list_of_texts(first: list[str], second: list[str]) -> None:
    column = TextColumn(first)
    column.extend(TextColumn(second))
    assert list(column) == first + second
    assert len(column) == len(first + second)


@given(texts, st.integers(0, 20), st.integers(0, 20))
def test_a_slice_of_a_text_column_is_the_slice_of_its_list(some: list[str], start: int, length: int) -> None:
    start = min(start, len(some))
    assert list(TextColumn(some).slice(start, start + length)) == some[start : start + length]


@given(texts, st.text("ab", min_size=1, max_size=3))
def test_finding_gives_the_first_row_with_exactly_that_text(some: list[str], wanted: str) -> None:
    some = [*some, "aabab", "xab", "ab", "b", "ab"]
    assert TextColumn(some).find(wanted) == (some.index(wanted) if wanted in some else -1)


def test_finding_does_not_stop_at_a_longer_text() -> None:
    assert TextColumn(["/a/10", "/b/a/1", "/a/1"]).find("/a/1") == 2


def test_a_text_column_travels_between_processes() -> None:
    column = TextColumn(["one", "zwei", "trois"])
    assert list(pickle.loads(pickle.dumps(column))) == ["one", "zwei", "trois"]


def batch(rows: int) -> RowBatch:
    made = RowBatch(authors=["root_agent"], bodies=[b"body"])
    for row in range(rows):
        made.label.append(f"row {row}")
        made.place.append(f"/{row}")
        for name in PLAIN_COLUMNS:
            getattr(made, name).append(row % 100)
    return made


@each(("rows", "size", "parts"), [(0, 3, [0]), (3, 3, [3]), (4, 3, [3, 1]), (7, 3, [3, 3, 1])])
def test_split_batches_hold_all_rows_in_order(rows: int, size: int, parts: list[int]) -> None:
    split = list(batch(rows).split(size))
    assert [len(part) for part in split] == parts
    assert [label for part in split for label in part.label] == [f"row {row}" for row in range(rows)]
    for name in PLAIN_COLUMNS:
        assert [value for part in split for value in getattr(part, name)] == [row % 100 for row in range(rows)]


def test_authors_and_bodies_go_with_the_first_part() -> None:
    first, second = batch(5).split(3)
    assert (first.authors, first.bodies) == (["root_agent"], [b"body"])
    assert (second.authors, second.bodies) == ([], [])
