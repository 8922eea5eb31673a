"""Changes of goldens in evaluation items: what is read afterwards is what was asked for, and nothing else changed."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.formats import vertex_golden_files as made
from tests.formats.vertex_files import item, result, verdict
from tests.formats.vertex_wishes import calls, matched, notes, told, wishes
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
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of, paired_calls, user_text
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import BY_NAME
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.vertex.item.item import read

FORMAT = BY_NAME["vertex-item"]

assert FORMAT.editing is not None
EDITING = FORMAT.editing
LAYOUTS = ["item", "snake", "bare"]
ABOUT = {"labels": ("tagged",), "metadata": ("noted", "matcher"), "unknown": ("-",)}
REQUEST = made.PLACE
WHOLE = {name: made.whole(held) for name, held in made.REQUESTS.items()}


def case_of(raw: JsonObject) -> Case:
    return EDITING.read(raw, "", "s")


def after(raw: JsonObject, *changes: GoldenChange) -> tuple[JsonObject, Case]:
    """The raw entry after changes, and the golden in it; what went in is left as it was."""
    before = copy.deepcopy(raw)
    value = raw
    for change in changes:
        value = EDITING.changed(value, case_of(value), change)
    assert raw == before
    return value, case_of(value)


def laid_out(name: str, layout: str) -> JsonObject:
    """A request as an item of the service or of the SDK, or without one."""
    held = made.REQUESTS[name]
    whole = made.whole(held)
    spelt = made.snake(whole)
    assert isinstance(spelt, dict)
    return {"item": whole, "snake": spelt, "bare": held}[layout]


def findings(raw: JsonObject) -> set[tuple[str, str]]:
    """What the reader has to say of an entry, in however many places."""
    found = collect("", read(Source(raw, "s.json"))).findings
    return {(one.code, one.message.partition(" The same in ")[0]) for one in found}


def keys(value: Json) -> Iterator[str]:
    """The keys of the format itself, without names that people give."""
    for one in value if isinstance(value, list) else []:
        yield from keys(one)
    for key, held in value.items() if isinstance(value, dict) else ():
        yield key
        if key == "rubrics" and isinstance(held, dict):
            yield from (found for group in held.values() for found in keys(group))
        elif key not in ("args", "response", "labels", "metadata"):
            yield from keys(held)


@each("layout", LAYOUTS)
@each("name", made.REQUESTS)
def test_what_is_read_afterwards_is_what_was_wished(name: str, layout: str) -> None:
    raw = laid_out(name, layout)
    other_spelling = re.compile("[a-z][A-Z]" if layout == "snake" else "_")
    for what, wish in wishes(case_of(raw)):
        if layout == "bare" and not wish.in_bare:
            with pytest.raises(EditError, match=r"\.$"):
                after(raw, wish.change)
            continue
        value, case = after(raw, wish.change)
        assert wish.look(case) == wish.wanted, what
        assert findings(value) <= findings(raw), what
        assert [key for key in keys(value) if other_spelling.search(key)] == [], what
        (read_whole,) = collect("", read(Source(value, "s.json"))).suites[0].cases
        assert replace(case, suite_id="s") == replace(
            read_whole, id=case.id if layout == "bare" else read_whole.id
        ), what


@each("name", made.REQUESTS)
def test_what_nobody_touched_is_the_same_object(name: str) -> None:
    raw = WHOLE[name]
    for what, wish in wishes(case_of(raw)):
        value, _ = after(raw, wish.change)
        for key in ("labels", "metadata", "unknown"):
            is_meant = what.startswith(ABOUT[key])
            assert is_meant or value[key] is raw[key], what
        for place in (f"{REQUEST}/candidateResponses", f"{REQUEST}/rubrics"):
            assert what.startswith("rubrics") or resolve(value, place) is resolve(raw, place), what
        if what.startswith(("user 1", "answer 1", "calls", "matcher")) and name != "told after history":
            is_first = what.endswith("0")
            assert is_first or resolve(value, f"{REQUEST}/prompt/agentData/turns/0") is resolve(
                raw, f"{REQUEST}/prompt/agentData/turns/0"
            ), what


def test_the_same_calls_and_rubrics_change_nothing() -> None:
    for raw in WHOLE.values():
        case = case_of(raw)
        same = [Calls(turn.place, tuple(map(ExpectedCall, calls_of(turn)))) for turn in case.turns]
        assert after(raw, *same, Rubrics(case.place, case.rubrics), Turns(case.turns), Tagged(case.tags))[0] == raw


def test_a_question_stands_in_the_prompt_and_in_the_expected_conversation() -> None:
    raw = WHOLE["told"]
    value, _ = after(raw, UserSays(case_of(raw).turns[0].place, "Other"))
    assert resolve(value, f"{REQUEST}/prompt") == {"text": "Other"}
    raw = WHOLE["told after history"]
    first, last = case_of(raw).turns
    value, case = after(raw, UserSays(last.place, "Other"), Calls(first.place, ()), Answers(first.place, "Hm"))
    prompt = resolve(value, f"{REQUEST}/prompt")
    assert isinstance(prompt, dict)
    assert told(EDITING.read({**value, "evaluationRequest": {"prompt": prompt}}, "", "s")) == [
        ("Question 0", [], "Hm"),
        ("Other", [], None),
    ]
    assert [user_text(turn) for turn in case.turns] == ["Question 0", "Other"]


def test_a_prompt_that_asks_something_else_stays() -> None:
    raw = made.whole(made.golden({"text": "Something else"}, made.told(made.turn(0))))
    value, _ = after(raw, UserSays(case_of(raw).turns[0].place, "Other"))
    assert resolve(value, f"{REQUEST}/prompt") == {"text": "Something else"}


CALLING = ["told", "told alone", "told after history", "history", "history answered", "with events"]


@pytest.mark.parametrize("name", CALLING)
@examples(20, 500)
@given(data=st.data())
def test_calls_come_go_and_move_with_their_answers_and_matchers(name: str, data: st.DataObject) -> None:
    raw = WHOLE[name]
    before = case_of(raw)
    turn = before.turns[0]
    had = {pair.call.place: pair.result for pair in paired_calls(turn)}
    kept = list(data.draw(st.permutations(calls_of(turn))))[: data.draw(st.integers(0, 3))]
    wanted = []
    for one in kept:
        other = replace(one, args={"query": "other"}) if data.draw(st.booleans()) else one
        wanted.append(ExpectedCall(other, (Matcher("/query", Match.CONTAINS, "o"),)))
        if data.draw(st.booleans()):
            wanted.append(ExpectedCall(ToolCall("new", {"n": len(wanted)}), (Matcher("/n", Match.IGNORE),)))
    _, now = after(raw, Calls(turn.place, tuple(wanted)))
    assert calls(now.turns[0]) == [(one.call.name, one.call.args) for one in wanted]
    assert told(now)[1:] == told(before)[1:]
    assert (user_text(now.turns[0]), answer_text(now.turns[0])) == ("Question 0", "Answer 0")
    assert [(at, one) for turn_at, at, _, one in matched(now) if turn_at == 0] == [
        (at, one.matchers[0].match) for at, one in enumerate(wanted)
    ]
    for asked, pair in zip(wanted, paired_calls(now.turns[0]), strict=True):
        answer = had.get(asked.call.place)
        assert (pair.result.value if pair.result else None) == (answer.value if answer else None)


@pytest.mark.parametrize("name", ["told alone", "told after history", "history", "history answered"])
@examples(20, 500)
@given(data=st.data())
def test_matchers_and_notes_follow_their_turns(name: str, data: st.DataObject) -> None:
    raw = WHOLE[name]
    first, second, *_ = case_of(raw).turns
    query = Matcher("/query", Match.ANY)
    calling = first if name == "told alone" or data.draw(st.booleans()) else second
    stated = [ExpectedCall(one, (query,)) for one in calls_of(calling)]
    raw, before = after(raw, Calls(calling.place, tuple(stated)), Noted(f"{second.place}/turnId", "The second"))
    assert matched(before)
    order = data.draw(st.permutations(before.turns))
    fresh = data.draw(st.booleans())
    turns = [*([Turn(0, user=(Text("Fresh"),), final_response=(Text("Yes"),))] if fresh else []), *order]
    kept = turns[: data.draw(st.integers(1, len(turns)))]
    value, now = after(raw, Turns(tuple(kept)))
    assert told(now) == told(replace(before, turns=tuple(kept)))
    at = next((at for at, turn in enumerate(kept) if turn.place == calling.place), None)
    assert matched(now) == (
        [(at, number, "query", Match.ANY) for number in range(len(stated))] if at is not None else []
    )
    noted = [resolve(value, place) for place, _ in notes(now)]
    assert noted == (["t1"] if any(turn.place == second.place for turn in kept) else [])


def test_an_answer_alone_becomes_a_conversation_for_calls_and_keeps_what_else_it_says() -> None:
    raw = WHOLE["history answered"]
    last = case_of(raw).turns[2]
    value, case = after(raw, Calls(last.place, (ExpectedCall(ToolCall("new", {})),)))
    turns = resolve(value, f"{REQUEST}/goldenResponse/agentData/turns")
    assert isinstance(turns, list)
    assert turns[:2] == [made.turn(0, 1), made.turn(1, 2)]
    assert isinstance(turns[2], dict)
    assert turns[2]["turnId"] == "t2"
    assert resolve(value, f"{REQUEST}/prompt") is resolve(raw, f"{REQUEST}/prompt")
    assert [event.author for event in case.turns[2].events] == ["clerk", "clerk"]


def test_recorded_turns_get_a_script_with_the_first_answer() -> None:
    raw = made.whole(made.RECORDED)
    case = case_of(raw)
    for change in (Answers(case.turns[1].place, "Yes"), Answers(case.turns[0].place, "Yes")):
        at = case.turns.index(next(turn for turn in case.turns if turn.place == change.turn))
        value, now = after(raw, change)
        lines: list[Any] = [("Question 0", [], None), ("Question 1", [], None)]
        lines[at] = (f"Question {at}", [], "Yes")
        assert told(now) == lines
        assert resolve(value, f"{REQUEST}/candidateResponses") is resolve(raw, f"{REQUEST}/candidateResponses")
    _, now = after(
        raw, Calls(case.turns[0].place, (ExpectedCall(ToolCall("a", {"b": 1}), (Matcher("/b", Match.ANY),)),))
    )
    assert (calls(now.turns[0]), matched(now)) == ([("a", {"b": 1})], [(0, 0, "b", Match.ANY)])


def test_what_the_simulated_user_is_told() -> None:
    raw = made.whole(made.SCENARIO)
    value, case = after(raw, Simulated(Scenario("Hi", "Book seat 3.")))
    assert case.scenario is not None
    assert (case.scenario.starting_prompt, case.scenario.plan) == ("Hi", "Book seat 3.")
    assert resolve(value, f"{REQUEST}/prompt/userScenario/testCaseTitle") == "Seats"
    empty = made.whole({"candidateResponses": [{"candidate": "a", "text": "b"}], "prompt": {}})
    _, case = after({**empty, "evaluationRequest": {"prompt": {}}}, UserSays("/evaluationRequest/prompt", "Hi"))
    assert told(case) == [("Hi", [], None)]


def test_a_renamed_group_takes_along_what_it_says_of_itself() -> None:
    raw = WHOLE["asked"]
    a, b, c = case_of(raw).rubrics
    value, _ = after(raw, Rubrics("", (a, b, replace(c, group="truth"))))
    assert resolve(value, f"{REQUEST}/rubrics/truth") is resolve(raw, f"{REQUEST}/rubrics/facts")
    value, _ = after(raw, Rubrics("", (replace(a, text="Is kind."), b, c)))
    assert resolve(value, f"{REQUEST}/rubrics/tone/rubrics/1") is resolve(raw, f"{REQUEST}/rubrics/tone/rubrics/1")
    bare = made.whole({**made.REQUESTS["asked"], "rubrics": {"tone": [{"rubricId": "a"}]}})
    (one,) = case_of(bare).rubrics
    value, _ = after(bare, Rubrics("", (replace(one, id="b"),)))
    assert resolve(value, f"{REQUEST}/rubrics") == {"tone": [{"rubricId": "b"}]}


def test_notes_and_matchers_go_with_the_key_that_held_them() -> None:
    raw = made.whole(made.REQUESTS["told"])
    value, _ = after(raw, Noted(REQUEST, "Why"))
    assert resolve(value, "/metadata/source") == "desk"
    assert after(value, Noted(REQUEST, ""))[0] == raw
    alone = {key: held for key, held in raw.items() if key != "metadata"}
    assert after(alone, Noted(REQUEST, "Why"), Noted(REQUEST, ""))[0] == alone
    beside: JsonObject = {**alone, "traceInspector": {"version": 1, "notes": {"": "Old"}}}
    value, case = after(beside, Noted(REQUEST, "Why"))
    assert "metadata" not in value
    assert notes(case) == [("", "Old"), (REQUEST, "Why")]


ONE_CALL = calls_of(case_of(WHOLE["told"]).turns[0])[0]
ASKED, TOLD, NEW = WHOLE["asked"], WHOLE["told"], ExpectedCall(ToolCall("a", {"b": 1}))
MATCHED = replace(NEW, matchers=(Matcher("/b", Match.ANY),))
SCENARIO, RECORDED, TEMPLATE = (made.whole(one) for one in (made.SCENARIO, made.RECORDED, made.TEMPLATE))
VALUE = made.whole(made.golden({"value": {"a": 1}}, {"value": {"b": 2}}))
RESULT = item("evaluationResponse", result(verdict("small", 1)))
PROMPT, GOLDEN = f"{REQUEST}/prompt", f"{REQUEST}/goldenResponse"
FIRST_RECORDED = f"{REQUEST}/candidateResponses/0/agentData/turns/0"
TONE = case_of(ASKED).rubrics
REFUSED: dict[str, tuple[JsonObject, GoldenChange]] = {
    "a state to end with": (ASKED, EndsWith({"seat": 2})),
    "a session": (ASKED, BeginsWith(Session(app="a"))),
    "a rubric of a turn": (ASKED, Rubrics(PROMPT, (Rubric("1", "Is kind."),))),
    "another order of groups": (ASKED, Rubrics("", (TONE[2], *TONE[:2]))),
    "two names of a group": (ASKED, Rubrics("", tuple(replace(one, description=one.id) for one in TONE))),
    "a tag without a value": (ASKED, Tagged(("smoke",))),
    "a label twice": (ASKED, Tagged(("a: 1", "a: 2"))),
    "a scenario beside a prompt": (ASKED, Simulated(Scenario("a", "b"))),
    "a persona": (SCENARIO, Simulated(Scenario("a", "b", Persona("p")))),
    "a number of turns": (SCENARIO, Simulated(Scenario("a", "b", max_turns=3))),
    "turns of a scenario": (SCENARIO, Turns((Turn(0),))),
    "no turns": (ASKED, Turns(())),
    "no such turn": (ASKED, UserSays("/evaluationRequest/prompt/agentData/turns/7", "x")),
    "another place": (made.whole(made.REQUESTS["asked"]), Noted("other", "x")),
    "words of a recording": (RECORDED, UserSays(FIRST_RECORDED, "x")),
    "turns of a recording": (RECORDED, Turns((Turn(0),))),
    "words of a template": (TEMPLATE, UserSays(PROMPT, "x")),
    "turns of a template": (TEMPLATE, Turns((Turn(0), Turn(1)))),
    "words for a value": (VALUE, UserSays(GOLDEN, "x")),
    "an answer for a value": (VALUE, Answers(GOLDEN, "x")),
    "calls beside a value": (VALUE, Calls(GOLDEN, (NEW,))),
    "the same call twice": (TOLD, Calls(case_of(TOLD).turns[0].place, (ExpectedCall(ONE_CALL),) * 2)),
    "a matcher beside a text": ({**ASKED, "metadata": "text"}, Calls(PROMPT, (MATCHED,))),
    "a note beside a text": ({**ASKED, "metadata": "text"}, Noted(PROMPT, "x")),
    "a matcher of a bare request": (made.REQUESTS["asked"], Calls("/prompt", (MATCHED,))),
    "a note of a bare request": (made.REQUESTS["asked"], Noted("/prompt", "x")),
    "a name of a bare request": (made.REQUESTS["asked"], Named("x")),
    "a tag of a bare request": (made.REQUESTS["asked"], Tagged(("a: 1",))),
}  # fmt: skip


@each("what", REFUSED)
def test_what_an_item_has_no_place_for_is_refused_with_what_to_do_instead(what: str) -> None:
    raw, change = REFUSED[what]
    with pytest.raises(EditError, match=r"\. [A-Z“].*\.$"):
        after(raw, change)


def test_a_result_is_no_golden() -> None:
    assert not EDITING.is_golden(RESULT)
    with pytest.raises(EditError, match="holds no request"):
        EDITING.read(RESULT, "", "s")


@each(
    ("value", "place"),
    [
        ([], ""),
        ({"evaluationItems": []}, "/evaluationItems"),
        ({"evaluation_items": []}, "/evaluation_items"),
        (1, None),
    ],
)
def test_where_the_items_of_a_document_stand(value: Json, place: str | None) -> None:
    assert EDITING.cases(value) == place


def test_a_new_item_is_written_with_its_matchers_and_what_it_loses() -> None:
    turn = case_of(TOLD).turns[0]
    _, case = after(TOLD, Calls(turn.place, (MATCHED,)), Noted(turn.place, "Why"))
    raw, losses = EDITING.written(replace(case, id="copy", tags=("a: b", "c")))
    again = case_of(raw)
    assert (again.id, again.tags, told(again), matched(again)) == ("copy", ("a: b",), told(case), matched(case))
    assert [loss.code for loss in losses] == ["titles-lost", "notes-lost", "tags-lost"]
