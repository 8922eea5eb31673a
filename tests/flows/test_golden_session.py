"""Goldens edited in their file: undone they leave the original bytes; redone and saved they read the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden import Case
from trace_inspector.core.golden_change import (
    Answers,
    Calls,
    EndsWith,
    ExpectedCall,
    GoldenChange,
    Named,
    Noted,
    Rubrics,
    Turns,
    UserSays,
)
from trace_inspector.core.matcher import Match, Matcher
from trace_inspector.core.parts import ToolCall
from trace_inspector.core.rubric import Rubric
from trace_inspector.core.trace import calls_of, user_text
from trace_inspector.core.value_edits import followed
from trace_inspector.documents.journal import JournalWriter
from trace_inspector.documents.reading import parse, read
from trace_inspector.flows.edit_session import EditSession
from trace_inspector.flows.golden_session import GoldenSession
from trace_inspector.flows.open_file import open_file
from trace_inspector.formats import recognise

SUITE = {
    "eval_set_id": "shop",
    "eval_cases": [
        {
            "eval_id": f"case {at}",
            "conversation": [
                {
                    "user_content": {"parts": [{"text": f"Where is table {turn}?"}]},
                    "intermediate_data": {"tool_uses": [{"name": "find", "args": {"q": turn}} for _ in range(turn)]},
                }
                for turn in range(3)
            ],
        }
        for at in range(3)
    ],
}
LAYOUTS = {
    "adk": json.dumps(SUITE, indent=2) + "\n",
    "one line": json.dumps(SUITE),
    "tabs": json.dumps(SUITE, indent="\t").replace("\n", "\r\n"),
    "escapes": json.dumps(SUITE, indent=4).replace("table", "t\\u00e4ble"),
    "yaml": json.dumps(SUITE, indent=1).replace("{", "{ ").replace("\n", "\n  "),
}


def unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


@contextmanager
def opened(data: bytes, path: Path) -> Iterator[GoldenSession]:
    document = parse(data, path)
    known = recognise(document.value)
    assert known is not None
    with closing(EditSession(document, unnoted)) as session:
        yield GoldenSession(session, known)
        session.discard()


def some_change(data: st.DataObject, case: Case) -> GoldenChange:
    turn = data.draw(st.sampled_from(case.turns)) if case.turns else None
    name = data.draw(st.text('aé"\\\n', max_size=3))
    calls = [ExpectedCall(call) for call in calls_of(turn)] if turn else []
    new = ExpectedCall(ToolCall("new", {name: 0.5}), (Matcher("", Match.SUBSET),))
    options: list[GoldenChange] = [Named(name), Rubrics(case.place, (Rubric("r", name),)), EndsWith({name: 1})]
    if turn is not None:
        place = turn.place
        options += [
            UserSays(place, name), Answers(place, name), Noted(place, name),
            Calls(place, tuple(data.draw(st.permutations([*calls, new])))), Calls(place, tuple(calls[1:])),
            Turns(tuple(data.draw(st.permutations(case.turns)))), Turns((*case.turns, replace(turn, place=""))),
        ]  # fmt: skip
    return data.draw(st.sampled_from(options))


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=25)
@given(data=st.data())
def test_edits_undone_and_redone(layout: str, data: st.DataObject) -> None:
    original = LAYOUTS[layout].encode()
    with opened(original, Path(f"x.{'yaml' if layout == 'yaml' else 'json'}")) as goldens:
        texts = [original]
        for _ in range(data.draw(st.integers(1, 4))):
            places = goldens.places
            if data.draw(st.booleans()) and places:
                place = data.draw(st.sampled_from(places))
                goldens.change(place, some_change(data, goldens.case(place)))
            else:
                new = replace(goldens.case(places[0]), place="") if places else Case("fresh")
                kept = list(data.draw(st.permutations(places)))[: data.draw(st.integers(0, 4))]
                goldens.arrange([*kept, new] if data.draw(st.booleans()) else kept)
            state = goldens.session.state
            assert parse(state.document.data, state.document.path).value == state.document.value
            if state.document.data != texts[-1]:
                texts.append(state.document.data)
        while goldens.session.state.can_undo:
            goldens.undo()
            state = goldens.session.state
            assert parse(state.document.data, state.document.path).value == state.document.value
        assert goldens.session.state.document.data == original
        while goldens.session.state.can_redo:
            goldens.redo()
        assert goldens.session.state.document.data == texts[-1]


def test_a_change_of_one_argument_is_one_line(tmp_path: Path) -> None:
    before = LAYOUTS["adk"].encode()
    with opened(before, tmp_path / "x.json") as goldens:
        turn = goldens.case("/eval_cases/1").turns[2]
        first, second = calls_of(turn)
        goldens.change(
            "/eval_cases/1", Calls(turn.place, (ExpectedCall(first), ExpectedCall(replace(second, args={"q": 7}))))
        )
        after = goldens.session.state.document.data
    pairs = list(zip(before.split(b"\n"), after.split(b"\n"), strict=True))
    assert [(old.strip(), new.strip()) for old, new in pairs if old != new] == [(b'"q": 2', b'"q": 7')]


def test_new_cases_look_like_those_that_are_there(tmp_path: Path) -> None:
    with opened(LAYOUTS["adk"].encode(), tmp_path / "x.json") as goldens:
        copy = replace(goldens.case("/eval_cases/0"), id="copy", place="")
        goldens.arrange(["/eval_cases/2", copy, "/eval_cases/0"])
        text = goldens.session.state.document.data.decode()
    assert text == json.dumps(json.loads(text), indent=2) + "\n"
    assert [case["eval_id"] for case in json.loads(text)["eval_cases"]] == ["case 2", "copy", "case 0"]


def test_places_and_touched_cases_are_told(tmp_path: Path) -> None:
    with opened(LAYOUTS["adk"].encode(), tmp_path / "x.json") as goldens:
        moved = goldens.arrange(["/eval_cases/2", "/eval_cases/0"])
        assert followed("/eval_cases/2/conversation/0", moved.steps) == "/eval_cases/0/conversation/0"
        assert followed("/eval_cases/1/conversation/0", moved.steps) is None
        assert moved.cases == ()
        turn = goldens.case("/eval_cases/1").turns[0]
        assert goldens.change("/eval_cases/1", UserSays(turn.place, "Hm")).cases == ("/eval_cases/1",)
        assert goldens.undo().cases == ("/eval_cases/1",)
        assert goldens.undo().cases == ("/eval_cases/1",)
        assert goldens.session.state.is_changed is False


def test_several_cases_change_as_one_step(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(LAYOUTS["adk"])
    document = read(path)
    known = recognise(document.value)
    assert known is not None
    with closing(EditSession(document, unnoted)) as session:
        goldens = GoldenSession(session, known)
        wanted = {place: [UserSays(goldens.case(place).turns[0].place, "Same")] for place in goldens.places}
        assert goldens.change_many(wanted).cases == goldens.places
        session.save()
        shown = open_file(path).contents.suites[0].cases
        assert [user_text(case.turns[0]) for case in shown] == ["Same"] * 3
        assert shown[1].turns == goldens.case("/eval_cases/1").turns
        goldens.undo()
        assert session.state.is_changed
        assert session.state.document.data == LAYOUTS["adk"].encode()


def test_what_cannot_be_changed_is_said(tmp_path: Path) -> None:
    with opened(LAYOUTS["adk"].encode(), tmp_path / "x.json") as goldens:
        with pytest.raises(EditError, match="no case at"):
            goldens.change("/eval_cases/9", Named("x"))
        with pytest.raises(EditError, match="no turn at"):
            goldens.change("/eval_cases/0", UserSays("/eval_cases/0/conversation/9", "x"))
        assert goldens.session.state.is_changed is False
