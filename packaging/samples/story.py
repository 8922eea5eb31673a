"""How the story is written down: conversations of turns, turns of model calls, model calls of tool calls."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
JsonObject: TypeAlias = dict[str, Json]

ROOT = "root_agent"
INTAKE = "IntakeAgent"
RESEARCH = "MarketResearchAgent"


class Request(Struct, frozen=True):
    """An HTTP request that a tool makes, from `after_s` into the tool's time."""

    path: str
    status: int
    after_s: float
    duration_s: float


class Call(Struct, frozen=True):
    """A tool call with what the tool answered."""

    tool: str
    args: JsonObject
    result: JsonObject
    duration_s: float = 0.3
    requests: tuple[Request, ...] = ()

    @property
    def failed(self) -> bool:
        """ADK marks a tool that returns an error object as failed."""
        return "error" in self.result


class Step(Struct, frozen=True):
    """One model call: what it thought, what it called (side by side), or what it said at last."""

    agent: str
    duration_s: float
    calls: tuple[Call, ...] = ()
    says: str = ""
    thought: str = ""


class Rubric(Struct, frozen=True):
    """One yes/no property for the judge."""

    id: str
    text: str


class Golden(Struct, frozen=True):
    """What is expected of a turn. `steps` None: the calls that the run made."""

    answer: str
    steps: tuple[Step, ...] | None = None
    rubrics: tuple[Rubric, ...] = ()
    as_events: bool = True  # ADK's newer form of intermediate data; else the older lists of calls and responses


class Turn(Struct, frozen=True):
    """A user message and what followed. No `steps`: the run never got here; no `golden`: nobody expected it."""

    user: str
    steps: tuple[Step, ...] = ()
    golden: Golden | None = None
    evidence: str = ""  # what the recorded judge says the answer rests on
    pause_s: float = 15.0  # how long the user thought before writing


class Conversation(Struct, frozen=True):
    """One case, its golden and its run."""

    id: str
    turns: tuple[Turn, ...]
    rubrics: tuple[Rubric, ...] = ()
    start_state: JsonObject | None = None
    final_state: JsonObject | None = None


def hand_over(agent: str, to: str, duration_s: float = 0.6) -> Step:
    """A model call whose only outcome is the transfer to another agent."""
    return Step(agent, duration_s, (Call("transfer_to_agent", {"agent_name": to}, {"result": None}, 0.002),))


def answer_of(turn: Turn) -> str:
    """What the run answered."""
    return turn.steps[-1].says


def expected_steps(turn: Turn) -> tuple[Step, ...]:
    """The steps whose calls the golden demands."""
    if turn.golden is not None and turn.golden.steps is not None:
        return turn.golden.steps
    return turn.steps
