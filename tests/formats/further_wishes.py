"""What people wish of a golden beyond words, calls and rubrics: what the user gives, results, transfers, criteria."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.equivalent_changes import stated_expectations, transfer_targets
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import (
    ExpectationWithMatchers,
    Expected,
    GoldenChange,
    HandsOver,
    Results,
    UserGives,
)
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Media, Part, Text, ToolResult, Transfer
from trace_inspector.core.trace.trace import calls_of

Change = Callable[[Case], GoldenChange]
Look = Callable[[Case], Any]
FILE = Media("image/png", uri="gs://shop/a.png")
ANSWERED = ToolResult("find", {"rows": 9}, "c9")
SIMILAR = Criterion("ces_semantic_similarity", 3.0)


class Wish(Struct, frozen=True):
    """A change, what a look at the case is to give then, and the pointers beside which nothing may change."""

    change: Change
    look: Look
    wanted: Any
    touched: tuple[str, ...]


def bare(part: Part) -> Part:
    """A part without its place."""
    return replace(part, place="")


def given(case: Case, turn: int = 0) -> list[Part]:
    """What the user gives."""
    return [bare(part) for part in case.turns[turn].user]


def answered(case: Case, turn: int = 0) -> list[tuple[str, Any]]:
    """What tools are expected to answer."""
    turn_of = case.turns[turn]
    expected = [one.parts[0] for one in turn_of.expectations if one.kind is Expects.RESULT]
    parts = expected or [part for event in turn_of.events for part in event.parts]
    return [(part.name, part.value) for part in parts if isinstance(part, ToolResult)]


def results(case: Case, turn: int = 0) -> list[ToolResult]:
    """The results as they stand."""
    turn_of = case.turns[turn]
    expected = [part for one in turn_of.expectations if one.kind is Expects.RESULT for part in one.parts]
    parts = expected or [part for event in turn_of.events for part in event.parts]
    return [part for part in parts if isinstance(part, ToolResult)]


def called(case: Case, turn: int = 0) -> list[str]:
    """The tools that are expected to be called."""
    return [call.name for call in calls_of(case.turns[turn])]


def transfers(case: Case, turn: int = 0) -> tuple[str, ...]:
    """To whom is handed over."""
    expected = [one.parts[0] for one in case.turns[turn].expectations if one.kind is Expects.TRANSFER]
    named = tuple(part.target for part in expected if isinstance(part, Transfer))
    return named or transfer_targets(case.turns[turn])


def kinds(case: Case, turn: int | None = 0) -> list[tuple[Expects, bool]]:
    """What is expected, and whether it is skipped."""
    stated = case.expectations if turn is None else case.turns[turn].expectations
    return [(one.kind, one.skipped) for one in stated]


def mocks(stated: tuple[Expectation, ...]) -> list[Any]:
    """What tools answer in the run."""
    parts = [part for one in stated if one.kind is Expects.MOCK for part in one.parts]
    return [part.value for part in parts if isinstance(part, ToolResult)]


def skips(case: Case, kind: Expects) -> list[bool]:
    """Whether what is expected of a kind in the first turn is skipped."""
    return [skipped for one, skipped in kinds(case) if one is kind]


def with_text(one: ExpectationWithMatchers, text: str) -> ExpectationWithMatchers:
    """The same with another sentence."""
    return replace(one, expectation=replace(one.expectation, text=text))


def gives(turn: int, *parts: Callable[[tuple[Part, ...]], tuple[Part, ...]]) -> Change:
    """Give other things, made of what is given."""

    def change(case: Case) -> GoldenChange:
        stated = case.turns[turn].user
        for rework in parts:
            stated = rework(stated)
        return UserGives(case.turns[turn].place, stated)

    return change


def says_anew(text: str) -> Callable[[tuple[Part, ...]], tuple[Part, ...]]:
    """Other words in the first words."""

    def rework(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        first = next(part for part in parts if isinstance(part, Text))
        return tuple(replace(first, text=text) if part is first else part for part in parts)

    return rework


def and_also(*more: Part) -> Callable[[tuple[Part, ...]], tuple[Part, ...]]:
    """Further parts behind."""
    return lambda parts: (*parts, *more)


def answers(turn: int, rework: Callable[[list[ToolResult]], list[ToolResult]]) -> Change:
    """Expect other results, made of those that are expected."""
    return lambda case: Results(case.turns[turn].place, tuple(rework(results(case, turn))))


def over_to(turn: int, *targets: str) -> Change:
    """Hand over to these."""
    return lambda case: HandsOver(case.turns[turn].place, targets)


def expecting(
    turn: int | None, rework: Callable[[tuple[ExpectationWithMatchers, ...]], tuple[ExpectationWithMatchers, ...]]
) -> Change:
    """Expect other things, made of what is expected."""

    def change(case: Case) -> GoldenChange:
        owner = case if turn is None else case.turns[turn]
        return Expected(owner.place, rework(stated_expectations(case, owner.expectations)))

    return change


def reworked(
    kind: Expects, **fields: Any
) -> Callable[[tuple[ExpectationWithMatchers, ...]], tuple[ExpectationWithMatchers, ...]]:
    """The first of a kind with other fields."""

    def rework(stated: tuple[ExpectationWithMatchers, ...]) -> tuple[ExpectationWithMatchers, ...]:
        first = next(one for one in stated if one.expectation.kind is kind)
        other = replace(first, expectation=replace(first.expectation, **fields))
        return tuple(other if one is first else one for one in stated)

    return rework


def plus(*more: Expectation) -> Callable[[tuple[ExpectationWithMatchers, ...]], tuple[ExpectationWithMatchers, ...]]:
    """Further things behind."""
    return lambda stated: (*stated, *map(ExpectationWithMatchers, more))


def without(kind: Expects) -> Callable[[tuple[ExpectationWithMatchers, ...]], tuple[ExpectationWithMatchers, ...]]:
    """What is expected but for one kind."""
    return lambda stated: tuple(one for one in stated if one.expectation.kind is not kind)


IN_LISTS, IN_EVENTS, IN_CAMEL = range(3)
ADK: dict[str, Wish] = {
    "words": Wish(
        gives(0, says_anew("Seat 3?")),
        given,
        [Text("Seat 3?")],
        ("/conversation/0/user_content/parts/0/text",),
    ),
    "a file": Wish(
        gives(0, and_also(FILE)), given, [Text("Question 0"), FILE], ("/conversation/0/user_content/parts",)
    ),
    "an answer of a tool": Wish(
        gives(0, and_also(ANSWERED), lambda parts: parts[::-1]),
        given,
        [ANSWERED, Text("Question 0")],
        ("/conversation/0/user_content/parts",),
    ),
    "a link of another file": Wish(
        gives(3, lambda parts: (parts[0], Media("image/gif", uri="gs://b", place=parts[1].place), parts[2])),
        lambda case: given(case, 3)[1],
        Media("image/gif", uri="gs://b"),
        ("/conversation/3/user_content/parts/1/file_data",),
    ),
    "bytes moved": Wish(
        gives(3, lambda parts: (parts[2], parts[0])),
        lambda case: given(case, 3)[0],
        Media("image/png", 3, data="AAAA"),
        ("/conversation/3/user_content/parts",),
    ),
    "another result": Wish(
        answers(IN_LISTS, lambda stated: [replace(stated[0], value={"rows": 7}), *stated[1:]]),
        answered,
        [("find", {"rows": 7}), ("find", {"rows": 1})],
        ("/conversation/0/intermediate_data/tool_responses/0/response",),
    ),
    "a further result": Wish(
        answers(IN_LISTS, lambda stated: [ANSWERED, *stated]),
        answered,
        [("find", {"rows": 9}), ("find", {"rows": 0}), ("find", {"rows": 1})],
        ("/conversation/0/intermediate_data/tool_responses",),
    ),
    "no result": Wish(answers(IN_LISTS, lambda _: []), answered, [], ("/conversation/0/intermediate_data",)),
    "another result of an event": Wish(
        answers(IN_EVENTS, lambda stated: [stated[0], replace(stated[1], value={"rows": 7}), stated[2]]),
        lambda case: answered(case, IN_EVENTS)[1],
        ("find", {"rows": 7}),
        ("/conversation/1/intermediate_data/invocation_events/2/content/parts/1/function_response/response",),
    ),
    "fewer results in events": Wish(
        answers(IN_EVENTS, lambda stated: stated[:2]),
        lambda case: answered(case, IN_EVENTS),
        [("find", {"rows": 0}), ("find", {"rows": 1})],
        ("/conversation/1/intermediate_data/invocation_events",),
    ),
    "the first result": Wish(
        answers(IN_CAMEL, lambda _: [ANSWERED]),
        lambda case: answered(case, IN_CAMEL),
        [("find", {"rows": 9})],
        ("/conversation/2/intermediateData",),
    ),
    "a transfer": Wish(
        over_to(IN_LISTS, "desk"),
        lambda case: (transfers(case), called(case)),
        (("desk",), ["find", "find", "transfer_to_agent"]),
        ("/conversation/0/intermediate_data/tool_uses",),
    ),
    "another target": Wish(
        over_to(3, "clerk"),
        lambda case: (transfers(case, 3), called(case, 3)),
        (("clerk",), ["transfer_to_agent", "find"]),
        ("/conversation/3/intermediate_data/tool_uses/0/args/agent_name",),
    ),
    "no transfer": Wish(
        over_to(3), lambda case: called(case, 3), ["find"], ("/conversation/3/intermediate_data/tool_uses",)
    ),
}
PROMPT, EVENTS = "/evaluationRequest/prompt", "/evaluationRequest/goldenResponse/agentData/turns/0/events"
VERTEX_ASKED: dict[str, Wish] = {
    "words": Wish(gives(0, says_anew("Seat 3?")), given, [Text("Seat 3?")], (f"{PROMPT}/text",)),
    "a file": Wish(gives(0, and_also(FILE)), given, [Text("Question 0"), FILE], (PROMPT,)),
}
VERTEX_TOLD: dict[str, Wish] = {
    "words": Wish(
        gives(0, says_anew("Seat 3?")),
        given,
        [Text("Seat 3?")],
        (f"{PROMPT}/text", f"{EVENTS}/0/content/parts/0/text"),
    ),
    "a file": Wish(
        gives(0, and_also(FILE)), given, [Text("Question 0"), FILE], (PROMPT, f"{EVENTS}/0/content/parts")
    ),
    "another result": Wish(
        answers(0, lambda stated: [replace(stated[0], value={"output": 7}), *stated[1:]]),
        lambda case: answered(case)[0],
        ("find", {"output": 7}),
        (f"{EVENTS}/2/content/parts/0/functionResponse/response",),
    ),
    "no result": Wish(answers(0, lambda _: []), answered, [], (EVENTS,)),
    "results the other way round": Wish(
        answers(0, lambda stated: stated[::-1]),
        answered,
        [("find", {"output": 2}), ("find", {"output": 1}), ("find", {"output": 0})],
        (f"{EVENTS}/2/content/parts", f"{EVENTS}/4/content/parts"),
    ),
    "a transfer": Wish(
        over_to(0, "desk"),
        lambda case: (transfers(case), called(case)),
        (("desk",), ["find", "find", "find", "transfer_to_agent"]),
        (f"{EVENTS}/3/content/parts",),
    ),
}
