"""Matchers asked for the arguments of many calls: each value looks at those above it and at its own, not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.matcher import Match, Matcher
from trace_inspector.core.parts import ToolCall
from trace_inspector.core.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.engine.matching import Matchers, matchers_of

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
