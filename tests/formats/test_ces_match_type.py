"""`$matchType` in expected arguments: both spellings, every way of comparing, and ways that nobody knows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.engine.scoring.matching import matchers_of
from trace_inspector.formats.ces.common.match_type import expected_args
from trace_inspector.formats.common.fields import Report

DIRECTIVES: list[tuple[JsonObject, Json, Match, str]] = [
    ({"$matchType": "contains", "$matchValue": "seat", "$originalValue": "a seat"}, "a seat", Match.CONTAINS, "seat"),
    ({"value": "seat", "$matchType": "contains"}, "seat", Match.CONTAINS, "seat"),
    ({"$matchType": "regexp", "$matchValue": "s.at", "$originalValue": "seat"}, "seat", Match.REGEXP, "s.at"),
    ({"value": "s.at", "$matchType": "regexp"}, "s.at", Match.REGEXP, "s.at"),
    ({"$matchType": "semantic", "$matchValue": "place", "$originalValue": "seat"}, "place", Match.SEMANTIC, "place"),
    ({"value": {"row": 1}, "$matchType": "semantic"}, {"row": 1}, Match.SEMANTIC, '{"row": 1}'),
    ({"$matchType": "ignore", "$originalValue": 3}, 3, Match.IGNORE, ""),
    ({"$matchType": "ignore"}, None, Match.IGNORE, ""),
    ({"value": "seat", "$matchType": "exact"}, "seat", Match.EXACT, ""),
    ({"value": "seat", "$matchType": "Contains"}, "seat", Match.CONTAINS, "seat"),
]


@each(("directive", "plain", "match", "text"), DIRECTIVES)
def test_a_directive_is_a_value_and_a_matcher(directive: JsonObject, plain: Json, match: Match, text: str) -> None:
    report = Report()
    args, matchers = expected_args({"n": 2, "what": directive}, "/args", report)
    assert args == {"n": 2, "what": plain}
    assert matchers == (Matcher("/args/what", match, text),)
    assert list(report.drain()) == []


def test_directives_are_found_at_any_depth() -> None:
    value: Json = {"list": [{"in/side": {"value": "a", "$matchType": "contains"}}]}
    args, matchers = expected_args(value, "/args", Report())
    assert args == {"list": [{"in/side": "a"}]}
    assert [matcher.place for matcher in matchers] == ["/args/list/0/in~1side"]


def test_the_engine_compares_so() -> None:
    args, matchers = expected_args(
        {"what": {"value": "seat", "$matchType": "contains"}, "n": 2}, "/call/args", Report()
    )
    expected = ToolCall("book", args, place="/call")
    assert matchers_of(matchers).same_call(expected, ToolCall("book", {"what": "a seat", "n": 2}))
    assert not matchers_of(matchers).same_call(expected, ToolCall("book", {"what": "a table", "n": 2}))


@each("word", ["fuzzy", "", 3, None, ["exact"]])
def test_an_unknown_way_is_named_and_compared_exactly(word: Json) -> None:
    report = Report()
    args, matchers = expected_args({"what": {"$matchType": word, "$matchValue": "seat"}}, "/args", report)
    assert (args, matchers) == ({"what": "seat"}, (Matcher("/args/what", Match.EXACT),))
    assert [(found.code, found.pointer) for found in report.drain()] == [("match-type", "/args/what/$matchType")]


def test_a_directive_without_a_value_is_named() -> None:
    report = Report()
    args, matchers = expected_args({"what": {"$matchType": "contains"}}, "/args", report)
    assert (args, matchers) == ({"what": None}, (Matcher("/args/what", Match.CONTAINS),))
    assert [(found.code, found.pointer) for found in report.drain()] == [("match-value", "/args/what")]


def test_a_broken_pattern_is_named_and_kept() -> None:
    report = Report()
    _, matchers = expected_args({"what": {"$matchType": "regexp", "$matchValue": "(seat"}}, "/args", report)
    assert matchers == (Matcher("/args/what", Match.REGEXP, "(seat"),)
    assert [found.code for found in report.drain()] == ["match-pattern"]


def test_absent_and_null_arguments_stay_so() -> None:
    assert expected_args(ABSENT, "", Report()) == (ABSENT, ())
    assert expected_args(None, "", Report()) == (None, ())


_plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@examples(40, 1000)
@given(_plain)
def test_arguments_without_directives_are_as_they_were(value: Json) -> None:
    assert expected_args(value, "", Report()) == (value, ())
