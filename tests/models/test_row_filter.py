from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from tests.models.stories import call, golden, table, trace, turn
from trace_inspector.core.trace.parts import Text, Thought
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.verdict.triage import Bucket
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.search.filter_language import FilterError, parse
from trace_inspector.models.search.row_filter import RowFilter, rows_below
from trace_inspector.models.search.row_terms import BucketOf, RowVerdicts
from trace_inspector.models.search.verdict_column import MARKS

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


def numbers(made: RowTable, marks: Mapping[str, str]) -> Callable[[Sequence[int]], bytearray]:
    """The numbers of rows' marks, which are told by their labels as they are at that time."""
    return lambda rows: bytearray(MARKS.index(marks.get(made.label(row), "")) for row in rows)


def judged(
    text: str,
    made: RowTable,
    marks: Sequence[tuple[str, str]] = (),
    step: int = 3,
    buckets: BucketOf = lambda _row: None,
) -> RowFilter:
    """The filter, a few rows at a time."""
    terms = parse(text)
    assert not isinstance(terms, FilterError), terms.sentence
    by_label = dict(marks)
    rows = RowFilter(terms, made, RowVerdicts(numbers(made, by_label), buckets))
    while rows.judged < len(made):
        rows.advance(min(rows.judged + step, len(made)))
    return rows


def shown(rows: RowFilter, made: RowTable) -> list[str]:
    return [made.label(row) for row in compress(range(len(made)), rows.shown)]


def found(text: str, made: RowTable, marks: Sequence[tuple[str, str]] = ()) -> list[str]:
    return [made.label(row) for row in compress(range(len(made)), judged(text, made, marks).matches)]


TURNS = ["Turn 1  “Parking?”", "Turn 2  “Trains?”", "Turn 1  “Cafés?”", "Turn 2  “Und Zürich?”"]


@each(
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
    rows = judged("tool:stops", made)
    assert shown(rows, made) == ["seattle_001", TURNS[1], "stops()", '{"ok": true}']
    assert rows.tops == 1


def test_a_suite_is_not_found_by_its_worst_case() -> None:
    made = table(golden(("one", (turn(0, "A?"),)), ("two", (turn(0, "B?"),))))
    marks = [("suite", "failed"), ("one", "failed"), ("two", "passed")]
    assert found("verdict:failed", made, marks) == ["one", "Turn 1  “A?”", "“Done.”"]
    assert found("-verdict:failed", made, marks) == ["two", "Turn 1  “B?”", "“Done.”"]


@examples(40, 1000)
@given(st.integers(1, 20), st.sampled_from(["tool:search -parking", "case:zurich", "turn:2", "verdict:failed"]))
def test_pieces_of_any_size_come_to_the_same(step: int, text: str) -> None:
    made, marks = told(), [("seattle_001", "failed"), (TURNS[1], "passed")]
    whole, piecewise = judged(text, made, marks, step=100), judged(text, made, marks, step=step)
    assert (piecewise.shown, piecewise.tops) == (whole.shown, whole.tops)


def test_what_is_shown_is_told_once_and_with_what_it_lies_in() -> None:
    made = told()
    terms = parse("tool:stops kind:call")
    assert not isinstance(terms, FilterError)
    rows = RowFilter(terms, made, RowVerdicts(numbers(made, {})))
    told_of = [rows.advance(stop) for stop in range(1, len(made) + 1)]
    first = next(new for new in told_of if new)
    assert [made.label(row) for row in first] == ["seattle_001", TURNS[1], "stops()"]
    assert sum(len(new) for new in told_of) == rows.shown.count(1)


def test_rows_are_judged_anew_with_what_lies_in_them() -> None:
    made = told()
    marks = {"seattle_001": "pending", "zurich_001": "pending"}
    terms = parse("verdict:pending kind:trace")
    assert not isinstance(terms, FilterError)
    rows = RowFilter(terms, made, RowVerdicts(numbers(made, marks)))
    rows.advance(len(made))
    assert rows.tops == 2
    marks["seattle_001"] = "failed"
    below = rows_below(made, [made.tops[0]], 100)
    assert below is not None
    renewed = rows.renew(below)
    assert (renewed.rows, renewed.gone, rows.tops) == ([], True, 1)
    assert shown(rows, made)[0] == "zurich_001"
    marks["seattle_001"] = "pending"
    again = rows.renew(below)
    assert (again.rows, again.gone, rows.tops) == (below, False, 2)
    assert rows_below(made, [made.tops[0]], 3) is None


def test_a_text_is_not_found_across_two_rows() -> None:
    made = table(trace("ab", turn(0, "x")), trace("cd", turn(0, "y")))
    assert found('text:"bcd"', made) == []
    assert found("text:cd", made) == ["cd"]


def test_a_scripted_case_is_found_like_a_trace() -> None:
    made = table(golden(("one", (turn(0, "A?"),)), ("two", (turn(0, "B?"),))))
    assert found("case:two kind:turn", made) == ["Turn 1  “B?”"]


@each(
    ("text", "cases"),
    [
        ("triage:tool_missing", ["seattle_001"]),
        ("triage:Tool_Missing,unknown", ["seattle_001", "zurich_001"]),
        ("triage:timeout", []),
        ("-triage:tool_missing", ["zurich_001"]),
        ("triage:unknown tool:search", ["zurich_001"]),
    ],
)
def test_kinds_of_failures_hold_for_all_that_is_in_a_case(text: str, cases: list[str]) -> None:
    made = told()
    buckets = dict(zip(made.tops, (Bucket.TOOL_MISSING, Bucket.UNKNOWN), strict=True))
    rows = judged(text, made, buckets=buckets.get)
    assert [made.label(top) for top in made.tops if rows.shown[top]] == cases
    assert rows.tops == len(cases)
    if "tool:" not in text:  # all of a case is shown, and nothing of another
        assert sum(rows.shown) == sum(1 for row in range(len(made)) if made.label(made.top_of(row)) in cases)


def test_modes_that_people_gave_hold_for_all_rows_of_a_turn() -> None:
    made = told()
    first, second = made.turns(made.tops[0])[:2]
    made.modes = {first: ("wrong date", "rude"), second: ("late",)}
    assert found('mode:"wrong date"', made)[0] == TURNS[0]
    assert found("mode:wrong*,late kind:call", made) == found("case:seattle kind:call", made)
    assert TURNS[0] not in found("-mode:rude kind:turn", made)
    assert found("mode:date", made) == []
