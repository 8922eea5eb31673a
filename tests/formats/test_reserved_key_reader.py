"""The reserved key of a case: matchers and notes typed and placed; what is broken or foreign named and harmless."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.formats.span_files import opened
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher, Note
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.values import Json, JsonObject

CALL: Json = {"name": "book", "args": {"seats": 4, "name/day": "Ann Tue", "~": [1]}}
ARGS = "/conversation/0/intermediate_data/tool_uses/0/args"


def read(ours: Json) -> Contents:
    turn: JsonObject = {
        "user_content": {"parts": [{"text": "q"}], "role": "user"},
        "intermediate_data": {"tool_uses": [CALL]},
    }
    case: JsonObject = {"eval_id": "c", "conversation": [turn], "traceInspector": ours}
    return opened({"eval_set_id": "s", "eval_cases": [{"eval_id": "b", "conversation": []}, case]})


def only_case(contents: Contents) -> Case:
    return contents.suites[0].cases[1]


def test_matchers_and_notes_are_placed_in_the_document() -> None:
    ours: JsonObject = {
        "version": 1,
        "matchers": {
            f"{ARGS}/seats": {"match": "tolerance", "absolute": 1, "relative": 0.5},
            f"{ARGS}/name~1day": {"match": "contains", "text": "Ann"},
            f"{ARGS}/~0": {"match": "subset"},
            f"{ARGS}": {"match": "any"},
            f"{ARGS}/~0/0": {"match": "ignore"},
            "/eval_id": {"match": "exact"},
            "/conversation/0": {"match": "regexp", "pattern": "^A"},
        },
        "notes": {f"{ARGS}/seats": "Three would do."},
        "overrules": [{"any": "thing"}],
    }
    contents = read(ours)
    only = only_case(contents)
    call = only.turns[0].events[0].parts[0]
    assert only.matchers == (
        Matcher(f"{call.place}/args/seats", Match.TOLERANCE, "", 1.0, 0.5),
        Matcher(f"{call.place}/args/name~1day", Match.CONTAINS, "Ann"),
        Matcher(f"{call.place}/args/~0", Match.SUBSET),
        Matcher(f"{call.place}/args", Match.ANY),
        Matcher(f"{call.place}/args/~0/0", Match.IGNORE),
        Matcher("/eval_cases/1/eval_id", Match.EXACT),
        Matcher("/eval_cases/1/conversation/0", Match.REGEXP, "^A"),
    )
    assert only.notes == (Note(f"{call.place}/args/seats", "Three would do."),)
    assert only.overrules == ({"any": "thing"},)
    assert contents.findings == ()


@each(
    ("ours", "place", "says"),
    [
        (7, "", "should be an object, not a number"),
        ({"version": 2, "matchers": {"/eval_id": {"match": "any"}}}, "", "an unknown version"),
        ({"version": True}, "", "an unknown version"),
        ({}, "", "an unknown version"),
        ({"version": 1, "matchers": []}, "/matchers", "“matchers” should be an object"),
        ({"version": 1, "origin": "x"}, "/origin", "“origin” should be an object"),
        ({"version": 1, "overrules": {}}, "/overrules", "“overrules” should be a list"),
        ({"version": 1, "matchers": {"/eval_id": 1}}, "/matchers/~1eval_id", "needs “match”, one of exact, ignore"),
        ({"version": 1, "matchers": {"/eval_id": {"match": "maybe"}}}, "/matchers/~1eval_id", "needs “match”"),
        ({"version": 1, "matchers": {"/eval_id": {"match": "contains"}}}, "/matchers/~1eval_id", "needs “text”"),
        (
            {"version": 1, "matchers": {"/eval_id": {"match": "regexp", "pattern": "("}}},
            "/matchers/~1eval_id",
            "needs “pattern”, a regular expression",
        ),
        (
            {"version": 1, "matchers": {"/eval_id": {"match": "tolerance", "absolute": -1}}},
            "/matchers/~1eval_id",
            "needs “absolute” or “relative”",
        ),
        ({"version": 1, "matchers": {"eval_id": {"match": "any"}}}, "/matchers/eval_id", "is not a JSON Pointer"),
        ({"version": 1, "notes": {"/gone": "x"}}, "/notes/~1gone", "There is no value at “/gone”"),
        ({"version": 1, "notes": {"/eval_id": 1}}, "/notes/~1eval_id", "A note should be a text, not a number"),
    ],
)
def test_what_is_broken_is_named_and_not_used(ours: Json, place: str, says: str) -> None:
    contents = read(ours)
    (finding,) = contents.findings
    assert (finding.severity, finding.code) == (Severity.WARNING, "reserved-key")
    assert finding.pointer == f"/eval_cases/1/traceInspector{place}"
    assert says in finding.message
    only = only_case(contents)
    assert (only.matchers, only.notes, only.overrules, len(only.turns)) == ((), (), (), 1)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
_table = st.dictionaries(st.sampled_from(["", "/eval_id", "x", "/conversation/9", ARGS]), _json, max_size=3) | _json
_names = st.sampled_from(["version", "origin", "leftovers", "matchers", "notes", "overrules"])


@examples(40, 1000)
@given(st.dictionaries(_names, _table, max_size=6))
def test_whatever_stands_there_the_case_is_read(ours: JsonObject) -> None:
    contents = read({"version": 1} | ours)
    assert len(only_case(contents).turns) == 1
    assert all(finding.code == "reserved-key" for finding in contents.findings)
