"""`vertex_rubrics:GROUP`: a judge decides each rubric of one group over the whole conversation."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.judges.questions.dialogue import agent_instructions, agent_tools, dialogue
from trace_inspector.engine.judges.questions.options import GroupParameters, options_of
from trace_inspector.engine.judges.questions.questions import Question, sampled
from trace_inspector.engine.judges.questions.rubric_kind import doubts, turn_verdict
from trace_inspector.engine.judges.questions.turn_context import rubric_lines
from trace_inspector.engine.scoring.metric import CannotJudge, Inquiry, Method, Subject
from trace_inspector.engine.vertex.whole_conversation import at_last_turn

_PROMPT = """You review a conversation between a user and an assistant, rubric by rubric.

Take each rubric by itself and decide from the conversation alone whether it is met. Say first what it demands and \
which words or calls bear on it, then decide. Nothing may be taken for granted that the conversation does not show.

Instructions the agents were given:
{agent_instructions}

Tools they had:
{agent_tool_definitions}

The conversation:
{user_agent_dialogue}

Rubrics:
{rubrics}

Reply in plain text, neither JSON nor Markdown. For every rubric, in any order, write exactly these lines:
ID: the id of the rubric
Property: the rubric, word for word
Rationale: one line
Verdict: yes or no
"""


def group_of(metric: str) -> str:
    """The group that a criterion names after the colon, "" for all rubrics."""
    return metric.partition(":")[2]


def _parameters(criterion: Criterion) -> GroupParameters:
    return options_of(GroupParameters, criterion)


def _rubrics(subject: Subject, criterion: Criterion, own: Sequence[Rubric]) -> list[Rubric]:
    """The golden's rubrics of the group, then the criterion's own, with unique ids.

    The service gives no ids to rubrics that users write.
    """
    group = group_of(criterion.metric)
    golden_rubrics = subject.case.rubrics if subject.case is not None else ()
    chosen = [*(rubric for rubric in golden_rubrics if not group or rubric.group == group), *own]
    if not chosen:
        named = f"no rubric group “{one_line(group, 60)}”" if group else "no rubrics"
        raise CannotJudge(f"the golden has {named}, and the criterion has none of its own")
    ids = [rubric.id or f"rubric {number}" for number, rubric in enumerate(chosen, 1)]
    if len(set(ids)) < len(ids):
        ids = [f"{rubric.group or group}/{name}".removeprefix("/") for rubric, name in zip(chosen, ids, strict=True)]
    repeated = next((name for name in ids if ids.count(name) > 1), None)
    if repeated is not None:
        raise CannotJudge(f"the rubric id “{one_line(repeated, 60)}” is used twice")
    return [Rubric(name, rubric.text, rubric.type) for name, rubric in zip(ids, chosen, strict=True)]


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    parameters = _parameters(criterion)
    rubrics = _rubrics(subject, criterion, parameters.own_rubrics())
    turns = [row.observed for row in subject.turns if row.observed is not None]
    if not turns:
        raise CannotJudge("the trace has no turns")
    agents = subject.trace.agents
    fields = (
        ("user_agent_dialogue", dialogue(turns)),
        ("rubrics", rubric_lines(rubrics)),
        ("agent_instructions", agent_instructions(agents)),
        ("agent_tool_definitions", agent_tools(agents)),
    )
    question = Question(turns[-1].index, fields)
    doubted = doubts([rubrics]) if parameters.confirms(subject.rules) else None
    (replies,) = yield from sampled(
        criterion.metric, _PROMPT, subject, (question,), parameters.judge_model_options, doubted
    )
    return at_last_turn(subject, turn_verdict(question, rubrics, replies, criterion))


METHOD = Method(_judge, parameters=GroupParameters, check=_parameters)
