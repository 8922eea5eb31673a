from __future__ import annotations

from tests.models.stories import batches, call, golden, table, trace, turn
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Suite
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event
from trace_inspector.models.base.row_table import TOP, Ghost, RowTable
from trace_inspector.models.conversation.conversation import Conversation, Fold, Spot
from trace_inspector.models.conversation.section import Key, Section
from trace_inspector.models.conversation.text import LongText
from trace_inspector.models.conversation.unplaced_items import ScenarioText, before_first_turn


def nothing() -> None:
    """Nobody listens."""


def opened(shown: RowTable, top: int = 0) -> Conversation:
    return Conversation(shown, top, nothing)


def kinds(conversation: Conversation) -> list[str]:
    """Every item as its kind and part, from top to bottom."""
    told: list[str] = []
    spot: Spot | None = Spot(0, 0)
    while spot is not None:
        key = conversation.key(spot)
        part = f" {key.part}" if key.part else ""
        told.append(conversation.table.kind(key.row).name + part + (f".{key.piece}" if key.piece else ""))
        spot = conversation.step(spot, 1)
    return told


def test_items_stand_in_reading_order() -> None:
    shown = table(trace("one", turn(0, "find", call("search", q="a")), turn(1, "and?", answer="No.")))
    assert kinds(opened(shown)) == [
        "TRACE", "TURN", "TURN 1", "CALL", "RESULT", "ANSWER", "TURN", "TURN 1", "ANSWER",
    ]  # fmt: skip


def test_spans_are_not_told() -> None:
    shown = table(trace("one", turn(0, "find", spans=3)))
    shown.hide_plumbing(hidden=False)
    assert "SPAN" not in kinds(opened(shown))


def test_a_handing_over_hides_its_empty_result() -> None:
    handed = ToolCall("transfer_to_agent", {"agent_name": "Other"}, "t")
    shown = table(trace("one", turn(0, "go", handed)))
    assert kinds(opened(shown)) == ["TRACE", "TURN", "TURN 1", "CALL", "ANSWER"]


def test_a_scenario_and_what_was_said_before_stand_first() -> None:
    before = Event("user", (Text("hello"), Text("again")))
    scenario = Scenario("Hi", "Ask for a coffee.", Persona("novice"))
    case = Case("c", "suite", (), scenario, context=(before,), place="/c")
    shown = table(Suite("suite", cases=(case,)))
    assert kinds(opened(shown, shown.tops[0])) == ["CASE", *(f"CASE {part}" for part in range(1, 6))]
    told = [one.what if isinstance(one, ScenarioText) else one[1] for one in before_first_turn(case)]
    assert told == [
        "plan of the simulated user", "persona of the simulated user", Text("hello"), Text("again"),
        "the scenario starts with",
    ]  # fmt: skip


def test_steps_lead_back_the_same_way() -> None:
    shown = table(trace("one", turn(0, "a", call("x")), turn(1, "b")))
    conversation = opened(shown)
    spot: Spot | None = conversation.last()
    seen = []
    while spot is not None:
        seen.append(spot)
        spot = conversation.step(spot, -1)
    assert len(seen) == len(kinds(conversation))
    assert seen[-1] == Spot(0, 0)


def test_every_row_leads_to_an_item() -> None:
    shown = table(trace("one", turn(0, "a", call("x"), spans=2)), trace("two", turn(0, "b")))
    shown.hide_plumbing(hidden=False)
    conversation = opened(shown)
    for row in range(len(shown)):
        spot = conversation.spot(Key(row))
        assert (spot is None) == (shown.top_of(row) != 0)
        if spot is not None and shown.kind(row) is Kind.SPAN:
            assert conversation.key(spot) == Key(shown.turn_of(row))
        elif spot is not None:
            assert conversation.key(spot).row == row


def test_turns_that_arrive_are_told_and_heights_stay() -> None:
    grown = RowTable()
    first, *more = batches(trace("one", *(turn(number, "a", call("x")) for number in range(9))), size=7)
    grown.append(first)
    moved: list[int] = []
    conversation = Conversation(grown, 0, lambda: moved.append(len(conversation)))
    conversation.measured(Spot(1, 0), 500.0)
    before = conversation.heights[1]
    for batch in more:
        grown.append(batch)
    assert moved[-1] == len(conversation) == 10
    assert conversation.heights[1] == before
    assert kinds(conversation) == ["TRACE", *["TURN", "TURN 1", "CALL", "RESULT", "ANSWER"] * 9]
    conversation.close()
    assert grown.watchers == []


def test_a_missing_turn_comes_in_its_place() -> None:
    shown = table(trace("one", turn(0, "a"), turn(1, "b")))
    moved: list[int] = []
    conversation = Conversation(shown, 0, lambda: moved.append(1))
    first, second = shown.turns(0)
    conversation.measured(Spot(2, 0), 777.0)
    height = conversation.heights[2]
    shown.swap_ghosts((), (Ghost(Kind.MISSING_TURN, 0, first, "Turn 2  “gone”", 1),))
    assert moved
    assert [shown.kind(conversation.row(number)) for number in range(len(conversation))] == [
        Kind.TRACE, Kind.TURN, Kind.MISSING_TURN, Kind.TURN,
    ]  # fmt: skip
    assert conversation.row(3) == second
    assert conversation.heights[3] == height


def test_a_missing_call_comes_in_its_place() -> None:
    shown = table(trace("one", turn(0, "a", call("x"), call("y"))))
    conversation = opened(shown)
    kinds(conversation)
    one = shown.turns(0)[0]
    shown.swap_ghosts((), (Ghost(Kind.MISSING_CALL, one, shown.calls(one)[0], "z()", 1),))
    assert kinds(conversation)[3:] == ["CALL", "RESULT", "MISSING_CALL", "CALL", "RESULT", "ANSWER"]


def test_a_text_shown_whole_is_items_of_its_own() -> None:
    shown = table(trace("one", turn(0, "a", answer="word " * 4_000)))
    conversation = opened(shown)
    key = conversation.key(conversation.last())
    text = LongText("word " * 4_000)
    conversation.set_fold(key, Fold.WHOLE, text)
    while conversation.cutting:
        conversation.go_on(1.0)
    assert kinds(conversation)[-1] == f"ANSWER.{text.pieces - 1}"
    assert conversation.text(key) is text
    assert conversation.fold(key._replace(piece=2), Fold.HEAD) is Fold.WHOLE
    conversation.set_fold(key, Fold.HEAD)
    assert kinds(conversation)[-1] == "ANSWER"
    assert conversation.text(key) is None
    assert conversation.heights.total_px == sum(conversation.heights[at] for at in range(len(conversation)))


def test_a_place_in_pixels_is_an_item() -> None:
    shown = table(trace("one", *(turn(number, "a", call("x")) for number in range(20))))
    conversation = opened(shown)
    spot: Spot | None = Spot(0, 0)
    spots = []
    while spot is not None:
        conversation.measured(spot, 10.0)
        spots.append(spot)
        spot = conversation.step(spot, 1)
    assert [conversation.at_px(at * 10 + 5) for at in range(len(spots))] == spots
    assert [conversation.top_px(one) for one in spots] == [at * 10 for at in range(len(spots))]


def test_cases_of_a_suite_are_conversations_of_their_own() -> None:
    shown = table(golden(("a", (turn(0, "x"),)), ("b", (turn(0, "y"),))))
    conversation = opened(shown, shown.tops[1])
    assert kinds(conversation) == ["CASE", "TURN", "TURN 1", "ANSWER"]
    assert conversation.spot(Key(shown.tops[0])) is None
    assert TOP not in shown.tops


def test_a_text_shown_whole_stays_whole_when_rows_come() -> None:
    shown = table(trace("one", turn(0, "a", call("x"), answer="word " * 4_000)))
    conversation = opened(shown)
    key = conversation.key(conversation.last())
    conversation.set_fold(key, Fold.WHOLE, LongText("word " * 4_000))
    before = kinds(conversation)
    one = shown.turns(0)[0]
    ghost = Ghost(Kind.MISSING_CALL, one, TOP, "z()", 0)
    shown.swap_ghosts((), (ghost,))
    assert kinds(conversation)[-6:] == before[-6:]
    shown.swap_ghosts((ghost,), ())
    assert kinds(conversation) == before


def test_a_text_that_is_cut_on_may_have_gone() -> None:
    shown = table(trace("one", turn(0, "a")), trace("two", turn(0, "b")))
    conversation = opened(shown)
    before = kinds(conversation)
    elsewhere = Key(shown.turns(shown.tops[1])[0])
    conversation.set_fold(elsewhere, Fold.WHOLE, LongText([{"n": at} for at in range(20_000)]))
    while conversation.cutting:
        conversation.go_on(1.0)
    assert kinds(conversation) == before


def test_a_section_leaves_out_pieces_of_items_that_it_has_not() -> None:
    section = Section()
    section.add((5, 6))
    section.set_pieces(Key(7), 3)
    section.set_pieces(Key(6, 2), 3)
    assert [section.key(at) for at in range(len(section))] == [Key(5), Key(6)]
    section.set_pieces(Key(5), 3)
    assert [section.key(at) for at in range(len(section))] == [Key(5), Key(5, 0, 1), Key(5, 0, 2), Key(6)]
    section.set_pieces(Key(5), 1)
    assert len(section) == len(section.heights) == 2
