"""`hallucinations_v1`: a judge splits answers into sentences and checks each, counted as in ADK 2.13."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from pydantic import Field

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text, Thought, text_of
from trace_inspector.core.trace.trace import Event, Steps, Turn, answer_text
from trace_inspector.core.values.values import ABSENT
from trace_inspector.core.verdict.verdict import MetricVerdict, Sentence, SentenceSupport, Status, against
from trace_inspector.engine.judges.questions import turn_context as context
from trace_inspector.engine.judges.questions.options import JudgedParameters, options_of
from trace_inspector.engine.judges.questions.questions import MARKED, Question, asks, with_replies
from trace_inspector.engine.judges.questions.sentence_reply import (
    Checked,
    checked,
    has_markers,
    located,
    share,
    tagged,
)
from trace_inspector.engine.judges.questions.side_by_side import side_by_side
from trace_inspector.engine.scoring.cannot_judge import judge_call_failed
from trace_inspector.engine.scoring.metric import Inquiry, Judged, Method, Reply, Rounds, Subject
from trace_inspector.engine.scoring.scoring import summary

NAME = "hallucinations_v1"

_SPLIT = """Copy the text below sentence by sentence, word for word, and put each sentence between <sentence> and \
</sentence>.

Every bullet and every nested bullet is a sentence of its own; a table is one sentence. Change, leave out and add \
nothing.

Text:
{response}
"""

_CHECK = """You check sentences of an assistant's text against what it had to go by.

Give each sentence one label:
- supported: the context bears it out as it stands
- unsupported: the context does not say so
- contradictory: the context says otherwise
- disputed: the context both bears it out and says otherwise
- not_applicable: it claims no fact, like a greeting, a question, advice or an offer

Be very strict: without clear and indisputable words in the context a sentence is unsupported, and what you know \
yourself does not count unless it is trivial. What a tool returned counts as true only when the call itself follows \
from the context. A sentence that the grounding metadata attributes to a source is supported.

Context:
{context}
End of the context.

Sentences:
{sentences}

For every sentence, in order, write exactly these five lines in plain text and a blank line after them:
sentence: the sentence, word for word
label: one of the labels
rationale: why, in one line
supporting_excerpt: the words of the context that bear it out, or null
contradicting_excerpt: the words of the context that speak against it, or null
"""

_AGAINST = (SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY, SentenceSupport.DISPUTED)


class HallucinationParameters(JudgedParameters):
    """The options of the criterion."""

    evaluate_intermediate_nl_responses: bool = Field(default=False)


class _Step(Struct, frozen=True):
    """One text to check, with the context that may support it."""

    text: str
    context: str
    is_answer: bool = False


class _CheckedText(Struct, frozen=True):
    """What the judge found about one text; a sentence when it found nothing."""

    step: _Step
    sentences: tuple[Checked, ...] = ()
    failure: str = ""
    replies: tuple[Reply, ...] = ()


def _parameters(criterion: Criterion) -> HallucinationParameters:
    return options_of(HallucinationParameters, criterion)


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    parameters = _parameters(criterion)
    steps = [_steps(row.observed, subject, parameters) if row.observed is not None else [] for row in subject.turns]
    lines = [
        _checked(step, number, row.observed.index, subject, parameters)
        for row, listed in zip(subject.turns, steps, strict=True)
        for number, step in enumerate(listed)
        if row.observed is not None
    ]
    results = iter((yield from side_by_side(lines, one_by_one=subject.one_by_one)))
    verdicts = tuple(
        _turn_verdict(row.observed, [next(results) for _step in listed], criterion)
        if row.observed is not None
        else None
        for row, listed in zip(subject.turns, steps, strict=True)
    )
    scores = [verdict.score for verdict in verdicts if verdict and verdict.score is not None]
    score = statistics.mean(scores) if scores else None
    status = against(score, criterion.threshold)
    reason = summary(verdicts, subject.turns) if status is not Status.PASSED else ""
    return Judged(MetricVerdict(criterion.metric, score, status, criterion.threshold, reason), verdicts)


def _steps(turn: Turn, subject: Subject, parameters: HallucinationParameters) -> list[_Step]:
    agents = turn.agents or subject.trace.agents
    events = turn.events if turn.steps is Steps.EVENTS else ()
    steps: list[_Step] = []
    if parameters.evaluate_intermediate_nl_responses:
        for index, event in enumerate(events):
            before = events[:index]
            texts = [part.text for part in event.parts if isinstance(part, Text | Thought) and part.text]
            if texts:
                evidence = context.whole(turn, agents, before, events[: index + 1] if _is_grounded(event) else before)
                steps.extend(_Step(text, evidence) for text in texts)
    answer = text_of(turn.final_response or ())
    if answer:
        steps.append(_Step(answer, context.whole(turn, agents, events, events), is_answer=True))
    return steps


def _is_grounded(event: Event) -> bool:
    return event.grounding is not ABSENT and event.grounding is not None


def _checked(
    step: _Step, number: int, turn: int, subject: Subject, parameters: HallucinationParameters
) -> Rounds[_CheckedText]:
    """Split one text, then check its sentences. Each text uses two sample numbers of its turn, one a call."""
    split = Question(turn, (("response", step.text),), 2 * number)
    (marked,) = yield asks(NAME, _SPLIT, subject, (split,), parameters.one_sample())
    if marked.failure:
        return _CheckedText(step, failure=judge_call_failed(marked.failure))
    sentences = tagged(marked.text)
    if not sentences:
        return _CheckedText(step, (), "the judge marked no sentences", (marked,))
    listed = "\n".join(f"<sentence>{sentence}</sentence>" for sentence in sentences)
    check = Question(turn, (("context", step.context), ("sentences", listed)), 2 * number + 1)
    (reply,) = yield asks(NAME, _CHECK, subject, (check,), parameters.one_sample())
    if reply.failure:
        return _CheckedText(step, (), judge_call_failed(reply.failure), (marked,))
    verdicts = tuple(checked(reply.text))
    failure = "" if verdicts else "the judge's reply about the sentences could not be read"
    return _CheckedText(step, verdicts, failure, (marked, reply))


def _turn_verdict(turn: Turn, results: Sequence[_CheckedText], criterion: Criterion) -> MetricVerdict:
    scores = [score for result in results if (score := share(result.sentences)) is not None]
    score = statistics.mean(scores) if scores else None
    status = against(score, criterion.threshold)
    sentences: tuple[Sentence, ...] = ()
    for result in results:
        if result.step.is_answer:
            sentences = located(result.sentences, answer_text(turn))
    reason = "; ".join(_reasons(results)) if results else "the turn has no answer to check"
    verdict = MetricVerdict(
        criterion.metric, score, status, criterion.threshold, reason, sentences=sentences, has_rubrics=True
    )
    return with_replies(verdict, [reply for result in results for reply in result.replies])


def _reasons(results: Sequence[_CheckedText]) -> list[str]:
    supports = Counter(sentence.support for result in results for sentence in result.sentences)
    reasons = [f"{supports[support]} {support.value}" for support in _AGAINST if supports[support]]
    unknown = supports[None]
    if unknown:
        reasons.append(f"{unknown} with a label other than the five known ones")
    reasons.extend(dict.fromkeys(result.failure for result in results if result.failure))
    if any(has_markers(result.step.text) for result in results):
        reasons.append(MARKED)
    return reasons


METHOD = Method(_judge, parameters=HallucinationParameters, check=_parameters)
