"""One test over the rows of a table, where setting up a test for each row would cost more than the row itself."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any, TypeAlias

import pytest
from _pytest.mark import ParameterSet
from msgspec import Struct

Test: TypeAlias = Callable[..., None]
Named: TypeAlias = Callable[[Any], object] | Iterable[str] | None


class Row(Struct, frozen=True):
    """What a test is called with, and what it is called where it fails."""

    name: str
    values: dict[str, Any]


def each(names: str | Sequence[str], rows: Iterable[Any], ids: Named = None) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, in one test that tries every row and fails with all that failed.

    Several of them on one test try every row of the one with every row of the other. Where the test asks for
    `tmp_path` or `monkeypatch`, each row has a folder or patches of its own; all else that it asks for, rows share.
    """
    ids = ids if ids is None or callable(ids) else [*ids]
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    made = [_row(columns, row, number, ids) for number, row in enumerate(rows)]
    assert made, "a table without rows tries nothing"

    def table(test: Test) -> Test:
        inner: list[Row] = getattr(test, "rows", [Row("", {})])
        both = [Row(f"{b.name}-{a.name}".strip("-"), {**a.values, **b.values}) for a, b in product(made, inner)]
        return _over(getattr(test, "of_one_row", test), both)

    return table


def _row(columns: list[str], given: Any, number: int, ids: Callable[[Any], object] | list[str] | None) -> Row:
    values = given.values if isinstance(given, ParameterSet) else (given,) if len(columns) == 1 else given
    assert not (isinstance(given, ParameterSet) and given.marks), "rows have no marks"
    if isinstance(given, ParameterSet) and given.id:
        name = str(given.id)
    elif ids is not None and not callable(ids):
        name = ids[number]
    else:
        name = "-".join(str((ids(value) if callable(ids) else None) or f"{value!r:.60}") for value in values)
    return Row(f"{number} {name}", dict(zip(columns, values, strict=True)))


def _over(test: Test, rows: list[Row]) -> Test:
    asked = [one for one in inspect.signature(test).parameters.values() if one.name not in rows[0].values]

    def over_all(**shared: Any) -> None:
        problems: list[BaseException] = []
        for number, row in enumerate(rows):
            try:
                with _own(shared, number) as own:
                    test(**own, **row.values)
            except (Exception, pytest.fail.Exception) as problem:
                problem.add_note(f"The row: {row.name}")
                problems.append(problem)
        if problems:
            raise BaseExceptionGroup(f"{len(problems)} of {len(rows)} rows", problems)

    functools.update_wrapper(over_all, test, updated=())
    del over_all.__dict__["__wrapped__"]
    marks = getattr(test, "pytestmark", [])
    over_all.__dict__.update(rows=rows, of_one_row=test, pytestmark=marks, __signature__=inspect.Signature(asked))
    return over_all


@contextmanager
def _own(shared: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """What a test asks for, with what a row does not share with others."""
    own = dict(shared)
    if "tmp_path" in own:
        own["tmp_path"] /= str(number)
        own["tmp_path"].mkdir()
    with pytest.MonkeyPatch.context() as patch:
        if "monkeypatch" in own:
            own["monkeypatch"] = patch
        yield own
