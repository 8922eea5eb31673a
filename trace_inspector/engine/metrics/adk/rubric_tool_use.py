"""`rubric_based_tool_use_quality_v1`: a judge decides properties of the tool use in each turn, as ADK 2.13 counts."""

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

_PROMPT = """You review how an assistant used its tools in one turn, property by property.

Take the properties one after the other and decide for each, from the tool calls and their results alone, whether it \
holds. Think in five steps: what the property demands; which calls bear on it; what those calls show, arguments and \
order included; whether anything speaks against it; the verdict. A property that does not apply to this turn counts \
as yes.

Tools the assistant had:
{tool_declarations}

User:
{user_input}

Tool calls and their results:
{tool_usage}

Properties:
{rubrics}

Reply in plain text, neither JSON nor Markdown. For every property, in any order, write exactly these lines:
ID: the id of the property
Property: the property, word for word
STEP 1: to STEP 5: one line each, your thinking
Rationale: one line
Verdict: yes or no
"""


def _fields(turn: Turn, subject: Subject, _parameters: RubricParameters, rubrics: Sequence[Rubric]) -> Fields:
    return (
        ("tool_declarations", context.tool_declarations(turn.agents or subject.trace.agents)),
        ("user_input", text_of(turn.user)),
        ("tool_usage", context.steps(turn, subject.rules)),
        ("rubrics", context.rubric_lines(rubrics)),
    )


_KIND = RubricKind("rubric_based_tool_use_quality_v1", "TOOL_USE_QUALITY", _PROMPT, _fields)

METHOD = Method(_KIND.judge, parameters=RubricParameters, check=rubric_parameters)
