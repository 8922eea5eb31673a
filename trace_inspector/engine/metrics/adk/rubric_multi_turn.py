"""`rubric_based_multi_turn_trajectory_quality_v1`: a judge decides properties of a whole conversation, as in ADK."""

from __future__ import annotations

import json

from msgspec.structs import replace

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Agent
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.judges.questions.dialogue import agent_instructions, agent_tools, dialogue
from trace_inspector.engine.judges.questions.options import RubricParameters, rubric_parameters
from trace_inspector.engine.judges.questions.questions import Question, sampled
from trace_inspector.engine.judges.questions.rubric_kind import (
    doubts,
    overall_verdict,
    rubrics_of,
    turn_verdict,
    with_notes,
)
from trace_inspector.engine.scoring.metric import CannotJudge, Inquiry, Judged, Method, Subject

NAME = "rubric_based_multi_turn_trajectory_quality_v1"
_TYPE = "TRAJECTORY_QUALITY"

_PROMPT = """You review how an assistant handled a whole conversation, property by property.

Look at all turns of the assistant together: what went wrong in one turn counts even if a later one mends it, unless \
the property says otherwise. When a property does not hold, name the turn in your rationale. Think in five steps for \
each property: what it demands; which turns bear on it; what they show; whether anything speaks against it; the \
verdict. A property that does not apply counts as yes.

Instructions the agents were given:
{agent_instructions}

Tools they had:
{agent_tool_definitions}

The conversation:
{user_agent_dialogue}

Properties:
{properties}

Reply in plain text, neither JSON nor Markdown. For every property, in any order, write exactly these lines:
ID: the id of the property
Property: the property, word for word
STEP 1: to STEP 5: one line each, your thinking
Rationale: one line
Verdict: yes or no
"""

_BREAKS = "google-adk breaks on tool declarations that come from a file"
_EARLIER = "the conversation is judged as a whole, at its last turn"


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    parameters = rubric_parameters(criterion)
    turns = [row.observed for row in subject.turns if row.observed is not None]
    if not turns:
        return Judged(overall_verdict([None] * len(subject.turns), subject, criterion), (None,) * len(subject.turns))
    rubrics = rubrics_of(turns[-1], parameters, _TYPE)
    agents = _agents(subject)
    if subject.rules == "adk" and any(agent.tools for agent in agents):
        raise CannotJudge(_BREAKS)
    listed: list[Json] = [
        {"id": rubric.id, "property": rubric.text, **({"type": rubric.type} if rubric.type else {})}
        for rubric in rubrics
    ]
    fields = (
        ("user_agent_dialogue", dialogue(turns)),
        ("properties", json.dumps(listed, indent=2)),
        ("agent_instructions", agent_instructions(agents)),
        ("agent_tool_definitions", agent_tools(agents)),
    )
    question = Question(turns[-1].index, fields)
    doubted = doubts([rubrics]) if parameters.confirms(subject.rules) else None
    options = parameters.judge_model_options
    (replies,) = yield from sampled(NAME, _PROMPT, subject, (question,), options, doubted)
    last = replace(turn_verdict(question, rubrics, replies, criterion), has_rubrics=True)
    if any(agent.tools for agent in agents):
        last = with_notes(last, [f"{_BREAKS}, and does not judge this conversation"])
    earlier = MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, _EARLIER)
    verdicts = tuple(
        None if row.observed is None else last if row.observed is turns[-1] else earlier for row in subject.turns
    )
    return Judged(overall_verdict(verdicts, subject, criterion), verdicts)


def _agents(subject: Subject) -> list[Agent]:
    """Every agent of every turn, else those that the trace describes."""
    listed = [agent for row in subject.turns if row.observed is not None for agent in row.observed.agents]
    return listed or list(subject.trace.agents)


METHOD = Method(_judge, parameters=RubricParameters, check=rubric_parameters)
