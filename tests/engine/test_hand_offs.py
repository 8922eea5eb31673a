"""Edges between agents: by call and by action, expected and observed, named or not, on two and three sides."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, ToolCall, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.engine.trace_grid.compare import side_by_side
from trace_inspector.engine.trace_grid.hand_offs import MOST_AGENTS, MOST_EDGES, HandOffs, hand_offs
from trace_inspector.engine.trace_grid.row import Relation

Gone = tuple[str, str]


def turn(*gone: Gone, index: int = 0, by_call: bool = False) -> Turn:
    def part(target: str) -> ToolCall | Transfer:
        return ToolCall("transfer_to_agent", {"agent_name": target}) if by_call else Transfer(target)

    events = tuple(Event(source, (part(target),)) for source, target in gone)
    return Turn(index, user=(Text("Hello"),), events=events, final_response=(Text("Yes"),), steps=Steps.EVENTS)


def case(*turns: Turn) -> Case:
    return Case("c", turns=turns)


def told(found: HandOffs) -> dict[str, tuple[int, ...]]:
    return {f"{one.source}>{one.target}": one.times for one in found.edges}


def test_edges_are_the_same_missing_extra_or_gone_another_number_of_times() -> None:
    golden = case(turn(("root", "billing"), ("root", "orders"), ("root", "search")))
    observed = case(turn(("root", "billing"), ("root", "orders"), ("root", "orders"), ("orders", "root")))
    found = hand_offs([golden, observed])
    assert {f"{one.source}>{one.target}": one.relation for one in found.edges} == {
        "root>billing": Relation.SAME,
        "root>orders": Relation.ARGUMENTS,
        "root>search": Relation.MISSING,
        "orders>root": Relation.EXTRA,
    }
    assert told(found)["root>orders"] == (1, 2)


def test_a_call_hands_over_as_an_action_does_and_of_three_sides_each_is_counted() -> None:
    sides = [case(turn(("a", "b"), by_call=True)), case(turn(("a", "c"))), case(turn(("a", "b"), ("a", "b")))]
    found = hand_offs(sides)
    assert told(found) == {"a>b": (1, 0, 2), "a>c": (0, 1, 0)}
    assert [one.relation for one in found.edges] == [Relation.ARGUMENTS, Relation.NEITHER]


def test_who_hands_over_is_borrowed_from_the_side_that_names_it() -> None:
    golden = case(turn(("", "weather"), by_call=True), turn(("", "time"), index=1))
    observed = case(turn(("root", "weather")), turn(("weather", "time"), index=1))
    assert told(hand_offs([golden, observed])) == {"root>weather": (1, 1), "weather>time": (1, 1)}


def test_where_no_side_names_it_the_agent_that_was_handed_the_talk_goes_on() -> None:
    golden = case(turn(("", "weather")), turn(("", "time"), index=1))
    found = hand_offs([golden, case(turn())])
    assert told(found) == {">weather": (1, 0), "weather>time": (1, 0)}
    assert [one.first_turns for one in found.edges] == [(0, -1), (1, -1)]


def test_expectations_say_what_is_expected_and_long_names_mean_their_ends() -> None:
    wanted = Expectation(Expects.TRANSFER, (Transfer("agents/billing"),))
    skipped = Expectation(Expects.TRANSFER, (Transfer("orders"),), skipped=True)
    golden = case(Turn(0, user=(Text("Hello"),), expectations=(wanted, skipped)))
    found = hand_offs([golden, case(turn(("root", "billing")))])
    assert told(found) == {"root>agents/billing": (1, 1)}


def test_a_golden_without_steps_says_nothing_of_handing_over() -> None:
    found = hand_offs([case(Turn(0, user=(Text("Hello"),))), case(turn(("a", "b")))])
    assert not found.is_stated
    assert hand_offs([case(turn()), case(turn(("a", "b")))]).is_stated


def test_names_are_one_line_and_what_is_too_many_is_counted() -> None:
    many = [("root", f"agent_{at}") for at in range(500)]
    found = side_by_side([case(turn(*many)), case(turn(("a\u202e\n" + "x" * 900, "b")))]).hand_offs
    assert len(found.edges) <= MOST_EDGES
    assert len({name for one in found.edges for name in (one.source, one.target)}) <= MOST_AGENTS
    assert found.left_out == 501 - len(found.edges)
    (hostile,) = hand_offs([case(turn(("a\u202e\n" + "x" * 900, "b"))), case(turn())]).edges
    assert len(hostile.source) <= 80
    assert hostile.source.isprintable()


_NAMES = st.sampled_from(["", "agent", "root", "billing", "orders"])
_TURN = st.lists(st.tuples(_NAMES, st.sampled_from(["root", "billing", "orders"])), max_size=5)
_SIDE = st.lists(_TURN, max_size=4)


@given(st.lists(_SIDE, min_size=2, max_size=3))
def test_every_hand_over_is_counted_once_on_its_side(sides: list[list[list[Gone]]]) -> None:
    cases = [case(*(turn(*gone, index=at) for at, gone in enumerate(side))) for side in sides]
    found = hand_offs(cases)
    for at, side in enumerate(sides):
        assert sum(one.times[at] for one in found.edges) == sum(map(len, side))
    for one in found.edges:
        assert [turn < 0 for turn in one.first_turns] == [times == 0 for times in one.times]
        assert any(one.times)


@given(_SIDE)
def test_a_conversation_beside_itself_has_only_the_same_edges(side: list[list[Gone]]) -> None:
    one = case(*(turn(*gone, index=at) for at, gone in enumerate(side)))
    assert all(edge.relation is Relation.SAME for edge in hand_offs([one, one]).edges)
