"""Matchers asked for the arguments of many calls: each value looks at those above it and at its own, not at all."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.engine.ces.arguments import compare_arguments
from trace_inspector.engine.scoring.matching import Matchers, matchers_of
from trace_inspector.engine.trace_diff.rule import COMPARISONS

_NAMES = st.sampled_from(["a", "b", "a/b", "~", ""])
_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.integers(0, 1),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=6,
)
_PLACES = st.lists(st.sampled_from(["/a", "/b", "/a~1b", "/~0", "/", "/0", "/1"]), max_size=3).map("".join)


class _NeverWalked(dict[str, Matcher]):
    """A table in which things are looked up, and that nobody goes through."""

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("every matcher was looked at")


def _same(by_place: dict[str, Matcher], wanted: Json | Absent, given: Json | Absent, place: str) -> bool:
    """The rule itself, in its plainest form."""
    if place in by_place:
        return True
    if not any(other.startswith(f"{place}/") for other in by_place):
        return wanted is given or wanted == given
    if isinstance(wanted, dict) and isinstance(given, dict):
        spelt = {name: f"{place}/{name.replace('~', '~0').replace('/', '~1')}" for name in {**wanted, **given}}
        return all(_same(by_place, wanted.get(at, ABSENT), given.get(at, ABSENT), to) for at, to in spelt.items())
    if isinstance(wanted, list) and isinstance(given, list) and len(wanted) == len(given):
        return all(_same(by_place, wanted[at], given[at], f"{place}/{at}") for at in range(len(wanted)))
    return wanted == given


@given(_VALUES, _VALUES, st.lists(_PLACES, max_size=3))
def test_the_same_values_are_the_same(wanted: Json, observed: Json, places: list[str]) -> None:
    ignored = [Matcher(f"/x{place}", Match.IGNORE) for place in places]
    by_place = {matcher.place: matcher for matcher in ignored}
    assert matchers_of(ignored).same(wanted, observed, "/x") == _same(by_place, wanted, observed, "/x")


def test_of_many_matchers_only_those_of_the_value_are_looked_at() -> None:
    names = [f"n{at}" for at in range(5_000)]
    args: JsonObject = {name: {"deep": [at]} for at, name in enumerate(names)}
    known = matchers_of(Matcher(f"/call/args/{name}/deep/0", Match.ANY) for name in names)
    quick = Matchers(_NeverWalked(known.by_place), known.above)
    expected = ToolCall("find", args, place="/call")
    assert quick.differing(expected, replace(expected, args={**args, "n7": {"deep": []}, "n8": {"deep": [0]}})) == (
        "n7",
    )


_OUTER = [Match.EXACT, Match.TOLERANCE, Match.SEMANTIC, Match.SUBSET]
_REFUSES = Matcher("/c/args/x/deep/0", Match.REGEXP, text="^b$")


@each("outer", _OUTER)
@each("place", ["/c/args", "/c/args/x", "/c/args/x/deep"])
def test_a_matcher_inside_decides_for_its_own_value(outer: Match, place: str) -> None:
    """Also where the values are equal and it refuses what the golden itself has."""
    known = matchers_of([Matcher(place, outer, absolute=1.0), _REFUSES])
    expected = ToolCall("f", {"x": {"deep": ["a"]}}, place="/c")
    assert known.differing(expected, expected)
    assert not known.differing(expected, replace(expected, args={"x": {"deep": ["b"]}}))
    assert compare_arguments(expected, expected, known).differing == ("x",)


@each("outer", _OUTER)
def test_what_is_ignored_inside_does_not_make_the_whole_differ(outer: Match) -> None:
    known = matchers_of([Matcher("/c/args/x", outer), Matcher("/c/args/x/when", Match.IGNORE)])
    expected = ToolCall("f", {"x": {"when": 1, "where": "here"}}, place="/c")
    assert not known.differing(expected, replace(expected, args={"x": {"when": 2, "where": "here"}}))
    assert known.differing(expected, replace(expected, args={"x": {"when": 1, "where": "there"}})) == ("x",)


_TOLERANCE = Matcher("/c/args/x", Match.TOLERANCE, absolute=1.0)
_KINDS: tuple[Json, ...] = (True, False, None, 0, 1, 1.0, 1.5, 2, 3, "1", [1], [True], {"a": 1}, {"a": True}, {})


@each("wanted", _KINDS, ids=repr)
@each("given_value", _KINDS, ids=repr)
def test_tolerance_takes_all_that_is_equal_and_numbers_nearby(wanted: Json, given_value: Json) -> None:
    """To ADK true equals 1, so it does with a tolerance; to CES it is none, with and without."""
    expected, made = ToolCall("f", {"x": wanted}, place="/c"), ToolCall("f", {"x": given_value}, place="/c")
    numbers = [one for one in (wanted, given_value) if isinstance(one, int | float) and not isinstance(one, bool)]
    near = len(numbers) == 2 and abs(numbers[0] - numbers[1]) <= 1.0
    known, nothing = matchers_of([_TOLERANCE]), matchers_of([])
    assert (not known.differing(expected, made)) is (wanted == given_value or near)
    ces = not compare_arguments(expected, made, known).differing
    assert ces is (not compare_arguments(expected, made, nothing).differing or near)


@each("match", [None, Match.EXACT, Match.TOLERANCE, Match.SUBSET])
@each("inside", [False, True])
def test_true_and_1_are_equal_by_every_rule_but_that_of_ces(match: Match | None, *, inside: bool) -> None:
    wanted: Json = {"a": [True]} if inside else True
    made: Json = {"a": [1]} if inside else 1
    matchers = [Matcher("/c/args/x", match)] if match else []
    for rule in COMPARISONS:
        differing = rule.differing(matchers)
        if differing is not None:
            found = differing(ToolCall("f", {"x": wanted}, place="/c"), ToolCall("f", {"x": made}))
            assert found == (("x",) if rule.name == "ces" else ())
