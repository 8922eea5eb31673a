"""`rubric_based_final_response_quality_v1`: a judge decides properties of each answer, counted as ADK 2.13 does."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.trace.parts import text_of
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn
from trace_inspector.engine.judges.questions import turn_context as context
from trace_inspector.engine.judges.questions.options import RubricParameters, rubric_parameters
from trace_inspector.engine.judges.questions.questions import Fields
from trace_inspector.engine.judges.questions.rubric_kind import RubricKind
from trace_inspector.engine.scoring.metric import Method, Subject

_PROMPT = """You review the final answer of an assistant, property by property.

Work in two steps.
1. Gather what can be trusted: the user's words, the results of tool calls that make sense for the request and were \
made properly, and grounding metadata. The assistant's own claims are not evidence.
2. For each property decide whether the final answer has it. A property that does not apply to this turn counts as \
yes. A claim that the trusted evidence does not bear out counts as no.

Instructions the assistant was given:
{developer_instructions}

Tools it had:
{tool_declarations}

User:
{user_input}

Tool calls and their results:
{response_steps}

Grounding metadata:
{grounding_metadata}

Final answer:
{final_response}

Properties:
{rubrics}

Reply in plain text, neither JSON nor Markdown. For every property, in any order, write exactly these lines:
ID: the id of the property
Property: the property, word for word
Evidence: what you rely on
Rationale: one line
Verdict: yes or no
"""


def _fields(turn: Turn, subject: Subject, parameters: RubricParameters, rubrics: Sequence[Rubric]) -> Fields:
    agents = turn.agents or subject.trace.agents
    return (
        ("developer_instructions", context.instructions(turn, agents, subject.rules)),
        ("tool_declarations", context.tool_declarations(agents)),
        ("user_input", text_of(turn.user)),
        ("response_steps", context.steps(turn, subject.rules)),
        ("grounding_metadata", context.grounding(turn.events)),
        (
            "final_response",
            context.answer(turn, with_intermediate=parameters.include_intermediate_responses_in_final),
        ),
        ("rubrics", context.rubric_lines(rubrics)),
    )


_KIND = RubricKind(
    "rubric_based_final_response_quality_v1", "FINAL_RESPONSE_QUALITY", _PROMPT, _fields, shows_instructions=True
)

METHOD = Method(_KIND.judge, parameters=RubricParameters, check=rubric_parameters)
