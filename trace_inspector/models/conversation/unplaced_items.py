"""Conversation items without rows of their own: before the first turn, and parts of answers that are not text."""

from __future__ import annotations

from typing import NamedTuple

from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Part, Text
from trace_inspector.core.trace.trace import Agent, Event, Turn
from trace_inspector.models.base.row_table import TOP, RowTable

_MOST_PROMPTS = 20  # each opens a body


class ScenarioText(NamedTuple):
    """A text of a scenario with its title."""

    what: str
    text: str
    spoken: bool = False  # in the words that the simulated user will say


def before_first_turn(case: Case) -> list[ScenarioText | tuple[Event, Part]]:
    """Items before the first turn: the plan of the simulated user, the context, the starting prompt."""
    context = [(event, part) for event in case.context for part in event.parts]
    texts = _scenario(case.scenario) if case.scenario else []
    return [*(text for text in texts if not text.spoken), *context, *(text for text in texts if text.spoken)]


def _scenario(scenario: Scenario) -> list[ScenarioText]:
    persona = scenario.persona
    plays = "\n".join(word for word in (persona.id, persona.description) if word) if persona else ""
    texts = (
        ScenarioText("plan of the simulated user", scenario.plan),
        ScenarioText("persona of the simulated user", plays),
        ScenarioText("the scenario starts with", scenario.starting_prompt, spoken=True),
    )
    return [text for text in texts if text.text]


def non_text_parts(turn: Turn) -> list[Part]:
    """The parts of an answer that are not text."""
    return [part for part in turn.final_response or () if not isinstance(part, Text)]


def system_prompts(table: RowTable, top: int) -> list[int]:
    """The rows of agents with an instruction; all versions of an agent together, the first ones of very many."""
    above = table.agents_row(top)
    rows: list[int] = []
    for agent in table.children(above)[:_MOST_PROMPTS] if above != TOP else ():
        rows += [agent, *table.children(agent)[:_MOST_PROMPTS]]
    return [row for row in rows[:_MOST_PROMPTS] if table.kind(row) is Kind.AGENT and _instruction(table, row)]


def _instruction(table: RowTable, row: int) -> str:
    thing = table.thing(row)
    return thing.instruction if isinstance(thing, Agent) else ""
