"""The surest format is found without asking those that cannot win."""

from __future__ import annotations

import json

import pytest

from tests.formats.every_sample import every_sample
from trace_inspector import formats
from trace_inspector.core.values.values import Json
from trace_inspector.formats import FORMATS, recognise
from trace_inspector.formats.common.format import Format, Implementation


def test_it_is_the_one_with_the_highest_confidence() -> None:
    for sample in every_sample():
        if not sample.text:
            continue
        value: Json = json.loads(sample.data)
        for each in (value, [value], value[0] if isinstance(value, list) else {}):
            scores = [row.recognise(each) for row in FORMATS]
            surest = FORMATS[scores.index(max(scores))] if max(scores) else None
            assert formats._surest(each) is surest, sample


def test_nothing_is_sure_of_nothing() -> None:
    odd: list[Json] = [{}, [], [{}], "", 5, None]
    assert [recognise(value) for value in odd] == [None] * len(odd)


def test_who_cannot_win_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def row(name: str, most: int, sure: int) -> tuple[int, int, Format]:
        def recognised(_value: Json) -> int:
            asked.append(name)
            return sure

        at = int(name)
        return most, at, Format(name, "", "", "", "", recognised, _loaded)

    rows = [row("1", 100, 0), row("3", 95, 90), row("0", 90, 90), row("2", 90, 90), row("4", 80, 80)]
    monkeypatch.setattr(formats, "_BY_MOST", rows)
    found = formats._surest({"a": 1})
    assert found is not None
    assert (found.name, asked) == ("0", ["1", "3", "0"])


def _loaded() -> Implementation:
    raise AssertionError("recognising loads no reader")
