"""What people wish of a golden in an evaluation item: every kind of change, and what is to be read afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
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
    Tagged,
    Turns,
    UserSays,
)
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Steps, Turn, answer_text, calls_of, user_text


class Wish(Struct, frozen=True):
    """A change, and what a look at the case is to give then."""

    change: GoldenChange
    look: Callable[[Case], Any]
    wanted: Any
    in_bare: bool = True  # whether a request without an item has room for it


def wishes(case: Case) -> Iterator[tuple[str, Wish]]:
    """Changes of every kind but those of a scenario."""
    for at in range(len(case.turns)):
        yield from _of_a_turn(case, at)
    yield from _of_turns(case)
    yield from _of_rubrics(case)
    yield "named", Wish(Named("two"), lambda one: one.id, "two", in_bare=False)
    tags = ("team: seats", "new: a: b")
    yield "tagged", Wish(Tagged(tags), lambda one: one.tags, tags, in_bare=False)
    place = case.rubrics[1].place
    yield "noted", Wish(Noted(place, "Why"), notes, [(place, "Why")], in_bare=False)
    yield "no session", Wish(BeginsWith(None), told, told(case))
    yield "no end", Wish(EndsWith(None), told, told(case))


def calls(turn: Turn) -> list[tuple[str, Any]]:
    """Names and arguments of the expected calls."""
    return [(one.name, one.args) for one in calls_of(turn)]


def told(case: Case) -> list[tuple[str, list[tuple[str, Any]], str | None]]:
    """What is asked, called and answered, turn by turn."""
    return [
        (user_text(turn), calls(turn), answer_text(turn) if turn.final_response is not None else None)
        for turn in case.turns
    ]


def notes(case: Case) -> list[tuple[str, str]]:
    """What is noted where."""
    return [(note.place, note.text) for note in case.notes]


def matched(case: Case) -> list[tuple[int, int, str, Match]]:
    """How arguments are compared: turn and number of the call, the argument."""
    return [
        (at, number, one.place.rpartition("/")[2], one.match)
        for at, turn in enumerate(case.turns)
        for number, call in enumerate(calls_of(turn))
        for one in case.matchers
        if one.place.startswith(f"{call.place}/args/")
    ]


def _of_a_turn(case: Case, at: int) -> Iterator[tuple[str, Wish]]:
    turn, lines = case.turns[at], told(case)
    place, (asked, made, words) = turn.place, lines[at]

    def wish(change: GoldenChange, *line: Any) -> Wish:
        return Wish(change, told, [*lines[:at], line, *lines[at + 1 :]])

    yield f"user {at}", wish(UserSays(place, "New\n“words”"), "New\n“words”", made, words)
    yield f"answer {at}", wish(Answers(place, "Newly"), asked, made, "Newly")
    yield f"no answer {at}", wish(Answers(place, None), asked, made, None)
    stated = tuple(ExpectedCall(one) for one in calls_of(turn))
    new = ExpectedCall(ToolCall("new", {"n": 1}))
    lists: dict[str, tuple[ExpectedCall, ...]] = {
        "same": stated,
        "added": (*stated, new),
        "first": (new, *stated),
        "none": (),
        "turned": stated[::-1],
        "changed": tuple(replace(one, call=replace(one.call, name="other", args={"x": 1})) for one in stated[:1]),
    }
    for name, wanted in lists.items():
        after = [(one.call.name, one.call.args) for one in wanted]
        yield f"calls {name} {at}", wish(Calls(place, wanted), asked, after, words)
    near = replace(new, matchers=(Matcher("/n", Match.TOLERANCE, absolute=0.5),))
    looked = [(at, len(stated), "n", Match.TOLERANCE)]
    yield f"matcher {at}", Wish(Calls(place, (*stated, near)), matched, looked, in_bare=False)


def _of_turns(case: Case) -> Iterator[tuple[str, Wish]]:
    fresh = Turn(0, user=(Text("Fresh"),))
    full = replace(fresh, final_response=(Text("Yes"),), steps=Steps.EVENTS)
    orders: dict[str, tuple[Turn, ...]] = {
        "back to front": case.turns[::-1],
        "a fresh one last": (*case.turns, fresh),
        "a fresh one first": (full, *case.turns),
        "a whole one last": (*case.turns, full),
        "only the first": case.turns[:1],
        "only the last": case.turns[-1:],
        "only a fresh one": (full,),
        "a copy": (*case.turns, replace(case.turns[0], place="")),
    }
    for name, turns in orders.items():
        yield f"turns: {name}", Wish(Turns(turns), told, told(replace(case, turns=turns)))


def _of_rubrics(case: Case) -> Iterator[tuple[str, Wish]]:
    a, b, c = case.rubrics
    lists: dict[str, tuple[Rubric, ...]] = {
        "same": (a, b, c),
        "added": (a, b, Rubric("n", "Is new.", "FACT", "Tone", group="tone", importance="LOW"), c),
        "removed": (a, c),
        "turned": (b, a, c),
        "changed": (replace(a, id="x", text="Is kind.", type="TONE", importance="MEDIUM"), b, c),
        "bared": (a, b, replace(c, type=None, importance="")),
        "shown": (replace(a, description="Manner"), replace(b, description="Manner"), c),
        "renamed": (a, b, replace(c, group="truth")),
        "moved": (a, b, replace(c, group="tone", description="Tone")),
        "a new group": (a, b, c, Rubric("d", "Is new.", group="new")),
        "none": (),
    }
    for name, rubrics in lists.items():
        yield (
            f"rubrics {name}",
            Wish(Rubrics(case.place, rubrics), _rubrics, _rubrics(replace(case, rubrics=rubrics))),
        )


def _rubrics(case: Case) -> list[Rubric]:
    return [replace(one, place="") for one in case.rubrics]
