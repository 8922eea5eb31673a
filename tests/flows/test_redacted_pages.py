"""Rows of a page after redaction: the same rows, told of what is left."""

from __future__ import annotations

import pytest

from tests.engine.differences.test_page_rows import as_the_page, cells, differences, rows
from tests.engine.test_side_by_side import case, turn
from tests.helpers.pages import page
from trace_inspector.core.values.values import Json
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.engine.reports.trace_diff.as_html import write
from trace_inspector.flows.runs.redacted_reports import redacted_reports

LONG = "secret " * 150  # so long that only a part of it is shown, from shortly before what differs


@pytest.mark.parametrize(
    ("left", "right", "gone"),
    [
        ({"auth": {"pin": "17"}}, {"auth": {"pin": "18"}}, ["17", "18"]),
        ({"pin": f"{LONG}one"}, {"pin": f"{LONG}two"}, ["secret", "one", "two"]),
        ({"pin": {"a": {"b": "inner1"}}}, {"pin": {"a": {"b": "inner2"}}}, ["inner"]),
        ({"list": [{"id": 1, "pin": "44"}]}, {"list": [{"id": 1, "pin": "55"}]}, ["44", "55"]),
    ],
)
@pytest.mark.parametrize("sides", [2, 3])
def test_what_stands_behind_a_key_is_left_out_of_the_rows_and_they_stay(
    left: dict[str, Json], right: dict[str, Json], gone: list[str], sides: int
) -> None:
    given = [left, right, left][:sides]
    found = differences([case(turn(("login", args))) for args in given])
    redacted = redacted_reports(Redaction(keys=("pin",))).differences(found)
    before, after = (rows(page(write(one))) for one in (found, redacted))
    assert [as_the_page(row) for row in after] == [as_the_page(row) for row in before]
    told = " ".join(cell.text for row in after for cell in cells(row))
    assert "[redacted]" in told
    assert [one for one in gone if one in told] == []


def test_keys_that_are_left_out_keep_their_own_values() -> None:
    sides: list[dict[str, Json]] = [{"where": {"ann@x.org": 1, "bob@x.org": value, "n": 5}} for value in (2, 3)]
    found = differences([case(turn(("f", args))) for args in sides])
    whole = page(write(redacted_reports(Redaction(patterns=(r"\w+@x\.org",))).differences(found)))
    (row,) = [row for row in rows(whole) if row.all("div", "arg")]
    assert [cell.all("div", "arg")[0].text[-1] for cell in cells(row)] == ["2", "3"]
    assert "@" not in whole.all("main")[0].text


def test_our_own_words_are_not_redacted() -> None:
    found = differences([case(turn(("f", {"x": "Turn 7"}))), case(turn(("f", {"x": "Turn 8"}), answer="Answer"))])
    whole = page(write(redacted_reports(Redaction(patterns=("Turn|Answer",))).differences(found)))
    heads = [row.text for row in whole.all("tr", "turn")]
    assert heads[0].startswith("Turn 1 “How is it?”")
    assert "Answer, 1 word" in whole.text
