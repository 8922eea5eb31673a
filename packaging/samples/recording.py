"""The story on a clock: when each agent, model call and tool ran, and what each model call was shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from samples.agents import AGENTS
from samples.names import hex_id, line, uuid_of
from samples.story import Call, Conversation, Json, JsonObject, Step, Turn

_GAP_US = 2_000  # between a model call and its tools, and the other way round
_CHARACTERS_PER_TOKEN = 3.6
_CACHE_BLOCK_TOKENS = 256


class Usage(Struct, frozen=True):
    """Tokens of one model call; the cached ones are part of the prompt."""

    prompt: int
    output: int
    thoughts: int
    cached: int


class ModelCall(Struct, frozen=True):
    """One model call; `contents` are what it was shown, in the form of the Gemini API."""

    step: Step
    event_id: str
    start_us: int
    duration_us: int
    contents: list[Json]
    usage: Usage


class ToolRun(Struct, frozen=True):
    """One tool at work."""

    call: Call
    call_id: str
    event_id: str
    start_us: int
    duration_us: int


class Round(Struct, frozen=True):
    """A model call and the tools it asked for."""

    model: ModelCall
    tools: tuple[ToolRun, ...]
    merged_id: str

    @property
    def end_us(self) -> int:
        """When the last of it was done."""
        runs = [self.model.start_us + self.model.duration_us, *(run.start_us + run.duration_us for run in self.tools)]
        return max(runs)


class AgentRun(Struct, frozen=True):
    """One agent from taking over to handing over."""

    agent: str
    rounds: tuple[Round, ...]


class Recorded(Struct, frozen=True):
    """One turn as it was recorded."""

    case_id: str
    turn: Turn
    trace_id: str
    invocation_id: str
    agents: tuple[AgentRun, ...]

    @property
    def start_us(self) -> int:
        """When the first model call began."""
        return self.agents[0].rounds[0].model.start_us

    @property
    def end_us(self) -> int:
        """When the answer was there."""
        return self.agents[-1].rounds[-1].end_us


class Recorder(Struct):
    """Plays conversations one after the other. `pace` stretches every duration."""

    run: str
    clock_us: int
    pace: float = 1.0
    _said: list[tuple[str, JsonObject]] = field(default_factory=list)

    def play(self, conversations: Iterable[Conversation]) -> Iterator[Recorded]:
        """Every turn that was reached, in time."""
        for conversation in conversations:
            self._said.clear()
            for index, turn in enumerate(conversation.turns):
                if turn.steps:
                    yield self._turn(conversation.id, index, turn)

    def _turn(self, case_id: str, index: int, turn: Turn) -> Recorded:
        self.clock_us += round(turn.pause_s * 1_000_000)
        self._said.append(("user", {"role": "user", "parts": [{"text": turn.user}]}))
        name = f"{self.run}/{case_id}/{index}"
        rounds = [(step.agent, self._round(f"{name}/{at}", step)) for at, step in enumerate(turn.steps)]
        return Recorded(
            case_id, turn, hex_id(name, digits=32), f"e-{uuid_of(name, 'invocation')}", tuple(_by_agent(rounds))
        )

    def _round(self, name: str, step: Step) -> Round:
        contents = [_seen_by(step.agent, author, content) for author, content in self._said]
        model = ModelCall(
            step,
            uuid_of(name, "model"),
            self.clock_us,
            self._stretched(step.duration_s),
            contents,
            _usage(step, contents),
        )
        start_us = model.start_us + model.duration_us + _GAP_US
        tools = tuple(
            ToolRun(
                call,
                f"adk-{uuid_of(name, 'call', at)}",
                uuid_of(name, "tool", at),
                start_us + at * 700,
                self._stretched(call.duration_s),
            )
            for at, call in enumerate(step.calls)
        )
        made = Round(model, tools, uuid_of(name, "merged"))
        self._said.append((step.agent, {"role": "model", "parts": spoken_parts(step)}))
        if step.calls:
            self._said.append((step.agent, {"role": "user", "parts": answered_parts(step.calls)}))
        self.clock_us = made.end_us + _GAP_US
        return made

    def _stretched(self, duration_s: float) -> int:
        return round(duration_s * self.pace * 1_000_000)


def spoken_parts(step: Step) -> list[Json]:
    """What a model call put out, without its thoughts."""
    if step.says:
        return [{"text": step.says}]
    return [{"function_call": {"args": call.args, "name": call.tool}} for call in step.calls]


def answered_parts(calls: Iterable[Call]) -> list[Json]:
    """What its tools answered."""
    return [{"function_response": {"name": call.tool, "response": call.result}} for call in calls]


def _by_agent(rounds: Iterable[tuple[str, Round]]) -> Iterator[AgentRun]:
    """Rounds of one agent in a row belong together; a transfer ends them."""
    open_rounds: list[Round] = []
    current = ""
    for agent, made in rounds:
        if open_rounds and agent != current:
            yield AgentRun(current, tuple(open_rounds))
            open_rounds = []
        current = agent
        open_rounds.append(made)
    yield AgentRun(current, tuple(open_rounds))


def _seen_by(agent: str, author: str, content: JsonObject) -> Json:
    """An agent sees what another one did as a report in the user's role."""
    if author in ("user", agent):
        return content
    report = f"{author} reported: {line(content['parts'])}"
    return {"role": "user", "parts": [{"text": report}]}


def _usage(step: Step, contents: list[Json]) -> Usage:
    agent = AGENTS[step.agent]
    declared = [tool.description + line(tool.schema()) for tool in agent.tools]
    prompt = _tokens(agent.instruction, *declared, line(contents))
    before = _tokens(agent.instruction, *declared, line(contents[:-2]))
    cached = before // _CACHE_BLOCK_TOKENS * _CACHE_BLOCK_TOKENS if len(contents) > 2 else 0
    return Usage(prompt, _tokens(line(spoken_parts(step))), _tokens(step.thought) * 3, cached)


def _tokens(*texts: str) -> int:
    return round(sum(map(len, texts)) / _CHARACTERS_PER_TOKEN)
