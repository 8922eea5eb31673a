"""Questions of CES's metrics to a judge: a prompt around values, a whole number or yes and no as the reply."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json
from trace_inspector.engine.ces.options import asked_options
from trace_inspector.engine.judges.questions.own_prompt import PromptParameters
from trace_inspector.engine.judges.questions.own_reply import Vote, combined, object_in, read_vote, speaks_like_reply
from trace_inspector.engine.judges.questions.questions import MARKED, Fields, Question, sampled, unread
from trace_inspector.engine.scoring.cannot_judge import judge_call_failed
from trace_inspector.engine.scoring.metric import Reply, Rounds, Subject

_WHY_CHARS = 300
YES_OR_NO = PromptParameters(field="verdict", scale={"yes": 1.0, "no": 0.0}, votes="majority")


def scale(low: int, high: int) -> PromptParameters:
    """Whole numbers from low to high."""
    return PromptParameters(field="score", range=(float(low), float(high)), votes="majority")


class Wording(Struct, frozen=True):
    """A prompt, and how its replies are read."""

    prompt: str
    reading: PromptParameters
    whole: bool = True  # other values than whole numbers are none


class JudgeAnswer(Struct, frozen=True):
    """A judge's answer to one question: the value, or None with the reason."""

    value: float | None
    reason: str
    votes: tuple[float | None, ...]
    replies: tuple[Reply, ...]


def ask_each(
    subject: Subject, criterion: Criterion, wording: Wording, questions: Sequence[tuple[int, Fields]]
) -> Rounds[list[JudgeAnswer]]:
    """The answers in order. Questions about one turn differ by their sample numbers, which replies go by."""
    if not questions:
        return []
    options = asked_options(criterion).judge_model_options
    of_turn: dict[int, int] = {}
    numbered = []
    for turn, fields in questions:
        nth = of_turn[turn] = of_turn.get(turn, -1) + 1
        numbered.append(Question(turn, fields, nth * options.num_samples))
    replies = yield from sampled(criterion.metric, wording.prompt, subject, numbered, options)
    return [_answer(question, own, wording) for question, own in zip(numbered, replies, strict=True)]


def _answer(question: Question, replies: Sequence[Reply], wording: Wording) -> JudgeAnswer:
    failure = next((reply.failure for reply in replies if reply.failure), "")
    if failure:
        return JudgeAnswer(None, judge_call_failed(failure), (), tuple(replies))
    votes = [read_vote(reply.text, wording.reading) for reply in replies]
    votes = [_whole(vote) if wording.whole else vote for vote in votes]
    values = tuple(vote.value for vote in votes)
    value = combined(votes, wording.reading.votes)
    notes = []
    if len(set(values)) > 1:
        notes.append(f"votes {', '.join('–' if number is None else f'{number:g}' for number in values)}")
    notes += [why] if (why := _why(replies, values, value)) else []
    notes += unread(values.count(None), len(values))
    notes += dict.fromkeys(vote.why for vote in votes if vote.why)
    if any(speaks_like_reply(text, wording.reading) for _name, text in question.fields):
        notes.append(MARKED)
    return JudgeAnswer(value, "; ".join(notes), values, tuple(replies))


def _whole(vote: Vote) -> Vote:
    if vote.value is None or vote.value.is_integer():
        return vote
    return Vote(None, f"{vote.value:g} is no whole number")


def _why(replies: Sequence[Reply], values: Sequence[float | None], value: float | None) -> str:
    """The reasoning of the first reply with the decided value."""
    for reply, vote in zip(replies, values, strict=True):
        reply_object: Json | object = object_in(reply.text) if vote == value and vote is not None else None
        reasoning = reply_object.get("reasoning") if isinstance(reply_object, dict) else None
        if isinstance(reasoning, str) and reasoning:
            return one_line(reasoning, _WHY_CHARS)
    return ""
