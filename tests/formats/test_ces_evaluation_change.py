"""Changes of goldens in CES evaluations: what is read afterwards is what was asked for, and nothing else changed."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.formats import ces_golden_files as made
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session
from trace_inspector.core.golden.golden_change import (
    Answers,
    BeginsWith,
    Calls,
    EndsWith,
    ExpectedCall,
    GoldenChange,
    Named,
    Noted,
    Rubrics,
    Simulated,
    Tagged,
    Turns,
    UserSays,
)
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of, user_text
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats import BY_NAME

FORMAT = BY_NAME["ces-evaluation"]

assert FORMAT.editing is not None
EDITING = FORMAT.editing
FIRST, SECOND = "/golden/turns/0", "/golden/turns/1"


def case_of(raw: JsonObject) -> Case:
    """The golden in a raw evaluation."""
    return EDITING.read(raw, "", "s")


def after(raw: JsonObject, *changes: GoldenChange) -> tuple[JsonObject, Case]:
    """The raw evaluation after changes, and the golden in it; what went in is left as it was."""
    before = copy.deepcopy(raw)
    value = raw
    for change in changes:
        value = EDITING.changed(value, case_of(value), change)
    assert raw == before
    return value, case_of(value)


def different(left: Json, right: Json, place: str = "") -> list[str]:
    """The places that are no longer the same object or the same value, as deep as both have them."""
    if left is right or (left == right and not isinstance(left, dict | list)):
        return []
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        return [found for key in left for found in different(left[key], right[key], f"{place}/{key}")]
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = enumerate(zip(left, right, strict=True))
        return [found for at, pair in pairs for found in different(*pair, f"{place}/{at}")]
    return [place]


@pytest.mark.parametrize("raw", [made.full_golden(), made.snake(made.full_golden())])
def test_words_change_where_they_stand(raw: JsonObject) -> None:
    value, case = after(raw, UserSays(FIRST, "Seat 3?"), Answers(FIRST, "It is."))
    assert (user_text(case.turns[0]), answer_text(case.turns[0])) == ("Seat 3?", "It is.")
    steps = resolve(raw, f"{FIRST}/steps")
    changed = resolve(value, f"{FIRST}/steps")
    assert isinstance(steps, list)
    assert isinstance(changed, list)
    assert [at for at, (old, new) in enumerate(zip(steps, changed, strict=True)) if old is not new] == [2, 9]


def test_words_come_where_there_were_none_and_go() -> None:
    value, case = after(made.full_golden(), UserSays(SECOND, "And now?"), Answers(SECOND, "Now too."))
    assert (user_text(case.turns[1]), answer_text(case.turns[1])) == ("And now?", "Now too.")
    steps = resolve(value, f"{SECOND}/steps")
    assert isinstance(steps, list)
    assert (steps[1], steps[-1]) == (
        made.says(text="And now?"),
        made.expects(agentResponse=made.message("Now too.")),
    )
    _, again = after(value, Answers(SECOND, None), Answers(FIRST, None))
    assert again.turns[1].final_response is None
    assert answer_text(again.turns[0]) == "One moment."


def test_further_words_go_with_their_steps() -> None:
    raw = made.golden(made.turn(made.says(text="One"), made.says(dtmf="1"), made.says(text="Two")))
    value, case = after(raw, UserSays(FIRST, "Three"))
    assert user_text(case.turns[0]) == "Three"
    assert resolve(value, f"{FIRST}/steps") == [made.says(text="Three"), made.says(dtmf="1")]


def test_a_message_without_words_gets_them_beside_what_it_has() -> None:
    card: JsonObject = {"payload": {"card": 1}}
    raw = made.golden(made.turn(made.expects(agentResponse={"role": "agent", "chunks": [card]})))
    value, case = after(raw, Answers(FIRST, "Here."))
    assert answer_text(case.turns[0]) == "Here."
    assert resolve(value, f"{FIRST}/steps/0/expectation/agentResponse/chunks") == [card, {"text": "Here."}]


def expected(case: Case, turn: int = 0) -> list[ExpectedCall]:
    """The calls of a turn as an editor holds them."""
    return [
        ExpectedCall(
            call,
            tuple(
                replace(matcher, place=matcher.place.removeprefix(f"{call.place}/args"))
                for matcher in case.matchers
                if matcher.place.startswith(f"{call.place}/args")
            ),
        )
        for call in calls_of(case.turns[turn])
    ]


def test_the_same_calls_change_nothing() -> None:
    raw = made.full_golden()
    value, _ = after(raw, Calls(FIRST, tuple(expected(case_of(raw)))))
    assert different(raw, value) == []


def test_an_argument_changes_and_directives_beside_it_stay_as_they_are_spelt() -> None:
    raw = made.full_golden()
    args = resolve(raw, f"{FIRST}/steps/4/expectation/toolCall/args")
    assert isinstance(args, dict)
    args["words"] = {"value": "win", "$matchType": "contains"}
    (one,) = expected(case_of(raw))
    assert isinstance(one.call.args, dict)
    wanted = replace(one, call=replace(one.call, args={**one.call.args, "seat": 3}))
    value, case = after(raw, Calls(FIRST, (wanted,)))
    assert different(raw, value) == [f"{FIRST}/steps/4/expectation/toolCall/args/seat"]
    assert case.turns[0].expectations[0].note == "Looks it up"


def test_how_an_argument_is_compared_is_written_as_a_directive() -> None:
    raw = made.full_golden()
    (one,) = expected(case_of(raw))
    wanted = replace(one, matchers=(Matcher("/seat", Match.IGNORE), Matcher("/words", Match.REGEXP, "^by")))
    _, case = after(raw, Calls(FIRST, (wanted,)))
    assert [(found.place.rpartition("/")[2], found.match, found.text) for found in case.matchers] == [
        ("seat", Match.IGNORE, ""),
        ("words", Match.REGEXP, "^by"),
    ]
    assert calls_of(case.turns[0])[0].args == one.call.args


def test_a_tool_changes_and_arguments_go() -> None:
    raw = made.full_golden()
    (one,) = expected(case_of(raw))
    value, case = after(raw, Calls(FIRST, (ExpectedCall(replace(one.call, name="book", args=ABSENT)),)))
    assert [(call.name, call.args, call.call_id) for call in calls_of(case.turns[0])] == [("book", ABSENT, "c1")]
    assert resolve(value, f"{FIRST}/steps/4/expectation/toolCall/displayName") == "Look up"


def test_a_call_goes_with_what_its_tool_answers() -> None:
    raw = made.full_golden()
    _, case = after(raw, Calls(FIRST, ()))
    assert [one.kind for one in case.turns[0].expectations] == [
        Expects.RESULT,
        Expects.VARIABLES,
        Expects.ANSWER,
        Expects.ANSWER,
    ]


def test_the_first_call_of_a_turn_comes_before_what_else_is_expected() -> None:
    said = made.expects(agentResponse=made.message("Bye"))
    raw = made.golden(made.turn(made.says(text="Hi"), said))
    calls = tuple(ExpectedCall(ToolCall(name)) for name in "ab")
    value, _ = after(raw, Calls(FIRST, calls))
    new = [made.expects(toolCall={"tool": name}) for name in "ab"]
    assert resolve(value, f"{FIRST}/steps") == [made.says(text="Hi"), *new, said]


def three_calls() -> JsonObject:
    """A turn that expects three calls, with other things between them."""
    call = [made.expects(toolCall={"tool": name, "args": {"n": at}}) for at, name in enumerate("abc")]
    steps = (made.says(text="Hi"), call[0], made.expects(updatedVariables={"x": 1}), call[1], call[2])
    return made.golden(made.turn(*steps, made.expects(agentResponse=made.message("Bye"))))


@examples(40, 1000)
@given(st.permutations(range(3)), st.lists(st.integers(0, 3), max_size=2), st.integers(0, 3))
def test_calls_come_go_and_move(order: list[int], new: list[int], kept: int) -> None:
    raw = three_calls()
    wanted = [expected(case_of(raw))[at] for at in order[:kept]]
    for at in new:
        wanted.insert(min(at, len(wanted)), ExpectedCall(ToolCall("new", {"n": 9})))
    value, case = after(raw, Calls(FIRST, tuple(wanted)))
    assert [(call.name, call.args) for call in calls_of(case.turns[0])] == [
        (one.call.name, one.call.args) for one in wanted
    ]
    assert (user_text(case.turns[0]), answer_text(case.turns[0])) == ("Hi", "Bye")
    steps = resolve(value, f"{FIRST}/steps")
    assert isinstance(steps, list)
    assert len(steps) == 3 + len(wanted)
    for one in wanted:
        stated = resolve(raw, one.call.place.removesuffix("/expectation/toolCall")) if one.call.place else ABSENT
        assert stated is ABSENT or any(step is stated for step in steps)


def test_turns_are_kept_moved_and_added() -> None:
    raw = made.full_golden()
    first, second = case_of(raw).turns
    value, case = after(raw, Turns((second, Turn(0, user=(Text("New"),)), first)))
    assert [user_text(turn) for turn in case.turns] == ["", "New", "Is seat 2 free?"]
    turns = resolve(value, "/golden/turns")
    assert isinstance(turns, list)
    assert turns[2] is resolve(raw, FIRST)


def test_names_tags_and_notes() -> None:
    raw = made.full_golden()
    place = f"{FIRST}/steps/7/expectation"
    changes = (
        Named("chairs"),
        Tagged(("x",)),
        Noted(place, "Why"),
        Noted(f"{FIRST}/steps/4/expectation/toolCall", ""),
    )
    value, case = after(raw, *changes)
    assert (case.id, case.tags, value["name"]) == ("chairs", ("x",), f"{made.APP}/evaluations/chairs")
    assert [one.note for one in case.turns[0].expectations] == ["", "", "", "Why", "", ""]
    del value["name"]
    assert after(value, Named("other"), Tagged(()))[0]["displayName"] == "other"
    assert "tags" not in after(value, Tagged(()))[0]


def test_the_state_at_the_beginning() -> None:
    raw = made.full_golden()
    assert case_of(after(raw, BeginsWith(Session(state={"tier": 2})))[0]).session == replace(
        case_of(raw).session or Session(), state={"tier": 2}
    )
    value, case = after(raw, BeginsWith(None))
    assert case.session is None
    _, again = after(value, BeginsWith(Session(state={"tier": 3})))
    assert again.session is not None
    assert again.session.state == {"tier": 3}
    assert after(raw, EndsWith(None))[0] == raw


@pytest.mark.parametrize("raw", [made.scenario(), made.snake(made.scenario())])
def test_what_the_simulated_user_is_told(raw: JsonObject) -> None:
    wanted = Scenario("", "Book seat 3.", None, 5, (("seat", "3"),), "USER_GOAL_SATISFIED", {"tier": 1})
    value, case = after(raw, Simulated(wanted), Rubrics("", (Rubric("1", "Is kind."),)))
    assert case.scenario == replace(wanted, place="/scenario")
    assert [rubric.text for rubric in case.rubrics] == ["Is kind."]
    unchanged, _ = after(value, Simulated(wanted))
    assert different(value, unchanged) == []
    _, bare = after(value, Simulated(Scenario("", "Book.")), Rubrics("", ()))
    assert (bare.scenario, bare.rubrics) == (Scenario("", "Book.", place="/scenario"), ())


REFUSED: list[tuple[JsonObject, GoldenChange]] = [
    (made.full_golden(), EndsWith({"seat": 2})),
    (made.full_golden(), BeginsWith(Session(app="a"))),
    (made.golden(), BeginsWith(Session(state={"a": 1}))),
    (made.full_golden(), Rubrics("", (Rubric("1", "Is kind."),))),
    (made.full_golden(), Simulated(Scenario("", "x"))),
    (made.full_golden(), Noted(f"{FIRST}/steps/0", "x")),
    (made.full_golden(), Calls(FIRST, (ExpectedCall(ToolCall("a", {"b": 1}), (Matcher("/b", Match.ANY),)),))),
    (made.full_golden(), UserSays("/golden/turns/7", "x")),
    (made.scenario(), Turns(())),
    (made.scenario(), Simulated(Scenario("Hello", "x"))),
    (made.scenario(), Simulated(Scenario("", "x", Persona("p")))),
    (made.scenario(), Rubrics("", (Rubric("1", "Is kind.", type="TONE"),))),
]


@each(("raw", "change"), REFUSED)
def test_what_ces_has_no_place_for_is_refused_in_a_sentence(raw: JsonObject, change: GoldenChange) -> None:
    with pytest.raises(EditError, match=r"\.$"):
        after(raw, change)


def test_calls_in_a_message_are_left_to_the_hand() -> None:
    said: JsonObject = {"role": "agent", "chunks": [{"toolCall": {"tool": "a"}}]}
    raw = made.golden(made.turn(made.expects(agentResponse=said)))
    with pytest.raises(EditError, match="within a message"):
        after(raw, Calls(FIRST, ()))


@pytest.mark.parametrize(
    ("value", "place"), [([], ""), ({"evaluations": []}, "/evaluations"), (made.scenario(), None)]
)
def test_where_the_evaluations_of_a_document_stand(value: Json, place: str | None) -> None:
    assert EDITING.cases(value) == place


def test_a_new_one_is_written_with_what_it_loses() -> None:
    raw, losses = EDITING.written(Case("a", turns=(Turn(0, user=(Text("Hi"),), id="t"),)))
    assert raw == {"displayName": "a", "golden": {"turns": [made.turn(made.says(text="Hi"))]}}
    assert [loss.code for loss in losses] == ["turn-details-lost"]
