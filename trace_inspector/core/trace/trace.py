"""A recorded conversation: agents, turns, events and spans. A golden turn has the same shape."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation
from trace_inspector.core.trace.parts import Part, ToolCall, ToolResult, spoken_text
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject


class Usage(Struct, frozen=True):
    """Tokens as reported; None is "not reported", which is not 0.

    `total` is only kept, never used: as in ADK a total is what the kinds add up to.
    """

    prompt: int | None = None
    tool_use_prompt: int | None = None
    candidates: int | None = None
    thoughts: int | None = None
    cached: int | None = None
    total: int | None = None
    cache_written: int | None = None  # of the prompt, what was put into the cache for later


class Event(Struct, frozen=True):
    """One thing that happened in a turn, by one author. Times are epoch seconds.

    `active_tools` are the names of the tools that the model could call just then. `adk_keeps` says whether google-adk
    has the event in the invocation that it makes of a session's turn; None where the turn is none of a session.
    """

    author: str
    parts: tuple[Part, ...] = ()
    role: str | None = None
    time_s: float | None = None
    duration_s: float | None = None
    usage: Usage | None = None
    model: str | None = None
    finish_reason: str | None = None
    state_delta: JsonObject | None = None
    grounding: Json | Absent = ABSENT
    error: str | None = None
    partial: bool = False
    id: str | None = None
    span_id: str | None = None
    active_tools: tuple[str, ...] = ()
    adk_keeps: bool | None = None
    extras: tuple[Extra, ...] = ()
    place: str = ""


class SpanKind(enum.Enum):
    """What a span measures. PLUMBING is transport and queues around the work."""

    AGENT = "agent"
    MODEL = "model"
    TOOL = "tool"
    RUN = "run"
    PLUMBING = "plumbing"
    OTHER = "other"


# A value like the others, though not frozen: making one takes a fifth of the time, and a file may have a million.
class Span(Struct):
    """A timed piece of work as a tracer recorded it."""

    id: str
    name: str
    kind: SpanKind
    parent_id: str | None = None
    start_s: float | None = None
    duration_s: float | None = None
    error: str | None = None
    place: str = ""
    agent: str = ""  # of an AGENT span: the name of the agent, which a framework may not say in that of the span


class Steps(enum.Enum):
    """How a turn states what happened between the user's message and the answer."""

    ABSENT = "absent"  # not stated at all: no trajectory to compare with
    CALLS = "calls"  # ADK's old form: calls, responses and intermediate texts, without a common order
    EVENTS = "events"  # events in order


class Agent(Struct, frozen=True):
    """One agent as the trace describes it. `sub_agents` are those that the file shows below it, by name."""

    name: str
    instruction: str = ""
    description: str = ""
    tools: tuple[Json, ...] = ()
    sub_agents: tuple[str, ...] = ()
    place: str = ""


class Turn(Struct, frozen=True):
    """From a user message to the answer. `final_response` None means that none is stated.

    `events` hold everything between, without the user's message and without the final answer. `final_event` is the
    index of the one that gave the answer, where the reader knows it; without parts of its own unless it calls a tool.
    `guessed` names what the reader derived: "borders", "order", "times", "pairing".
    """

    index: int
    id: str | None = None
    user: tuple[Part, ...] = ()
    events: tuple[Event, ...] = ()
    final_response: tuple[Part, ...] | None = None
    final_author: str = ""
    final_event: int | None = None
    steps: Steps = Steps.ABSENT
    start_s: float | None = None
    duration_s: float | None = None
    model_duration_s: float | None = None
    tool_duration_s: float | None = None
    rubrics: tuple[Rubric, ...] = ()
    expectations: tuple[Expectation, ...] = ()  # of a golden, in the order of the file
    criteria: tuple[Criterion, ...] = ()  # which overrule those of the case
    agents: tuple[Agent, ...] = ()
    spans: tuple[Span, ...] = ()
    extras: tuple[Extra, ...] = ()
    guessed: frozenset[str] = frozenset()
    place: str = ""
    trace_id: str = ""  # by which a tracer knows its spans; a conversation may have several


class ParentCall(Struct, frozen=True):
    """The call in another conversation that started this one; its id where the file states it."""

    trace_id: str
    call_id: str | None = None


class Trace(Struct, frozen=True):
    """One recorded conversation. `case_id` is set when the file itself says which case was run.

    `parent` is set where it is that of a sub-agent. One that is `abandoned` holds the turns of a branch that somebody
    went back from; it is shown, and only scored when it is asked for.

    A reader that tells a large file on the way may come back to an earlier trace: the turns that follow belong to it,
    and so do the spans; all else is what is known by then.
    """

    id: str
    turns: tuple[Turn, ...] = ()
    agents: tuple[Agent, ...] = ()
    spans: tuple[Span, ...] = ()  # those outside every turn
    span_count: int = 0  # all of them, plumbing and wrappers too
    session_id: str | None = None
    app: str | None = None
    user: str | None = None
    case_id: str | None = None
    suite_id: str | None = None
    final_state: JsonObject | None = None
    candidate: str = ""  # whose answers these are, where several were asked
    persona: str = ""  # whom the simulated user played
    title: str = ""  # what people call it, where that is not its id
    case_title: str = ""  # what they call the case
    extras: tuple[Extra, ...] = ()
    criteria: tuple[Criterion, ...] = ()  # by which its own result was judged, where that is stated
    case_runs: int = 1  # how many conversations the file holds of that case, where the reader knows
    guessed: frozenset[str] = frozenset()
    place: str = ""
    goes_on: int | None = None  # the number of the earlier trace, counted from 0
    parent: ParentCall | None = None
    abandoned: bool = False


class PairedCall(Struct, frozen=True):
    """A call with its result, and the event each came in."""

    call: ToolCall
    event: int
    result: ToolResult | None = None
    result_event: int | None = None


def calls_of(turn: Turn) -> list[ToolCall]:
    """Every call in event order, then part order, whatever the author."""
    return [part for event in turn.events for part in event.parts if isinstance(part, ToolCall)]


def kept_by_adk(turn: Turn) -> Turn:
    """The turn without the events that google-adk leaves out when it makes an invocation of it."""
    if all(event.adk_keeps is not False for event in turn.events):
        return turn
    kept = [index for index, event in enumerate(turn.events) if event.adk_keeps is not False]
    final = kept.index(turn.final_event) if turn.final_event in kept else None
    return replace(turn, events=tuple(turn.events[index] for index in kept), final_event=final)


def paired_calls(turn: Turn) -> list[PairedCall]:
    """Calls with results: by id, else by name and order, never a result whose id says that it is another's."""
    calls = [(index, part) for index, part in _parts(turn) if isinstance(part, ToolCall)]
    results = [(index, part) for index, part in _parts(turn) if isinstance(part, ToolResult)]
    matched: dict[int, tuple[int, ToolResult]] = {}
    by_id = _queues(
        (result.call_id, index) for index, (_, result) in enumerate(results) if result.call_id is not None
    )
    unused = set(range(len(results)))
    for which, (_, call) in enumerate(calls):
        queue = by_id.get(call.call_id) if call.call_id is not None else None
        if queue:
            index = queue.popleft()
            unused.discard(index)
            matched[which] = results[index]
    by_name = _queues((results[index][1].name, index) for index in sorted(unused))
    nameless = _queues(
        (results[index][1].name, index) for index in sorted(unused) if results[index][1].call_id is None
    )
    for which, (_, call) in enumerate(calls):
        queue = (by_name if call.call_id is None else nameless).get(call.name)
        while queue and which not in matched:
            index = queue.popleft()
            if index in unused:
                unused.discard(index)
                matched[which] = results[index]
    paired = []
    for which, (event, call) in enumerate(calls):
        result_event, result = matched.get(which, (None, None))
        paired.append(PairedCall(call, event, result, result_event))
    return paired


def user_text(turn: Turn) -> str:
    """The user's words."""
    return spoken_text(turn.user)


def answer_text(turn: Turn) -> str:
    """The agent's answer as a reader sees it, empty when there is none."""
    return spoken_text(turn.final_response or ())


def stated_duration_s(turn: Turn) -> float | None:
    """How long a turn took as the file says it, not as it was derived."""
    return None if "times" in turn.guessed else turn.duration_s


_NOTHING_USED = Usage()


def turn_usage(turn: Turn) -> Usage:
    """The sum over the events that reported; a kind nobody reported stays None."""
    reported = [event.usage for event in turn.events if event.usage]
    if not reported:
        return _NOTHING_USED
    return Usage(
        _sum(usage.prompt for usage in reported),
        _sum(usage.tool_use_prompt for usage in reported),
        _sum(usage.candidates for usage in reported),
        _sum(usage.thoughts for usage in reported),
        _sum(usage.cached for usage in reported),
        cache_written=_sum(usage.cache_written for usage in reported),
    )


def input_tokens(usage: Usage) -> int | None:
    """Prompt and tool-use prompt together, as ADK counts input."""
    return _sum((usage.prompt, usage.tool_use_prompt))


def output_tokens(usage: Usage) -> int | None:
    """Candidates and thoughts together, as ADK counts output."""
    return _sum((usage.candidates, usage.thoughts))


def total_tokens(usage: Usage) -> int | None:
    """Input and output; a total that a file reports is not used, as in ADK."""
    return _sum((input_tokens(usage), output_tokens(usage)))


def _parts(turn: Turn) -> Iterator[tuple[int, Part]]:
    for index, event in enumerate(turn.events):
        for part in event.parts:
            yield index, part


def _queues(pairs: Iterable[tuple[str | None, int]]) -> dict[str | None, deque[int]]:
    queues: dict[str | None, deque[int]] = {}
    for key, index in pairs:
        queues.setdefault(key, deque()).append(index)
    return queues


def _sum(values: Iterator[int | None] | tuple[int | None, ...]) -> int | None:
    reported = [value for value in values if value is not None]
    return sum(reported) if reported else None
