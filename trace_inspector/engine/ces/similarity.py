"""`ces_semantic_similarity`: how well the agent's words match the meaning of the golden's, from 0 to 4."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation
from trace_inspector.core.trace.parts import text_of
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status, against
from trace_inspector.engine.ces.answers import SEMANTIC_SIMILARITY as BY_MEANING
from trace_inspector.engine.ces.answers import agent_words, compared_by, expected_answers, expected_words
from trace_inspector.engine.ces.judge_questions import JudgeAnswer, Wording, ask_each, scale
from trace_inspector.engine.ces.options import SimilarityOptions, asked_options
from trace_inspector.engine.ces.settings import settings_of
from trace_inspector.engine.ces.turn_verdicts import MISSING_TURN, joined, over_turns
from trace_inspector.engine.judges.questions.questions import Fields, with_replies
from trace_inspector.engine.scoring.metric import Inquiry, Method, PairedTurn, Subject
from trace_inspector.engine.scoring.scoring import refuse_without_golden

CHANNELS = ("TEXT", "AUDIO")
LABELS = ("contradictory", "largely inconsistent", "partially similar", "mostly similar", "fully similar")

_WORDING = Wording(
    """You hold what an assistant said against what it was expected to say, by meaning alone. Wording, order and \
politeness do not matter; facts, figures, questions asked and promises made do.

The user said:
{user}

Expected:
{expected}

The assistant said:
{said}

Give a whole number:
4: it means the same, nothing that matters is missing
3: it means mostly the same, only something unimportant is missing or added
2: it means the same in part, with small omissions that matter
1: most of it is missing or says something else
0: it contradicts what was expected, or has nothing to do with it

Reply with one JSON object and nothing else:
{{"reasoning": "one or two sentences", "score": 0, 1, 2, 3 or 4}}
""",
    scale(0, 4),
)


class _TurnQuestion(Struct, frozen=True):
    """What is asked about one turn."""

    index: int
    turn: int
    fields: Fields


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    refuse_without_golden(subject)
    verdicts = [_unasked(row, subject, criterion) for row in subject.turns]
    asked = [
        _TurnQuestion(index, row.observed.index, _fields(row, row.observed, subject, criterion))
        for index, row in enumerate(subject.turns)
        if verdicts[index] is None and row.observed and _by_meaning(row.golden)
    ]
    answers = yield from ask_each(
        subject, criterion, _WORDING, [(question.turn, question.fields) for question in asked]
    )
    for question, answer in zip(asked, answers, strict=True):
        verdicts[question.index] = with_replies(
            _verdict(subject.turns[question.index], subject, criterion, answer), answer.replies
        )
    return over_turns(subject, criterion, verdicts, "the golden expects no answer that is compared by its meaning")


def _by_meaning(golden: Turn | None) -> list[Expectation]:
    stated = expected_answers(golden) if golden else ()
    return [
        expectation
        for expectation in stated
        if compared_by(expectation) == BY_MEANING and expected_words(expectation)
    ]


def _judged(golden: Turn | None, subject: Subject, criterion: Criterion) -> tuple[list[Expectation], str]:
    """The answers that are judged together; where there are none, why not."""
    judged, why = [], ""
    for expectation in _by_meaning(golden):
        off = settings_of(criterion.metric, subject, criterion, golden, expectation).off
        if expectation.skipped or off:
            why = why or off or "the expectation is skipped"
        else:
            judged.append(expectation)
    return judged, why


def _unasked(row: PairedTurn, subject: Subject, criterion: Criterion) -> MetricVerdict | None:
    """The verdict of a turn that needs no judge: switched off, skipped, missing, or without words of the agent."""
    judged, why = _judged(row.golden, subject, criterion)
    if not judged:
        return MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=why) if why else None
    silent = MISSING_TURN if row.observed is None else "" if agent_words(row.observed) else "the agent said nothing"
    if not silent:
        return None
    threshold = settings_of(criterion.metric, subject, criterion, row.golden, judged[0]).threshold
    status = against(0.0, threshold.value)
    reason = joined(silent, threshold.text)
    outcomes = _outcomes(judged, status, 0.0)
    return MetricVerdict(criterion.metric, 0.0, status, threshold.value, reason, expectations=outcomes)


def _fields(row: PairedTurn, observed: Turn, subject: Subject, criterion: Criterion) -> Fields:
    expected = [expected_words(expectation) for expectation in _judged(row.golden, subject, criterion)[0]]
    return (
        ("user", text_of(row.golden.user) if row.golden else ""),
        ("expected", "\n".join(expected)),
        ("said", agent_words(observed)),
    )


def _verdict(row: PairedTurn, subject: Subject, criterion: Criterion, answer: JudgeAnswer) -> MetricVerdict:
    judged = _judged(row.golden, subject, criterion)[0]
    settings = settings_of(criterion.metric, subject, criterion, row.golden, judged[0])
    threshold = settings.threshold
    status = against(answer.value, threshold.value)
    label = "" if answer.value is None else LABELS[int(answer.value)]
    channel = settings.word(CHANNELS, "semantic_similarity_channel")
    heard = f"channel AUDIO {channel.source}: its words are judged, not its sound" if channel.word == "AUDIO" else ""
    reason = joined(label, answer.reason, threshold.text, heard, channel.problem)
    outcomes = _outcomes(judged, status, answer.value)
    return MetricVerdict(
        criterion.metric, answer.value, status, threshold.value, reason, expectations=outcomes, votes=answer.votes
    )


def _outcomes(judged: list[Expectation], status: Status, score: float | None) -> tuple[ExpectationVerdict, ...]:
    """All answers of a turn are judged together, so each comes out as the turn does."""
    return tuple(
        ExpectationVerdict(
            f"answer “{one_line(expected_words(expectation), 80)}”", status, score, golden_place=expectation.place
        )
        for expectation in judged
    )


METHOD = Method(_judge, parameters=SimilarityOptions, check=asked_options)
