"""Changes of goldens beyond words and calls, in every format: as wished, nothing else touched, undone to the byte."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.formats import adk_golden_cases as adk
from tests.formats import ces_golden_files as ces
from tests.formats import vertex_golden_files as vertex
from tests.formats.ces_wishes import CES_SCENARIO, CES_TURN, NEW_CALL, STEPS
from tests.formats.further_wishes import (
    ADK,
    ANSWERED,
    FILE,
    SIMILAR,
    VERTEX_ASKED,
    VERTEX_TOLD,
    Change,
    Wish,
    and_also,
    answers,
    expecting,
    gives,
    over_to,
    plus,
    reworked,
    transfers,
)
from tests.helpers.adk_rules import refusals
from tests.helpers.tables import each
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Persona, Scenario
from trace_inspector.core.golden.golden_change import Described, Judged, Rubrics, Simulated, Titled, Turns
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Media, Thought
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.documents.reading.reading import parse
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.formats import FORMATS
from trace_inspector.formats.common.format import Format

KNOWN: dict[str, Format] = {known.name: known for known in FORMATS}
ADK_CASE = adk.case_of(adk.in_lists(2), adk.in_events(3), adk.in_camel(1), adk.handing_over())
SKIPPED = f"{STEPS}/7/expectation/skip_evaluation"
SNAKE = {
    "skipped": replace(CES_TURN["skipped"], touched=(SKIPPED,)),
    "another result": replace(CES_TURN["another result"], touched=(f"{STEPS}/6/expectation/tool_response/response",)),
}
GOLDENS: dict[str, tuple[str, Json, dict[str, Wish]]] = {
    "adk": ("adk-eval-set", {"eval_set_id": "s", "eval_cases": [ADK_CASE]}, ADK),
    "ces golden": ("ces-evaluation", ces.full_golden(), CES_TURN),
    "ces scenario": ("ces-evaluation", ces.scenario(), CES_SCENARIO),
    "ces, as dumped": ("ces-evaluation", ces.snake(ces.full_golden()), SNAKE),
    "vertex, asked": ("vertex-item", vertex.whole(vertex.REQUESTS["asked"]), VERTEX_ASKED),
    "vertex, told": ("vertex-item", vertex.whole(vertex.REQUESTS["told"]), VERTEX_TOLD),
}
WISHES = [(name, what) for name, (_, _, wishes) in GOLDENS.items() for what in wishes]


def different(left: Json, right: Json, place: str = "") -> list[str]:
    """The places at which two values differ, as deep as both have them."""
    if left is right or (left == right and not isinstance(left, dict | list)):
        return []
    if isinstance(left, dict) and isinstance(right, dict):
        keys = {**left, **right}
        return [one for key in keys for one in _of_key(left, right, key, f"{place}/{key}")]
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = enumerate(zip(left, right, strict=True))
        return [found for at, pair in pairs for found in different(*pair, f"{place}/{at}")]
    return [place]


def _of_key(left: JsonObject, right: JsonObject, key: str, place: str) -> list[str]:
    return different(left[key], right[key], place) if key in left and key in right else [place]


def session_of(name: str) -> tuple[GoldenSession, EditSession, bytes]:
    """The golden of a table in a file, as people edit it."""
    kind, value, _ = GOLDENS[name]
    original = json.dumps(value, indent=2).encode()
    session = EditSession(parse(original, Path("x.json")), lambda _journal: None)
    return GoldenSession(session, KNOWN[kind]), session, original


@each(("name", "what"), WISHES)
def test_what_is_read_afterwards_is_what_was_wished_and_nothing_else_changed(name: str, what: str) -> None:
    wish = GOLDENS[name][2][what]
    goldens, session, original = session_of(name)
    with closing(session):
        (place,) = goldens.places
        before = resolve(goldens.value, place)
        assert wish.look(goldens.case(place)) != wish.wanted
        goldens.change(place, wish.change(goldens.case(place)))
        now = session.state.document
        assert wish.look(goldens.case(place)) == wish.wanted
        after = resolve(now.value, place)
        assert before is not ABSENT
        assert after is not ABSENT
        found = different(before, after)
        assert [at for at in found if not any(is_below(at, touched) for touched in wish.touched)] == []
        assert [touched for touched in wish.touched if not any(is_below(at, touched) for at in found)] == []
        assert parse(now.data, now.path).value == now.value
        if name == "adk":
            assert refusals(now.value) == []
        goldens.undo()
        assert session.state.document.data == original
        session.discard()


@each("name", GOLDENS)
def test_the_same_again_changes_nothing(name: str) -> None:
    goldens, session, original = session_of(name)
    with closing(session):
        (place,) = goldens.places
        case = goldens.case(place)
        same = [expecting(None, lambda stated: stated)(case), Judged(place, case.criteria), Titled(case.title)]
        for at in range(len(case.turns)):
            same += [
                gives(at)(case),
                answers(at, lambda stated: stated)(case),
                over_to(at, *transfers(case, at))(case),
            ]
            same += [
                expecting(at, lambda stated: stated)(case),
                Judged(case.turns[at].place, case.turns[at].criteria),
            ]
        for change in same:
            assert goldens.change(place, change).steps == ()
        assert session.state.document.data == original


def expects(kind: Expects, **fields: object) -> Change:
    """One thing to be expected of the first turn that stands nowhere yet."""
    return expecting(0, plus(replace(Expectation(kind), **fields)))


NEW_RUBRIC = Rubric("r", "Is kind.", group="tone")
RENAMED = replace(ANSWERED, name="look")
REFUSED: dict[str, tuple[str, Change]] = {
    "adk, variables": ("adk", expects(Expects.VARIABLES, value={"a": 1})),
    "adk, no calls": ("adk", expects(Expects.NO_CALLS, value=True)),
    "adk, a mock": ("adk", expects(Expects.MOCK, parts=(ANSWERED,))),
    "adk, a sentence": ("adk", expecting(None, plus(Expectation(Expects.CRITERION, text="Is it?")))),
    "adk, criteria of a turn": ("adk", lambda case: Judged(case.turns[0].place, (SIMILAR,))),
    "adk, a title": ("adk", lambda _case: Titled("One")),
    "adk, a description": ("adk", lambda _case: Described("One")),
    "adk, bytes": ("adk", gives(0, and_also(Media("image/png", 3)))),
    "adk, other bytes": ("adk", gives(3, lambda parts: (*parts[:2], Media("image/png", 9, place=parts[2].place)))),
    "adk, a part twice": ("adk", gives(0, lambda parts: (*parts, *parts))),
    "adk, a result twice": ("adk", answers(0, lambda stated: [stated[0], stated[0]])),
    "adk, a result of nothing": ("vertex, asked", answers(0, lambda _: [ANSWERED])),
    "adk, a group of rubrics": ("adk", lambda case: Rubrics(case.place, (NEW_RUBRIC,))),
    "adk, a scenario of turns": ("adk", lambda _case: Simulated(Scenario("a", "b"))),
    "ces, bytes": ("ces golden", gives(0, and_also(Media("image/png", 3)))),
    "ces, a file": ("ces golden", gives(0, and_also(FILE))),
    "ces, a call of the whole": ("ces golden", expecting(None, lambda stated: (*stated, NEW_CALL))),
    "ces, a new sentence": ("ces golden", expecting(None, plus(Expectation(Expects.CRITERION, text="Is it?")))),
    "ces, thoughts as answer": ("ces golden", expecting(0, reworked(Expects.ANSWER, parts=(Thought("Hm."),)))),
    "ces, the same twice": ("ces golden", expecting(0, lambda stated: (*stated, stated[0]))),
    "ces, another system's criterion": (
        "ces golden", lambda case: Judged(case.place, (replace(SIMILAR, metric="response_match_score"),)),
    ),
    "ces, criteria of nothing": ("ces golden", lambda case: Judged(f"{case.place}/golden", (SIMILAR,))),
    "ces, a mock before its call": ("ces scenario", expecting(None, lambda stated: (stated[1], stated[0]))),
    "ces, variables of a scenario": (
        "ces scenario", expecting(None, plus(Expectation(Expects.VARIABLES, value={"a": 1}))),
    ),
    "ces, a note in a scenario": ("ces scenario", expecting(None, reworked(Expects.CALL, note="Why"))),
    "ces, importance": ("ces scenario", lambda case: Rubrics(case.place, (replace(NEW_RUBRIC, importance="HIGH"),))),
    "ces, no title": ("ces golden", lambda _case: Titled("")),
    "vertex, variables": ("vertex, told", expects(Expects.VARIABLES, value={"a": 1})),
    "vertex, criteria": ("vertex, told", lambda case: Judged(case.place, (SIMILAR,))),
    "vertex, a description": ("vertex, told", lambda _case: Described("One")),
}  # fmt: skip


@each("what", REFUSED)
def test_what_has_no_place_is_refused_with_what_to_do_instead(what: str) -> None:
    name, change = REFUSED[what]
    goldens, session, original = session_of(name)
    with closing(session):
        (place,) = goldens.places
        with pytest.raises(EditError, match=r"\. [A-Z].*\.$"):
            goldens.change(place, change(goldens.case(place)))
        assert session.state.document.data == original


@pytest.mark.parametrize(
    ("wanted", "stands"),
    [
        (Scenario("Hi", "Book.", Persona("NOVICE")), "NOVICE"),
        (Scenario("Hi", "Book."), ABSENT),
        (Scenario("Hi", "Book.", Persona("own", "Mine", {"id": "x", "description": "", "behaviors": []})),
         {"id": "own", "description": "Mine", "behaviors": []}),
    ],
    ids=("another", "none", "described"),
)  # fmt: skip
def test_the_persona_of_a_scenario_of_adk(wanted: Scenario, stands: object) -> None:
    editing = KNOWN["adk-eval-set"].editing
    assert editing is not None
    new = editing.changed(adk.SCENARIO, editing.read(adk.SCENARIO, "/eval_cases/0", "s"), Simulated(wanted))
    assert resolve(new, "/conversationScenario/userPersona") == stands
    assert refusals({"eval_set_id": "s", "eval_cases": [new]}) == []
    assert (resolve(new, "/conversationScenario/startingPrompt")) == "Hi"


@each(
    "wanted",
    [
        Scenario("Hi", "Book.", Persona("PIRATE")),
        Scenario("Hi", "Book.", facts=(("seat", "2"),)),
        Scenario("Hi", "Book.", max_turns=3),
        Scenario("Hi", "Book.", variables={"a": 1}),
        Turns(()),
    ],
    ids=("an unknown persona", "facts", "a number of turns", "variables", "turns"),
)
def test_what_a_scenario_of_adk_has_no_place_for_is_refused(wanted: Scenario | Turns) -> None:
    editing = KNOWN["adk-eval-set"].editing
    assert editing is not None
    change = Simulated(wanted) if isinstance(wanted, Scenario) else wanted
    with pytest.raises(EditError, match=r"\. [A-Z].*\.$"):
        editing.changed(adk.SCENARIO, editing.read(adk.SCENARIO, "/eval_cases/0", "s"), change)
