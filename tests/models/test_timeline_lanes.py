"""Lanes by number, and the rows of the tree they stand for, there and back."""

from __future__ import annotations

import pytest

from tests.models.stories import call, table, trace, turn
from tests.views.tales import every_kind
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.timing import NOWHERE, Form, Work
from trace_inspector.core.rows.turn_work import work_of_turn
from trace_inspector.core.trace.trace import Span, SpanKind, Trace, Turn
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.timeline.lanes import Lane, LaneKind, Lanes
from trace_inspector.models.timeline.tree_rows import piece_of, row_of


def works(shown: RowTable, top: int, *turns: Turn) -> dict[int, Work]:
    return {head: work_of_turn(one) for head, one in zip(shown.turns(top), turns, strict=True)}


def told(lanes: Lanes, made: dict[int, Work]) -> list[str]:
    """All lanes as text."""
    lines = []
    for number in range(len(lanes)):
        lane = lanes[number]
        work = made[lane.head]
        words = f" {work.label[lane.piece]}" if lane.kind is LaneKind.PIECE else ""
        depth = lanes.depth(lane.head, lane.piece) if lane.kind is LaneKind.PIECE else 0
        lines.append("  " * depth + lane.kind.value + words)
    return lines


@pytest.fixture
def story() -> tuple[RowTable, Lanes, dict[int, Work]]:
    one, two = turn(0, "one?", call("search", q="x"), spans=2), turn(1, "two?", call("web", q="y"))
    shown = table(trace("t", one, two))
    made = works(shown, shown.tops[0], one, two)
    lanes = Lanes()
    lanes.show(list(shown.turns(0)), made)
    return shown, lanes, made


def test_folded_turns_are_one_lane_each(story: tuple[RowTable, Lanes, dict[int, Work]]) -> None:
    shown, lanes, made = story
    assert told(lanes, made) == ["turn", "turn"]
    lanes.unfold([shown.turns(0)[0]])
    assert told(lanes, made) == [
        "turn",
        "events",
        "piece helper_agent",
        "  piece model call",
        "  piece search",
        "turn",
    ]
    lanes.unfold([shown.turns(0)[0]], unfolded=False)
    assert len(lanes) == 2


def test_plumbing_shows_when_asked_for_and_untimed_pieces_stand_below_their_line(
    story: tuple[RowTable, Lanes, dict[int, Work]],
) -> None:
    shown, lanes, made = story
    lanes.unfold([shown.turns(0)[0]])
    assert lanes.hidden == 2
    lanes.hide_plumbing(hidden=False)
    assert told(lanes, made)[-4:] == ["untimed", "piece POST", "piece POST", "turn"]
    assert (lanes.hidden, lanes.untimed(shown.turns(0)[0])) == (0, 2)


def test_a_lane_and_its_number_find_each_other(story: tuple[RowTable, Lanes, dict[int, Work]]) -> None:
    shown, lanes, _made = story
    lanes.unfold(shown.turns(0))
    lanes.hide_plumbing(hidden=False)
    for number in range(len(lanes)):
        lane = lanes[number]
        if lane.kind in (LaneKind.TURN, LaneKind.PIECE):
            assert lanes.number_of(lane.head, lane.piece) == number


def test_what_is_hidden_or_folded_is_found_where_it_is_hidden(story: tuple[RowTable, Lanes, dict[int, Work]]) -> None:
    shown, lanes, made = story
    first = shown.turns(0)[0]
    post = next(at for at in range(len(made[first])) if made[first].label[at] == "POST")
    assert lanes.number_of(first, post) == 0
    lanes.unfold([first])
    assert lanes.number_of(first, post) == 0
    assert lanes.number_of(999) == -1


def test_turns_in_a_range_of_lanes(story: tuple[RowTable, Lanes, dict[int, Work]]) -> None:
    shown, lanes, _made = story
    first, second = shown.turns(0)
    lanes.unfold([first])
    assert lanes.heads_between(2, 3) == [(first, 0, 5)]
    assert lanes.heads_between(4, 9) == [(first, 0, 5), (second, 5, 6)]


def test_a_turn_whose_work_is_not_there_yet_is_one_lane() -> None:
    lanes = Lanes()
    lanes.unfold([7])
    lanes.show([7], {})
    assert (len(lanes), lanes[0]) == (1, Lane(LaneKind.TURN, 7))


def test_every_piece_of_work_has_its_row_and_every_row_its_piece() -> None:
    story = every_kind()
    shown = table(story)
    head = shown.turns(shown.tops[0])[0]
    work = work_of_turn(story.turns[0])
    found = {}
    for piece in range(len(work)):
        row = row_of(shown, head, work, piece)
        if Form(work.form[piece]) in (Form.MODEL, Form.TOOL) and row != head:
            found[shown.label(row)] = (shown.kind(row), work.label[piece])
            again = piece_of(shown, head, work, row)
            assert again == piece or work.form[again] == Form.TOOL, shown.label(row)
    assert found['search(query="parking", near=[1, {"deep": null}])'] == (Kind.CALL, "search")
    assert any(kind is Kind.RESULT and label == "orphan" for kind, label in found.values())
    assert found["“Between calls.”"] == (Kind.TEXT, "model call")


def test_a_result_is_the_piece_of_its_call_and_the_answer_of_the_last_model_call() -> None:
    one = turn(0, "one?", call("search", q="x"))
    shown = table(trace("t", one))
    work, (head,) = work_of_turn(one), shown.turns(0)
    rows = {shown.kind(row): row for row in range(len(shown))}
    search = piece_of(shown, head, work, rows[Kind.CALL])
    assert work.label[search] == "search"
    assert piece_of(shown, head, work, rows[Kind.RESULT]) == search
    assert row_of(shown, head, work, search) == rows[Kind.CALL]
    last = piece_of(shown, head, work, rows[Kind.ANSWER])
    assert Form(work.form[last]) is Form.MODEL
    assert piece_of(shown, head, work, head) == NOWHERE


def test_a_bracket_that_no_span_tells_of_stands_for_what_it_begins_with() -> None:
    one = turn(0, "one?", call("search", q="x"))
    shown = table(trace("t", one))
    work, (head,) = work_of_turn(one), shown.turns(0)
    assert Form(work.form[0]) is Form.AGENT
    assert shown.kind(row_of(shown, head, work, 0)) is Kind.CALL


def test_spans_and_the_waiting_between_them_find_their_rows() -> None:
    base = turn(0, "one?", call("search", q="x"))
    spans = (
        Span("a", "step", SpanKind.OTHER, None, 1000.0, 5.0),
        Span("t", "tool", SpanKind.TOOL, "a", 1001.0, 3.0),
        Span("g1", "GET", SpanKind.PLUMBING, "t", 1001.0, 0.5),
        Span("g2", "GET", SpanKind.PLUMBING, "t", 1003.0, 0.5),
    )
    one = Turn(0, base.id, base.user, base.events, base.final_response, spans=spans, start_s=1000.0, duration_s=10.0)
    shown = table(Trace("t", (one,)))
    work, (head,) = work_of_turn(one), shown.turns(0)
    for piece in range(len(work)):
        row = row_of(shown, head, work, piece)
        if work.form[piece] == Form.WAIT:
            assert shown.label(row) == "tool"
        elif shown.kind(row) is Kind.SPAN:
            assert (shown.label(row), piece_of(shown, head, work, row)) == (work.label[piece], piece)
    assert {work.label[at] for at in range(len(work))} >= {"step", "tool", "GET", "waiting"}
