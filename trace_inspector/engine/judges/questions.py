"""What every judged metric asks: a prompt around the same values, so many samples of each, and what failed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trace_inspector.core.criteria import Criterion
from trace_inspector.core.verdict import MetricVerdict, Status
from trace_inspector.engine.judges.options import JudgeModelOptions
from trace_inspector.engine.metric import Ask, Reply, Subject

Fields = tuple[tuple[str, str], ...]
MARKED = "careful: the judged text contains the markers that replies are read by"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about one turn, before it is put into words.

    Recorded replies go by `turn` and the number of the sample, which counts from `first_sample`.
    """

    turn: int
    fields: Fields
    first_sample: int = 0


def asks(
    metric: str, prompt: str, subject: Subject, questions: Iterable[Question], options: JudgeModelOptions
) -> tuple[Ask, ...]:
    """Every question as often as samples are wanted, question by question."""
    case_id = subject.case.id if subject.case else subject.trace.case_id or subject.trace.id
    return tuple(
        Ask(
            metric,
            case_id,
            question.turn,
            question.first_sample + sample,
            options.judge_model,
            prompt.format(**dict(question.fields)),
            question.fields,
            options.judge_model_config or {},
        )
        for question in questions
        for sample in range(options.num_samples)
    )


def failed(replies: Sequence[Reply], criterion: Criterion) -> MetricVerdict | None:
    """The verdict of a turn that one failed call leaves undecided, however good the other samples are."""
    failure = next((reply.failure for reply in replies if reply.failure), "")
    if not failure:
        return None
    reason = f"a call of the judge failed: {failure}"
    return MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, reason)


def unread(void: int, samples: int) -> list[str]:
    """The sentence about replies that said nothing readable, when there are any."""
    return [f"{void} of {samples} {'reply' if samples == 1 else 'replies'} could not be read"] if void else []
