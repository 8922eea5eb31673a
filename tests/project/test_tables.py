"""The helpers that save setting up thousands of tests: no row is lost, and whatever fails is named."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest

from tests.helpers.pairs import all_pairs
from tests.helpers.tables import each

KEPT = "nothing"


def test_every_row_is_tried_with_every_row_in_a_folder_of_its_own(tmp_path: Path) -> None:
    tried = []

    @each("number", [1, 2])
    @each("word", ["a", "b", "c"])
    def used(number: int, word: str, tmp_path: Path) -> None:
        assert [*tmp_path.iterdir()] == []
        (tmp_path / "used").touch()
        tried.append((number, word))

    used(tmp_path=tmp_path)
    assert tried == [*product([1, 2], "abc")]


def test_rows_that_fail_are_named_and_do_not_hide_others() -> None:
    tried = []

    @each(("left", "right"), [(1, 1), pytest.param(1, 2, id="one and two"), (3, 3), (4, 5)])
    def equal(left: int, right: int) -> None:
        tried.append(left)
        assert left == right

    with pytest.raises(ExceptionGroup, match="2 of 4 rows") as failed:
        equal()
    assert tried == [1, 1, 3, 4]
    assert [one.__notes__ for one in failed.value.exceptions] == [["The row: 1 one and two"], ["The row: 3 4-5"]]


def test_a_test_that_fails_by_a_word_is_one_of_them() -> None:
    @each("word", ["a"], ids=["the first"])
    def refuses(word: str) -> None:
        pytest.fail(word)

    with pytest.raises(BaseExceptionGroup) as failed:
        refuses()
    assert [one.__notes__ for one in failed.value.exceptions] == [["The row: 0 the first"]]


def test_patches_of_a_row_are_undone_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    @each("number", [1, 2])
    def patched(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
        assert KEPT == "nothing"
        monkeypatch.setattr("tests.project.test_tables.KEPT", str(number))

    patched(monkeypatch=monkeypatch)


def test_every_two_values_stand_together_in_fewer_rows() -> None:
    columns = ("abcde", range(6), range(7))
    rows = all_pairs(*columns)
    assert len(rows) < 60
    for left, right in combinations(range(3), 2):
        assert {(row[left], row[right]) for row in rows} == set(product(columns[left], columns[right]))


def test_what_does_not_fit_is_in_no_row() -> None:
    rows = all_pairs("ab", [1, 2], [True, False], fits=lambda row: row[:2] != ("a", 2))
    assert {row[:2] for row in rows} == {("a", 1), ("b", 1), ("b", 2)}
    assert {row[1:] for row in rows} == {*product([1, 2], [True, False])}
