"""Cases doubled, split, joined and moved, turns moved between them: nothing that the file says of them is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.helpers.eval_sets import call, case, turn
from tests.helpers.tables import each
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.case_arranging import (
    Arrangement,
    deleted,
    duplicated,
    joined,
    moved,
    split,
)
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.case_shaping import arranged
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.formats import recognise


def said(text: str) -> JsonObject:
    return {**turn(text, None, [call("find", q=text)]), "own key": text}


def beside(at: int) -> JsonObject:
    place = f"/conversation/{at}"
    return {
        "version": 1,
        "matchers": {f"{place}/intermediate_data/tool_uses/0/args/q": {"match": "ignore"}},
        "notes": {f"{place}/user_content": "why"},
    }


SUITE: Json = {
    "eval_set_id": "s",
    "eval_cases": [
        {
            **case("a", said("a0"), said("a1"), said("a2"), session="s1"),
            "tags": ["x"],
            "final_session_state": {"k": 1},
        },
        {**case("b", said("b0"), said("b1")), "traceInspector": beside(1), "mine": 0.10, "tags": ["y"]},
        {"eval_id": "c", "conversation_scenario": {"starting_prompt": "p", "conversation_plan": "q"}},
    ],
}
CES: Json = {
    "evaluations": [
        {
            "displayName": "one",
            "golden": {"turns": [
                {"steps": [{"userInput": {"variables": {"v": 1}}}, {"userInput": {"text": "one"}}]},
                {"steps": [{"userInput": {"text": "two"}}], "own": 1},
            ]},
        },
        {"displayName": "two", "golden": {"turns": [{"steps": [{"userInput": {"text": "three"}}], "own": 2}]}},
    ]
}  # fmt: skip


def unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def opened(stack: ExitStack, value: Json) -> GoldenSession:
    document = parse(json.dumps(value, indent=2).encode(), Path("x.json"))
    known = recognise(document.value)
    assert known is not None
    session = stack.enter_context(closing(EditSession(document, unnoted)))
    stack.callback(session.discard)
    return GoldenSession(session, known)


def cases_of(goldens: GoldenSession) -> list[Case]:
    return [goldens.case(place) for place in goldens.places]


def told(goldens: GoldenSession) -> dict[str, list[str]]:
    return {one.id: [user_text(turn) for turn in one.turns] for one in cases_of(goldens)}


A, B, C = ["a0", "a1", "a2"], ["b0", "b1"], list[str]()
MADE = opened(ExitStack(), SUITE)
CASES = cases_of(MADE)
ROWS: list[tuple[str, Arrangement, list[tuple[str, list[str]]]]] = [
    ("duplicate", duplicated(CASES, [1]), [("a", A), ("b", B), ("b (2)", B), ("c", C)]),
    ("duplicate a scenario", duplicated(CASES, [2]), [("a", A), ("b", B), ("c", C), ("c (2)", C)]),
    ("duplicate two", duplicated(CASES, [0, 1]), [("a", A), ("a (2)", A), ("b", B), ("b (2)", B), ("c", C)]),
    ("delete", deleted(CASES, [0, 2]), [("b", B)]),
    ("move up", moved(CASES, [1, 2], 0), [("b", B), ("c", C), ("a", A)]),
    ("move down", moved(CASES, [0], 3), [("b", B), ("c", C), ("a", A)]),
    ("stay", moved(CASES, [1], 1), [("a", A), ("b", B), ("c", C)]),
    ("split", split(CASES, 0, 1), [("a", A[:1]), ("a (2)", A[1:]), ("b", B), ("c", C)]),
    ("join", joined(CASES, [0, 1]), [("a", A + B), ("c", C)]),
    ("join backwards", joined(CASES, [1, 0]), [("b", B + A), ("c", C)]),
]


@pytest.mark.parametrize(("wanted", "left"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_arrangements(stack: ExitStack, wanted: Arrangement, left: list[tuple[str, list[str]]]) -> None:
    goldens = opened(stack, SUITE)
    before = goldens.session.state.document.data
    arranged(goldens, wanted)
    assert [(one.id, [user_text(turn) for turn in one.turns]) for one in cases_of(goldens)] == left
    document = goldens.session.state.document
    assert parse(document.data, document.path).value == document.value
    text = document.data.decode()
    kept = {user for _, texts in left for user in texts}
    assert all(f'"own key": "{user}"' in text for user in kept)
    # The rule and the note about the second turn of “b” are with it, wherever it is.
    homes = [one for one in cases_of(goldens) if any(user_text(turn) == "b1" for turn in one.turns)]
    for home in homes:
        (place,) = [turn.place for turn in home.turns if user_text(turn) == "b1"]
        assert [rule.place for rule in home.matchers] == [f"{place}/intermediate_data/tool_uses/0/args/q"]
        assert [note.place for note in home.notes] == [f"{place}/user_content"]
    if goldens.session.state.can_undo:
        goldens.undo()
    assert (goldens.session.state.document.data, goldens.session.state.can_undo) == (before, False)


def test_a_copy_keeps_keys_that_nobody_here_knows(stack: ExitStack) -> None:
    goldens = opened(stack, SUITE)
    arranged(goldens, duplicated(cases_of(goldens), [1]))
    assert goldens.session.state.document.data.count(b'"mine": 0.1') == 2


def test_what_a_split_keeps_is_said(stack: ExitStack) -> None:
    goldens = opened(stack, SUITE)
    wanted = split(cases_of(goldens), 0, 2)
    arranged(goldens, wanted)
    first, second = cases_of(goldens)[:2]
    assert (first.final_state, second.final_state) == (None, {"k": 1})
    assert (first.session and first.session.id, second.session and second.session.id) == ("s1", "s1")
    assert (first.tags, second.tags) == (("x",), ("x",))
    assert wanted.notes == (
        "“a (2)” begins as “a” does: what the turns before it leave in the session is not known.",
        "The expected final state stays with “a (2)” alone.",
    )


def test_what_joining_takes_along_is_said(stack: ExitStack) -> None:
    goldens = opened(stack, SUITE)
    wanted = joined(cases_of(goldens), [1, 0])
    arranged(goldens, wanted)
    (one, _) = cases_of(goldens)
    assert (one.tags, one.final_state) == (("y", "x"), {"k": 1})
    assert wanted.notes == ("“a” began in a session of its own; the turns now go on in that of “b”.",)


def test_variables_of_a_first_turn_begin_both_halves(stack: ExitStack) -> None:
    goldens = opened(stack, CES)
    arranged(goldens, split(cases_of(goldens), 0, 1))
    assert told(goldens) == {"one": ["one"], "one (2)": ["two"], "two": ["three"]}
    assert [one.session and one.session.state for one in cases_of(goldens)[:2]] == [{"v": 1}, {"v": 1}]
    arranged(goldens, joined(cases_of(goldens), [1, 2]))
    assert told(goldens) == {"one": ["one"], "one (2)": ["two", "three"]}
    assert goldens.session.state.document.data.count(b'"own": 2') == 1


WRONG: list[tuple[str, Callable[[], Arrangement], str]] = [
    ("empty half", lambda: split(CASES, 0, 3), "Both halves need a turn"),
    ("split scenario", lambda: split(CASES, 2, 1), "is a scenario"),
    ("join scenario", lambda: joined(CASES, [0, 2]), "is a scenario"),
    ("join one", lambda: joined(CASES, [0]), "two cases"),
]


@each(("wrong", "why"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_cannot_be_arranged_is_said(wrong: Callable[[], Arrangement], why: str) -> None:
    with pytest.raises(EditError, match=why):
        wrong()
