"""What a conversation tells that has no row of its own: before its first turn, and beside the words of an answer."""

from __future__ import annotations

from typing import NamedTuple

from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.trace.parts import Part, Text
from trace_inspector.core.trace.trace import Event, Turn


class ScenarioText(NamedTuple):
    """What a scenario says of one thing."""

    what: str
    text: str
    spoken: bool = False  # in the words that the simulated user will say


def beforehand(case: Case) -> list[ScenarioText | tuple[Event, Part]]:
    """What stands before the first turn: a simulated user's orders, what was said already, how it begins."""
    context = [(event, part) for event in case.context for part in event.parts]
    texts = _scenario(case.scenario) if case.scenario else []
    return [*(text for text in texts if not text.spoken), *context, *(text for text in texts if text.spoken)]


def _scenario(scenario: Scenario) -> list[ScenarioText]:
    persona = scenario.persona
    plays = "\n".join(word for word in (persona.id, persona.description) if word) if persona else ""
    texts = (
        ScenarioText("plan of the simulated user", scenario.plan),
        ScenarioText("whom the simulated user plays", plays),
        ScenarioText("the scenario starts with", scenario.starting_prompt, spoken=True),
    )
    return [text for text in texts if text.text]


def unspoken(turn: Turn) -> list[Part]:
    """What an answer holds beside words."""
    return [part for part in turn.final_response or () if not isinstance(part, Text)]
