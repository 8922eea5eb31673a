"""Bulk edits: the preview names exactly what is then done, as one step of undo for each file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.helpers.eval_sets import call, case, turn
from trace_inspector.core.errors import EditError, UsageError
from trace_inspector.core.golden.bulk_change import (
    AddRubric,
    AddTag,
    Bulk,
    CompareArgument,
    DeleteCases,
    ExpectAnswer,
    ForgetRule,
    RemoveCalls,
    RemoveTag,
    RenameArgument,
    RenameTool,
    Where,
)
from trace_inspector.core.golden.golden_change import Noted
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.values.values import Json
from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.bulk_editing import Target, planned, text_replacement
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.formats import recognise

RULES: Json = {
    "version": 1,
    "matchers": {
        "/conversation/0/intermediate_data/tool_uses/0/args/q": {"match": "contains", "text": "a"},
        "/conversation/0/intermediate_data/tool_uses/1/args/at": {"match": "ignore"},
    },
}
CASES: list[Json] = [
    case(
        "a", turn("find Anna", "Found Anna", [call("search", q="Anna", at=1), call("log", at=2)]), turn("bye", "Bye")
    ),
    {**case("b", turn("find Bob", None, [call("search", q="Bob"), call("search", at=3)])), "tags": ["smoke"]},
    {**case("c", turn("find (x)", "?", [call("search", q="x", at=4), call("log", at=5)])), "traceInspector": RULES},
]
CES: Json = {
    "displayName": "one",
    "golden": {"turns": [{"steps": [
        {"userInput": {"text": "find Anna"}},
        {"expectation": {"toolCall": {"tool": "search", "args": {"q": "Anna", "at": 1}}}},
    ]}]},
}  # fmt: skip


def unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


def opened(stack: ExitStack, value: Json, path: Path) -> GoldenSession:
    document = parse(json.dumps(value, indent=2).encode(), path)
    known = recognise(document.value)
    assert known is not None
    session = stack.enter_context(closing(EditSession(document, unnoted)))
    stack.callback(session.discard)
    return GoldenSession(session, known)


@pytest.fixture
def adk(tmp_path: Path) -> Iterator[GoldenSession]:
    with ExitStack() as stack:
        yield opened(stack, {"eval_set_id": "s", "eval_cases": CASES}, tmp_path / "x.json")


@pytest.fixture
def ces(tmp_path: Path) -> Iterator[GoldenSession]:
    with ExitStack() as stack:
        yield opened(stack, CES, tmp_path / "y.json")


IGNORE = CompareArgument("search", "at", Matcher("", Match.IGNORE))
EVERYWHERE = frozenset(Where)
# A bulk edit, its sentence, and its rows: case, turn, what, before, after.
KINDS: list[tuple[str, Bulk, str, list[tuple[str, int | None, str, str, str]]]] = [
    ("ignore", IGNORE, "Ignore argument “at” of “search” in 3 cases", [
        ("a", 0, "search at", "exact", "ignore"),
        ("b", 0, "search at", "exact", "ignore"),
        ("c", 0, "search at", "exact", "ignore"),
    ]),
    ("other rule", CompareArgument("search", "q", Matcher("", Match.REGEXP, "^A")),
        "Compare argument “q” of “search” by regexp “^A” in 3 cases", [
        ("a", 0, "search q", "exact", "regexp “^A”"),
        ("b", 0, "search q", "exact", "regexp “^A”"),
        ("c", 0, "search q", "contains “a”", "regexp “^A”"),
    ]),
    ("same rule", CompareArgument("search", "q", Matcher("", Match.CONTAINS, "a")),
        "Compare argument “q” of “search” by contains “a” in 2 cases", [
        ("a", 0, "search q", "exact", "contains “a”"),
        ("b", 0, "search q", "exact", "contains “a”"),
    ]),
    ("forget a rule", ForgetRule("log", "at"), "Want argument “at” of “log” to be equal in 1 case", [
        ("c", 0, "log at", "ignore", "exact"),
    ]),
    ("rename a tool", RenameTool("log", "note"), "Rename tool “log” to “note” in 2 cases", [
        ("a", 0, "tool", "log", "note"), ("c", 0, "tool", "log", "note"),
    ]),
    ("rename an argument", RenameArgument("search", "q", "query"),
        "Rename argument “q” of “search” to “query” in 3 cases", [
        ("a", 0, "search", "q", "query"), ("b", 0, "search", "q", "query"), ("c", 0, "search", "q", "query"),
    ]),
    ("remove calls", RemoveCalls("log"), "Expect no calls of “log” in 2 cases", [
        ("a", 0, "expected call", 'log {"at": 2}', ""), ("c", 0, "expected call", 'log {"at": 5}', ""),
    ]),
    ("add a tag", AddTag("smoke"), "Add tag “smoke” in 2 cases", [
        ("a", None, "tag", "", "smoke"), ("c", None, "tag", "", "smoke"),
    ]),
    ("remove a tag", RemoveTag("smoke"), "Remove tag “smoke” in 1 case", [("b", None, "tag", "smoke", "")]),
    ("no answer", ExpectAnswer(None), "Expect no answer in every turn in 2 cases, 3 places", [
        ("a", 0, "answer", "Found Anna", ""), ("a", 1, "answer", "Bye", ""), ("c", 0, "answer", "?", ""),
    ]),
    ("last answer", ExpectAnswer("Bye", last_only=True), "Expect “Bye” as the answer of the last turn in 2 cases", [
        ("b", 0, "answer", "", "Bye"), ("c", 0, "answer", "?", "Bye"),
    ]),
    ("add a rubric", AddRubric(Rubric("r", "polite")), "Add rubric “polite” in 3 cases", [
        ("a", None, "rubric", "", "polite"), ("b", None, "rubric", "", "polite"), ("c", None, "rubric", "", "polite"),
    ]),
    ("delete", DeleteCases(), "Delete 3 cases", [
        ("a", None, "case", "a", ""), ("b", None, "case", "b", ""), ("c", None, "case", "c", ""),
    ]),
    ("replace", text_replacement(EVERYWHERE, "Anna", "Eva"), "Replace “Anna” with “Eva” in 1 case, 3 places", [
        ("a", 0, "user", "find Anna", "find Eva"),
        ("a", 0, "answer", "Found Anna", "Found Eva"),
        ("a", 0, "search", "Anna", "Eva"),
    ]),
    ("replace plain signs", text_replacement([Where.USER], "(x)", "\\1"), "Replace “(x)” with “\\1” in 1 case", [
        ("c", 0, "user", "find (x)", "find \\1"),
    ]),
    ("replace any case", text_replacement([Where.USER], "FIND A", "see A", any_case=True),
        "Replace “FIND A” with “see A” in 1 case", [("a", 0, "user", "find Anna", "see Anna")]),
    ("replace a pattern", text_replacement([Where.ARGUMENTS], r"^(\w)\w+$", r"\1.", is_pattern=True),
        "Replace “^(\\w)\\w+$” with “\\1.” in 2 cases", [
        ("a", 0, "search", "Anna", "A."), ("b", 0, "search", "Bob", "B."),
    ]),
]  # fmt: skip
IDS = [kind[0] for kind in KINDS]


@pytest.mark.parametrize(("bulk", "sentence", "rows"), [kind[1:] for kind in KINDS], ids=IDS)
def test_what_is_shown_is_what_is_done(
    adk: GoldenSession, bulk: Bulk, sentence: str, rows: list[tuple[str, int | None, str, str, str]]
) -> None:
    before = adk.session.state.document.data
    plan = planned([Target.of(adk)], bulk)
    assert adk.session.state.document.data == before
    assert [(row.case, row.turn, row.what, row.before, row.after) for row in plan.rows] == rows
    assert plan.sentence == sentence
    assert plan.left_out == ()
    plan.do()
    assert planned([Target.of(adk)], bulk).rows == ()  # nothing is left to be done
    document = adk.session.state.document
    assert parse(document.data, document.path).value == document.value
    adk.undo()
    assert adk.session.state.document.data == before
    assert not adk.session.state.can_undo


def test_rules_go_where_their_argument_goes(adk: GoldenSession) -> None:
    planned([Target.of(adk)], RenameArgument("search", "q", "query")).do()
    rules = adk.case("/eval_cases/2").matchers
    assert {(rule.place.rpartition("/args")[2], rule.match) for rule in rules} == {
        ("/query", Match.CONTAINS),
        ("/at", Match.IGNORE),
    }


LISTS: Json = {"tool_uses": [call("log"), call("find")], "tool_responses": [{"name": "log", "response": {}}]}
EVENTS: Json = {
    "invocation_events": [
        {"author": "bot", "content": {"parts": [{"function_call": {"name": "log", "args": {}}}]}},
        {"author": "bot", "content": {"parts": [{"functionResponse": {"name": "log", "response": {}}}]}},
    ]
}


@pytest.mark.parametrize("stated", [LISTS, EVENTS], ids=["lists", "events"])
def test_an_answer_keeps_to_its_renamed_tool(stated: Json, tmp_path: Path) -> None:
    told: Json = case("a", {"user_content": {"parts": [{"text": "x"}]}, "intermediate_data": stated})
    with ExitStack() as stack:
        goldens = opened(stack, {"eval_set_id": "s", "eval_cases": [told]}, tmp_path / "x.json")
        planned([Target.of(goldens)], RenameTool("log", "note")).do()
        data = goldens.session.state.document.data
        assert (data.count(b'"note"'), data.count(b'"log"')) == (2, 0)


def test_only_the_named_argument_changes_in_the_bytes(adk: GoldenSession) -> None:
    before = adk.session.state.document.data
    planned([Target.of(adk)], text_replacement([Where.ARGUMENTS], "Anna", "Eva")).do()
    after = adk.session.state.document.data
    lines = zip(before.split(b"\n"), after.split(b"\n"), strict=True)
    assert [(old.strip(), new.strip()) for old, new in lines if old != new] == [(b'"q": "Anna",', b'"q": "Eva",')]


def test_only_chosen_cases_of_several_files(adk: GoldenSession, ces: GoldenSession) -> None:
    plan = planned([Target.of(adk, ["/eval_cases/1"]), Target.of(ces)], IGNORE)
    assert plan.sentence == "Ignore argument “at” of “search” in 2 cases of 2 files"
    assert [row.case for row in plan.rows] == ["b", "one"]
    assert [moved.cases for moved in plan.do()] == [("/eval_cases/1",), ("",)]
    (rule,) = ces.case("").matchers
    assert (rule.match, rule.place.endswith("/at")) == (Match.IGNORE, True)


def test_what_a_format_refuses_is_left_out_and_said(adk: GoldenSession, ces: GoldenSession) -> None:
    bulk = CompareArgument("search", "at", Matcher("", Match.TOLERANCE, absolute=1.0))
    plan = planned([Target.of(ces), Target.of(adk, ["/eval_cases/0"])], bulk)
    (left_out,) = plan.left_out
    assert left_out.startswith("“one”: CES compares an argument")
    assert [row.after for row in plan.rows] == ["tolerance ± 1"]
    there_already = planned([Target.of(adk, ["/eval_cases/0"])], RenameArgument("search", "q", "at"))
    assert (there_already.rows, len(there_already.left_out)) == ((), 1)


def test_a_preview_that_is_out_of_date_does_nothing(adk: GoldenSession, ces: GoldenSession) -> None:
    plan = planned([Target.of(ces), Target.of(adk)], IGNORE)
    adk.change("/eval_cases/0", Noted("/eval_cases/0", "hm"))
    with pytest.raises(EditError, match="Look at the preview again"):
        plan.do()
    assert not ces.session.state.is_changed


def test_all_files_or_none(adk: GoldenSession, ces: GoldenSession, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned([Target.of(ces), Target.of(adk)], IGNORE)

    def full(*_given: object) -> None:
        raise EditError("The disk is full.")

    monkeypatch.setattr(adk.session, "make", full)
    with pytest.raises(EditError, match="The disk is full"):
        plan.do()
    assert not ces.session.state.is_changed


def test_a_single_case_cannot_be_deleted_from_its_file(ces: GoldenSession) -> None:
    with pytest.raises(EditError, match="single case"):
        planned([Target.of(ces)], DeleteCases()).do()


@pytest.mark.parametrize(
    ("wanted", "new", "why"),
    [
        ("(", "", "not a regular expression"),
        ("(a{5000}){5000}", "", "repetitions are too large"),
        ("", "x", "nothing to search for"),
        ("a", "\ud83d", "Half of a character"),
        ("(" * 6_000, "", "^.{0,300}$"),
    ],
    ids=["broken", "huge", "empty", "half", "long"],
)
def test_patterns_that_are_refused(wanted: str, new: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        text_replacement([Where.USER], wanted, new, is_pattern=True)


@pytest.mark.parametrize(
    ("wanted", "new", "text", "why"),
    [
        ("^(a|aa)+$", "", "a" * 60 + "b", "too long"),
        ("a", r"\7", "a", "cannot be put in"),
        ("", "x" * 100_000, "a" * 100, "^.{0,300}too large.{0,300}$"),
    ],
    ids=["slow", "no such group", "too large"],
)
def test_patterns_that_fail_on_a_text(wanted: str, new: str, text: str, why: str) -> None:
    bulk = text_replacement([Where.USER], wanted or "(?:)", new, is_pattern=True)
    with pytest.raises(EditError, match=why):
        bulk.replaced(text)
