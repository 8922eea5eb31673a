from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count

import pytest

from tests.models.stories import call, golden, table, trace, turn
from trace_inspector.core.parts import Text, Thought
from trace_inspector.core.trace import Event, Turn
from trace_inspector.models.filter_language import Wrong, parse
from trace_inspector.models.row_filter import matching, shown
from trace_inspector.models.row_table import RowTable

PARKING = call("search", q="Parking lots")


def told() -> RowTable:
    """Two traces of two turns; one call each but in the last turn, which has a thought instead."""
    thoughtful = Turn(1, user=(Text("Und Zürich?"),), events=(Event("Planner", (Thought("Hm, ZÜRICH."),)),))
    return table(
        trace(
            "seattle_001", turn(0, "Parking?", call("search", q="Parking lots")), turn(1, "Trains?", call("stops"))
        ),
        trace("zurich_001", turn(0, "Cafés?", call("search", q="café")), thoughtful),
    )


def found(text: str, made: RowTable, marks: Sequence[tuple[str, str]] = ()) -> list[str]:
    terms = parse(text)
    assert not isinstance(terms, Wrong), terms.sentence
    by_label = dict(marks)
    rows = matching(terms, made, lambda row: by_label.get(made.label(row), ""))
    return [made.label(row) for row in compress(count(), rows)]


TURNS = ["Turn 1  “Parking?”", "Turn 2  “Trains?”", "Turn 1  “Cafés?”", "Turn 2  “Und Zürich?”"]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("tool:search", ['search(q="Parking lots")', 'search(q="café")']),
        ("tool:s*", ['search(q="Parking lots")', "stops()", 'search(q="café")']),
        ("tool:search,stops -parking", ["stops()", 'search(q="café")']),
        ("tool:search parking", ['search(q="Parking lots")']),
        ("parking", [TURNS[0], 'search(q="Parking lots")']),
        ("ZÜRICH kind:turn", [TURNS[3]]),
        ("kind:turn case:zurich", [TURNS[2], TURNS[3]]),
        ("kind:turn -case:zurich*", TURNS[:2]),
        ("kind:turn turn:2", [TURNS[1], TURNS[3]]),
        ("kind:call turn>1", ["stops()"]),
        ("agent:plan*", ["thought, 2 words"]),
        ("kind:thought", ["thought, 2 words"]),
        ("kind:turn latency>9s", TURNS[:3]),
        ("latency>9000ms latency<11s kind:turn case:seattle*", TURNS[:2]),
        ("kind:turn tokens>=110", TURNS[:3]),
        ("kind:trace latency>15s", ["seattle_001"]),
        ("tool:nothing", []),
        ("", None),
    ],
)
def test_what_a_filter_finds(text: str, labels: list[str] | None) -> None:
    made = told()
    assert found(text, made) == (labels if labels is not None else [made.label(row) for row in range(len(made))])


def test_a_verdict_holds_for_what_has_none_of_its_own() -> None:
    made = told()
    marks = [("seattle_001", "failed"), (TURNS[0], "passed"), (TURNS[1], "failed"), ("stops()", "passed")]
    assert found("verdict:failed kind:call", made, marks) == []
    assert found("verdict:failed kind:call", made, marks[:3]) == ["stops()"]
    assert found("verdict:failed kind:call", made, marks[:1]) == ['search(q="Parking lots")', "stops()"]
    assert found("verdict:passed tool:stops", made, marks) == ["stops()"]
    assert found("-verdict:failed,passed kind:turn", made, marks) == TURNS[2:]


def test_shown_is_what_matches_with_what_is_around_and_in_it() -> None:
    made = told()
    terms = parse("tool:stops")
    assert not isinstance(terms, Wrong)
    rows = shown(matching(terms, made, lambda _row: ""), made.columns.parent)
    labels = [made.label(row) for row in compress(count(), rows)]
    assert labels == ["seattle_001", TURNS[1], "stops()", '{"ok": true}']


def test_a_text_is_not_found_across_two_rows() -> None:
    made = table(trace("ab", turn(0, "x")), trace("cd", turn(0, "y")))
    assert found('text:"bcd"', made) == []
    assert found("text:cd", made) == ["cd"]


def test_a_scripted_case_is_found_like_a_trace() -> None:
    made = table(golden(("one", (turn(0, "A?"),)), ("two", (turn(0, "B?"),))))
    assert found("case:two kind:turn", made) == ["Turn 1  “B?”"]
