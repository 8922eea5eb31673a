"""Changes of a golden as plain values, the same for every format. Places are those of the golden as it is before."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.golden.golden import Scenario, Session
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation
from trace_inspector.core.trace.parts import Part, ToolCall, ToolResult
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import JsonObject


class UserSays(Struct, frozen=True):
    """The words of the user in a turn."""

    turn: str
    text: str


class UserGives(Struct, frozen=True):
    """All that the user gives in a turn, in its order: words, files, answers of tools, variables.

    A part with a place stands there already and is kept, moved or changed; bytes cannot come in anew.
    """

    turn: str
    parts: tuple[Part, ...]


class Answers(Struct, frozen=True):
    """The expected answer of a turn; None expects none."""

    turn: str
    text: str | None


class ExpectedCall(Struct, frozen=True):
    """A call as it is to be expected. One with a place stands there already and is kept, moved or changed.

    The places of its matchers begin below the call's arguments: "/query".
    """

    call: ToolCall
    matchers: tuple[Matcher, ...] = ()


class Calls(Struct, frozen=True):
    """The expected calls of a turn, all of them, in their order."""

    turn: str
    calls: tuple[ExpectedCall, ...]


class Results(Struct, frozen=True):
    """What tools are expected to answer in a turn, all of it, in its order; one with a place stands there already."""

    turn: str
    results: tuple[ToolResult, ...]


class HandsOver(Struct, frozen=True):
    """The agents to whom a turn is expected to hand over, by name, in their order."""

    turn: str
    targets: tuple[str, ...]


class ExpectationWithMatchers(Struct, frozen=True):
    """A thing as it is to be expected, with the matchers of its call; their places begin below the arguments."""

    expectation: Expectation
    matchers: tuple[Matcher, ...] = ()


class Expected(Struct, frozen=True):
    """What is expected of a turn or of the whole case, all of it, in its order; what has a place is there already.

    Results, mocks, transfers, variables, no calls, sentences; whether one is skipped, its note and its criteria.
    """

    owner: str
    expectations: tuple[ExpectationWithMatchers, ...]


class Judged(Struct, frozen=True):
    """The criteria of a case, a turn or an expectation, all of them, which overrule those around it."""

    owner: str
    criteria: tuple[Criterion, ...]


class Rubrics(Struct, frozen=True):
    """The rubrics of a case or a turn, all of them; one with a place stands there already."""

    owner: str
    rubrics: tuple[Rubric, ...]


class Turns(Struct, frozen=True):
    """The turns of a case in their order; a turn with a place stands there already and is kept as it is.

    New ones that are `recorded` are as a run made them.
    """

    turns: tuple[Turn, ...]
    recorded: bool = False


class Named(Struct, frozen=True):
    """The id of the case."""

    id: str


class Titled(Struct, frozen=True):
    """What people call the case, where that is not its id."""

    title: str


class Described(Struct, frozen=True):
    """What the case is about, in words; none take them away."""

    text: str


class Tagged(Struct, frozen=True):
    """The tags of the case."""

    tags: tuple[str, ...]


class BeginsWith(Struct, frozen=True):
    """The session in which the case starts; None for none."""

    session: Session | None


class EndsWith(Struct, frozen=True):
    """The state in which the session is to end; None expects nothing of it."""

    state: JsonObject | None


class Simulated(Struct, frozen=True):
    """What the simulated user is told."""

    scenario: Scenario


class Noted(Struct, frozen=True):
    """Somebody's words about the value at a place; none takes them away."""

    place: str
    text: str


class SuiteDescribed(Struct, frozen=True):
    """What the suite is called and is about; empty words take a key away. It changes the document, not a case."""

    name: str
    description: str


GoldenChange: TypeAlias = (
    UserSays
    | UserGives
    | Answers
    | Calls
    | Results
    | HandsOver
    | Expected
    | Judged
    | Rubrics
    | Turns
    | Named
    | Titled
    | Described
    | Tagged
    | BeginsWith
    | EndsWith
    | Simulated
    | Noted
)
