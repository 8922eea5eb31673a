"""What sets two conversations apart, in one sentence; each line drawn by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Turn, Usage
from trace_inspector.engine.trace_diff.compared import compared
from trace_inspector.engine.trace_diff.difference_counts import counted, seconds_text, sentence
from trace_inspector.engine.trace_diff.rows import DifferenceKind, rows_of
from trace_inspector.engine.trace_diff.rule import COMPARISONS, ComparisonRule, comparison_named
from trace_inspector.engine.trace_diff.word_difference import word_pieces


def turn(at: int, *calls: str, answer: str | None = None, **more: object) -> Turn:
    """Calls are written as "tool" or "tool:argument"; every question is another one."""
    made = [
        ToolCall(name, {"q": given, "n": 1}, place=f"/t{at}/{to}")
        for to, (name, _, given) in enumerate(call.partition(":") for call in calls)
    ]
    usage = more.get("usage")
    return Turn(
        at,
        user=(Text(f"question {'abcdefgh'[at] * 5}"),),
        events=tuple(
            Event("host", (call,), usage=usage if isinstance(usage, Usage) and to == 0 else None)
            for to, call in enumerate(made)
        ),
        final_response=None if answer is None else (Text(answer),),
        steps=Steps.EVENTS,
        duration_s=float(str(more["took"])) if "took" in more else None,
        place=f"/t{at}",
    )


def case(*turns: Turn, matchers: tuple[Matcher, ...] = ()) -> Case:
    return Case("one", turns=turns, matchers=matchers)


EXACT, IN_ORDER, ANY_ORDER, PARTIAL, CES = COMPARISONS
ALLOWED = Criterion("ces_extra_calls", None, {"extraToolCallBehavior": "ALLOW"})


@each(
    ("left", "right", "rule", "said"),
    [
        ([turn(0, "a", "b")], [turn(0, "a", "b")], EXACT, "2 of 2 calls match"),
        ([turn(0)], [turn(0)], EXACT, "0 of 0 calls match"),
        ([turn(0, "a", "b:1")], [turn(0, "a", "b:2")], EXACT,
         "1 of 2 calls match; 1 argument differs; parts at turn 1, call 2"),
        ([turn(0, "a", "b")], [turn(0, "a")], EXACT, "1 of 2 calls match; 1 call missing; parts at turn 1, call 2"),
        ([turn(0, "a")], [turn(0, "a", "b", "c")], EXACT,
         "1 of 1 calls match; 2 extra calls; parts at turn 1, call 2"),
        ([turn(0, "a")], [turn(0, "a", "b")], IN_ORDER, "1 of 1 calls match; 1 extra call"),
        ([turn(0, "a", "b", "c")], [turn(0, "c", "a", "b")], EXACT,
         "3 of 3 calls match; 1 moved; parts at turn 1, call 1"),
        ([turn(0, "a", "b")], [turn(0, "b", "a")], ANY_ORDER, "2 of 2 calls match; 1 moved"),
        ([turn(0, "a", "b", "c")], [turn(0, "c", "a", "b")], CES, "3 of 3 calls match; 1 moved"),
        ([turn(0, "a")], [turn(0, "b", "a")], CES, "1 of 1 calls match; 1 extra call; parts at turn 1, call 1"),
        ([turn(0, "a", "b")], [turn(0, "b")], CES, "1 of 2 calls match; 1 call missing; parts at turn 1, call 1"),
        ([turn(0, "a:x")], [turn(0, "b:x")], EXACT,
         "0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1"),
        ([turn(0, "a"), turn(1, "b")], [turn(0, "a")], EXACT, "1 of 2 calls match; 1 turn missing; parts at turn 2"),
        ([turn(1, "a")], [turn(0, "b"), turn(1, "a")], EXACT, "1 of 1 calls match; 1 extra turn; parts at turn 1"),
        ([turn(0, answer="Yes, two.")], [turn(0, answer="Yes,  two. ")], EXACT, "0 of 0 calls match"),
        ([turn(0, answer="Yes")], [turn(0, answer="No")], EXACT,
         "0 of 0 calls match; 1 answer differs; parts at turn 1"),
        ([turn(0, "a", answer="Yes"), turn(1, "b")], [turn(0, "a", answer="No"), turn(1, "c")], EXACT,
         "1 of 2 calls match; 1 call missing; 1 extra call; 1 answer differs; parts at turn 2, call 1"),
        ([turn(0)], [turn(0, answer="Said")], EXACT, "0 of 0 calls match"),
        ([turn(0, "a", took=2.0)], [turn(0, "a", took=3.25)], EXACT, "1 of 1 calls match; +1.2 s"),
        ([turn(0, "a", usage=Usage(10, candidates=5))], [turn(0, "a", usage=Usage(9, candidates=3))], EXACT,
         "1 of 1 calls match; -3 tokens"),
    ],
)  # fmt: skip
def test_the_sentence(left: list[Turn], right: list[Turn], rule: ComparisonRule, said: str) -> None:
    found = counted([compared(case(*left), case(*right), rule)])
    assert sentence(found) == said
    assert found.differs is ("parts at" in said)


def test_matchers_count_where_the_rule_looks_at_them() -> None:
    golden = case(turn(0, "a:1"), matchers=(Matcher("/t0/0/args/q", Match.IGNORE),))
    other = case(turn(0, "a:2"))
    told = {rule.name: counted([compared(golden, other, rule)]).matching for rule in COMPARISONS}
    assert told == {"exact": 0, "in-order": 0, "any-order": 0, "partial": 1, "ces": 1}


@each(
    ("stated", "counts"),
    [
        ((), True),
        ((ALLOWED,), False),
        ((replace(ALLOWED, options={"extra_tool_call_behavior": 2}),), False),
        ((replace(ALLOWED, options={"extraToolCallBehavior": "FAIL"}), ALLOWED), True),
        ((replace(ALLOWED, options={"extraToolCallBehavior": "EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED"}),), True),
        ((replace(ALLOWED, options={"extraToolCallBehavior": "NEWER"}),), True),
        ((replace(ALLOWED, options={"enabled": False}),), False),
        ((Criterion("tool_trajectory_avg_score", 1.0, {"extraToolCallBehavior": "ALLOW"}),), True),
    ],
)
def test_ces_counts_extra_calls_as_the_golden_says(stated: tuple[Criterion, ...], counts: bool) -> None:
    """A5: extraToolCallBehavior is FAIL where nothing is stated; ALLOW tolerates them; neither asks for order."""
    golden = replace(case(turn(0, "a", "b")), criteria=stated)
    pair = compared(golden, case(turn(0, "x", "b", "a")), CES)
    assert counted([pair]).differs is counts
    told = {row.relation: row.counts for row in rows_of(pair, CES)}
    assert told == {DifferenceKind.EXTRA: counts, DifferenceKind.MOVED: False}
    assert counted([compared(golden, case(turn(0, "b", "a")), CES)]).differs is False
    assert counted([compared(golden, case(turn(0, "x", "b")), CES)]).differs


def test_partial_looks_only_at_what_is_expected() -> None:
    golden = Case("g", turns=(Turn(0, events=(Event("", (ToolCall("a", {"q": 1}),)),), steps=Steps.CALLS),))
    other = Case("o", turns=(Turn(0, events=(Event("", (ToolCall("a", {"q": 1, "x": 2}),)),), steps=Steps.CALLS),))
    assert counted([compared(golden, other, comparison_named("partial"))]).differs is False
    assert counted([compared(golden, other, EXACT)]).differs
    assert counted([compared(other, golden, comparison_named("partial"))]).differs


def test_several_conversations_are_counted_together_and_named() -> None:
    same = compared(case(turn(0, "a")), case(turn(0, "a")), EXACT)
    gone = compared(Case("gone", turns=(turn(0, "b"),)), None, EXACT)
    assert sentence(counted([same, gone])) == "1 of 2 calls match; 1 turn missing; parts at turn 1 of gone"


def test_turns_that_state_no_calls_have_none_to_compare() -> None:
    absent = Turn(0, user=(Text("question"),))
    assert sentence(counted([compared(case(absent), case(turn(0, "a")), EXACT)])) == "0 of 0 calls match"


def test_a_call_that_moved_and_changed_says_both() -> None:
    pair = compared(case(turn(0, "a:x", "b", "c")), case(turn(0, "b", "c", "a:y")), EXACT)
    (row,) = rows_of(pair, EXACT)
    assert row.why == "the same tool with different arguments, at another position (call 3)"


NAMES = st.lists(st.sampled_from(["a", "b", "a:1", "b:2", "c"]), max_size=5)


@given(st.lists(NAMES, max_size=3), st.lists(NAMES, max_size=3), st.sampled_from(COMPARISONS))
def test_figures_and_rows_tell_the_same(left: list[list[str]], right: list[list[str]], rule: ComparisonRule) -> None:
    pair = compared(
        case(*(turn(at, *calls) for at, calls in enumerate(left))),
        case(*(turn(at, *calls) for at, calls in enumerate(right))),
        rule,
    )
    figures = counted([pair])
    rows = list(rows_of(pair, rule))
    relations = [row.relation for row in rows]
    renamed = relations.count(DifferenceKind.RENAMED)
    assert figures.missing == relations.count(DifferenceKind.MISSING) + renamed
    assert figures.extra == relations.count(DifferenceKind.EXTRA) + renamed
    assert figures.moved == relations.count(DifferenceKind.MOVED)
    assert figures.arguments == sum(len(row.arguments) for row in rows)
    assert figures.extra_turns == relations.count(DifferenceKind.EXTRA_TURN)
    assert figures.calls == sum(map(len, left))
    assert figures.differs is any(row.counts for row in rows)
    assert 0 <= figures.matching <= figures.calls
    assert counted([compared(case(*pair_turns(pair)), case(*pair_turns(pair)), rule)]).differs is False


def pair_turns(pair: object) -> list[Turn]:
    """The first side's turns."""
    return [one.left for one in getattr(pair, "turns", ()) if one.left]


@given(st.text("ab \n.", max_size=30), st.text("ab \n.", max_size=30))
def test_pieces_put_together_are_the_texts(left: str, right: str) -> None:
    mine, theirs = word_pieces(left, right)
    assert ("".join(piece.text for piece in mine), "".join(piece.text for piece in theirs)) == (left, right)
    shared = ["".join(piece.text for piece in pieces if piece.shared) for pieces in (mine, theirs)]
    assert shared[0] == shared[1]
    if left == right:
        assert all(piece.shared for piece in mine)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(1.25, ["+1.2 s"]), (-1234.5, ["-1,234.5 s"]), (0.04, ["+40 ms"]), (-0.0012, ["-1 ms"]), (0.0003, [])],
)
def test_seconds_are_never_told_as_none_where_there_are_some(seconds: float, said: list[str]) -> None:
    assert seconds_text(seconds) == said


@pytest.mark.parametrize("rule", [PARTIAL, CES], ids=lambda rule: rule.name)
def test_many_calls_in_any_order_find_each_other(rule: ComparisonRule) -> None:
    calls = [f"f:{at}" for at in range(200)]
    pair = compared(case(turn(0, *calls)), case(turn(0, *calls[::-1])), rule)
    assert sentence(counted([pair])).startswith("200 of 200 calls match; 199 moved")
    assert not counted([pair]).differs
