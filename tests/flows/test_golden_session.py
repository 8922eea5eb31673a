"""Goldens edited in their file: undone they leave the original bytes; redone and saved they read the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.formats import adk_golden_cases as adk
from tests.formats import ces_golden_files as ces
from tests.formats import vertex_golden_files as vertex
from tests.helpers.adk_rules import refusals
from tests.helpers.campaigns import examples
from tests.helpers.golden_changes import any_change
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Calls, ExpectedCall, Named, SuiteDescribed, UserSays
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.trace import calls_of, user_text
from trace_inspector.core.values.edit import Set
from trace_inspector.core.values.value_edits import pointer_after
from trace_inspector.documents.reading.reading import parse, read
from trace_inspector.documents.saving import history
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.common.format import Source

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
RICH = {
    "eval_set_id": "rich",
    "name": "Rich",
    "eval_cases": [
        adk.case_of(adk.in_lists(2), adk.in_events(3), adk.in_camel(1), rubrics=[adk.RUBRIC]),
        adk.case_of(adk.in_events(1), session_input={"app_name": "a", "user_id": "u", "state": {"a": 1}}),
        adk.SCENARIO,
    ],
}
LAYOUTS = {
    "adk": json.dumps(SUITE, indent=2) + "\n",
    "one line": json.dumps(SUITE),
    "tabs": json.dumps(SUITE, indent="\t").replace("\n", "\r\n"),
    "escapes": json.dumps(SUITE, indent=4).replace("table", "t\\u00e4ble"),
    "yaml": json.dumps(SUITE, indent=1).replace("{", "{ ").replace("\n", "\n  "),
    "adk in all its forms": json.dumps(RICH, indent=2),
    "ces golden": json.dumps(ces.full_golden(), indent=2) + "\n",
    "ces scenario": json.dumps(ces.scenario(), indent="\t"),
    "ces list": json.dumps({"evaluations": [ces.full_golden(), ces.scenario()], "nextPageToken": "x"}),
    "ces snake": json.dumps(ces.snake(ces.full_golden()), indent=1),
    "vertex item": json.dumps(vertex.whole(vertex.REQUESTS["told"]), indent=2),
    "vertex reply": vertex.files(vertex.REQUESTS["history answered"])["reply"][0],
    "vertex lines": vertex.files(vertex.REQUESTS["asked"])["lines"][0],
}
SUFFIXES = {"yaml": "yaml", "vertex lines": "jsonl"}


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


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(8, 25)
@given(data=st.data())
def test_edits_undone_and_redone(layout: str, data: st.DataObject) -> None:
    original = LAYOUTS[layout].encode()
    with opened(original, Path(f"x.{SUFFIXES.get(layout, 'json')}")) as goldens:
        texts = [original]
        for _ in range(data.draw(st.integers(1, 4))):
            places = goldens.places
            if data.draw(st.booleans()) and places:
                change_one(goldens, data.draw(st.sampled_from(places)), data)
            elif goldens.is_list:
                new = replace(goldens.case(places[0]), place="") if places else Case("fresh")
                kept = list(data.draw(st.permutations(places)))[: data.draw(st.integers(0, 4))]
                goldens.arrange([*kept, new] if data.draw(st.booleans()) else kept)
            is_sound(goldens)
            if goldens.session.state.document.data != texts[-1]:
                texts.append(goldens.session.state.document.data)
        while goldens.session.state.can_undo:
            goldens.undo()
            is_sound(goldens)
        assert goldens.session.state.document.data == original
        while goldens.session.state.can_redo:
            goldens.redo()
        assert goldens.session.state.document.data == texts[-1]


def change_one(goldens: GoldenSession, place: str, data: st.DataObject) -> None:
    """Any change of a case; what its format has no place for is refused in a sentence, and leaves every byte."""
    before = goldens.session.state.document.data
    change = any_change(data, goldens.case(place))
    try:
        goldens.change(place, change)
    except EditError:
        assert goldens.session.state.document.data == before


def is_sound(goldens: GoldenSession) -> None:
    """The bytes are the value, opened again they are the same cases, and ADK takes them."""
    document = goldens.session.state.document
    value = parse(document.data, document.path).value
    assert value == document.value
    read_again = collect("", goldens.format.read(Source(value, "x.json")))
    for suite in read_again.suites:
        for case in suite.cases:
            shown = goldens.case(case.place.removesuffix("/evaluationRequest"), suite.id)
            assert replace(shown, id=case.id) == case
    if goldens.format.name == "adk-eval-set":
        assert refusals(value) == []


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
        assert pointer_after("/eval_cases/2/conversation/0", moved.steps) == "/eval_cases/0/conversation/0"
        assert pointer_after("/eval_cases/1/conversation/0", moved.steps) is None
        assert moved.cases == ()
        turn = goldens.case("/eval_cases/1").turns[0]
        assert goldens.change("/eval_cases/1", UserSays(turn.place, "Hm")).cases == ("/eval_cases/1",)
        assert goldens.undo().cases == ("/eval_cases/1",)
        assert goldens.undo().cases == ("/eval_cases/1",)
        assert goldens.session.state.is_changed is False


class _Hands:
    """What may happen to a document that is edited, through the goldens or past them."""

    def __init__(self, goldens: GoldenSession, data: st.DataObject, path: Path) -> None:
        self._goldens = goldens
        self._data = data
        self._path = path
        self._number = 0

    def golden(self) -> None:
        """A case is renamed."""
        self._number += 1
        places = self._goldens.places
        if places:
            self._goldens.change(self._data.draw(st.sampled_from(places)), Named(f"n{self._number}"))

    def arrange(self) -> None:
        """Cases move and go."""
        self._goldens.arrange(list(self._data.draw(st.permutations(self._goldens.places)))[:3])

    def text(self) -> None:
        """A value is set without the goldens knowing."""
        self._number += 1
        self._goldens.session.apply(Set("/eval_set_id", f'"s{self._number}"'))

    def undo(self) -> None:
        """By whoever is asked."""
        if self._goldens.session.state.can_undo:
            self._data.draw(st.sampled_from((self._goldens.undo, self._goldens.session.undo)))()

    def redo(self) -> None:
        """The same forth."""
        if self._goldens.session.state.can_redo:
            self._data.draw(st.sampled_from((self._goldens.redo, self._goldens.session.redo)))()

    def revert(self) -> None:
        """All of it back, as a step."""
        self._data.draw(st.sampled_from((self._goldens.revert, self._goldens.session.revert)))()

    def save(self) -> None:
        """On disk, and undo reaches behind it."""
        self._goldens.session.save(self._path, force=True)

    def discard(self) -> None:
        """For good."""
        self._goldens.session.discard()


@pytest.mark.parametrize("most", [2, 100_000], ids=["short history", "long history"])
@settings(examples(60, 300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_values_and_bytes_are_the_same_whoever_goes_back_and_forth(
    tmp_path: Path, most: int, data: st.DataObject
) -> None:
    path = tmp_path / "x.json"
    ways = [name for name in vars(_Hands) if not name.startswith("_")]
    with pytest.MonkeyPatch.context() as patch, opened(LAYOUTS["adk"].encode(), path) as goldens:
        patch.setattr(history, "MAX_STEPS", most)
        hands = _Hands(goldens, data, path)
        for way in data.draw(st.lists(st.sampled_from(ways), max_size=12)):
            getattr(hands, way)()
            document = goldens.session.state.document
            assert parse(document.data, document.path).value == document.value


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


def test_the_name_and_the_words_about_a_suite(tmp_path: Path) -> None:
    with opened(LAYOUTS["adk"].encode(), tmp_path / "x.json") as goldens:
        assert goldens.describe(SuiteDescribed("Shop", "Tables and chairs")).cases == ()
        value = json.loads(goldens.session.state.document.data)
        assert (value["name"], value["description"]) == ("Shop", "Tables and chairs")
        goldens.describe(SuiteDescribed("Shop", ""))
        assert "description" not in json.loads(goldens.session.state.document.data)
        goldens.undo()
        goldens.undo()
        assert goldens.session.state.document.data == LAYOUTS["adk"].encode()
    with (
        opened(LAYOUTS["ces list"].encode(), tmp_path / "x.json") as goldens,
        pytest.raises(EditError, match="Name the"),
    ):
        goldens.describe(SuiteDescribed("Shop", ""))
