"""The five metrics that google-adk 2.13 leaves to Vertex AI's evaluation service, counted as there."""

from __future__ import annotations

import json
from collections.abc import Callable

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import text_of
from trace_inspector.core.trace.trace import Agent, Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.judges.questions.questions import case_id_of, settled, with_replies
from trace_inspector.engine.judges.questions.vertex_reply import ServiceResult, read_result
from trace_inspector.engine.judges.questions.vertex_request import conversation, pointwise, single_turn
from trace_inspector.engine.scoring.metric import SERVICE, Ask, Inquiry, Judged, Method, PairedTurn, Reply, Subject
from trace_inspector.engine.scoring.scoring import plain_mean, refuse_without_golden, summary

_EARLIER = "the conversation is judged as a whole, at its last turn"
_NO_SCORE = "the service gave no score"
_MODEL = "evaluateInstances"  # which model answers is for the service to say

_COHERENCE = """You rate how well an answer holds together.

Read the answer as a whole: do its sentences follow from each other, does it keep to one line of thought, and is it \
put in an order that a reader of the question can follow? Whether it is true or complete does not count.

Give a whole number:
5: it holds together completely
4: it mostly holds together, with small breaks
3: a reader has to work to follow it
2: it largely does not hold together
1: it does not hold together at all

Question:
{prompt}

Answer:
{response}
"""


class _EachTurn(Struct, frozen=True):
    """One call for every turn."""

    name: str
    request: Callable[[PairedTurn, Turn], JsonObject]
    needs_golden: bool = False

    def judge(self, subject: Subject, criterion: Criterion) -> Inquiry:
        """Ask about every observed turn on its own."""
        if self.needs_golden:
            refuse_without_golden(subject)
        verdicts = [settled(row, subject, criterion) if self.needs_golden else None for row in subject.turns]
        asked = {
            index: _ask(self.name, subject, row.observed.index, self.request(row, row.observed))
            for index, row in enumerate(subject.turns)
            if verdicts[index] is None and row.observed is not None and (row.golden or not self.needs_golden)
        }
        replies = yield tuple(asked.values())
        for index, reply in zip(asked, replies, strict=True):
            verdicts[index] = _verdict(read_result(reply), reply, criterion)
        score = plain_mean(verdict.score for verdict in verdicts if verdict and verdict.score is not None)
        status = against(score, criterion.threshold)
        reason = summary(verdicts, subject.turns) if status is not Status.PASSED else ""
        return Judged(MetricVerdict(criterion.metric, score, status, criterion.threshold, reason), tuple(verdicts))


class _WholeConversation(Struct, frozen=True):
    """One call for all turns together."""

    name: str

    def judge(self, subject: Subject, criterion: Criterion) -> Inquiry:
        """Ask once; the last turn carries the verdict."""
        turns = [row.observed for row in subject.turns if row.observed is not None]
        nothing = MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, _NO_SCORE)
        if not turns:
            return Judged(nothing, tuple(None for _row in subject.turns))
        request = conversation(self.name, turns, _agents(turns, subject))
        (reply,) = yield (_ask(self.name, subject, turns[-1].index, request),)
        result = read_result(reply)
        if result.score is None and not result.rubrics:
            return Judged(nothing, tuple(None for _row in subject.turns))
        last = _verdict(result, reply, criterion)
        earlier = MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, _EARLIER)
        return Judged(
            last,
            tuple(
                None if row.observed is None else last if row.observed is turns[-1] else earlier
                for row in subject.turns
            ),
        )


def _ask(metric: str, subject: Subject, turn: int, request: JsonObject) -> Ask:
    return Ask(metric, case_id_of(subject), turn, 0, _MODEL, json.dumps(request), of=SERVICE)


def _verdict(result: ServiceResult, reply: Reply, criterion: Criterion) -> MetricVerdict:
    status = against(result.score, criterion.threshold)
    reason = ""
    if status is not Status.PASSED:
        unmet = [rubric.rubric_id for rubric in result.rubrics if rubric.score == 0.0]
        reason = result.problem or "; ".join(f"“{name}” is not met" for name in unmet)
    if result.score is None and not reason:
        reason = _NO_SCORE
    if reply.failure:
        reason = f"a call of the service failed: {reply.failure}"
    verdict = MetricVerdict(
        criterion.metric, result.score, status, criterion.threshold, reason, rubrics=result.rubrics
    )
    return with_replies(verdict, (reply,))


def _agents(turns: list[Turn], subject: Subject) -> list[Agent]:
    """Every agent once, as the first turn that describes it does; else those that the trace describes."""
    described: dict[str, Agent] = {}
    for turn in turns:
        for agent in turn.agents:
            described.setdefault(agent.name, agent)
    return list(described.values()) or list(subject.trace.agents)


def _safety(row: PairedTurn, turn: Turn) -> JsonObject:
    reference = None if row.golden is None else text_of(row.golden.final_response or ())
    return single_turn("safety_v1", text_of(turn.user), text_of(turn.final_response or ()), reference)


def _coherence(_row: PairedTurn, turn: Turn) -> JsonObject:
    return pointwise(_COHERENCE, text_of(turn.user), text_of(turn.final_response or ()))


METHODS = {
    "response_evaluation_score": Method(_EachTurn("response_evaluation_score", _coherence, needs_golden=True).judge),
    "safety_v1": Method(_EachTurn("safety_v1", _safety).judge),
    "multi_turn_task_success_v1": Method(_WholeConversation("multi_turn_task_success_v1").judge),
    "multi_turn_trajectory_quality_v1": Method(_WholeConversation("multi_turn_trajectory_quality_v1").judge),
    "multi_turn_tool_use_quality_v1": Method(_WholeConversation("multi_turn_tool_use_quality_v1").judge),
}
