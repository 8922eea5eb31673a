"""What every judged metric asks: a prompt around the same values, so many samples of each, and what failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.judges.questions.options import JudgeModelOptions
from trace_inspector.engine.scoring.cannot_judge import judge_call_failed
from trace_inspector.engine.scoring.metric import Ask, PairedTurn, Reply, Rounds, Subject
from trace_inspector.engine.scoring.scoring import NO_COUNTERPART

Fields = tuple[tuple[str, str], ...]
_HTTP_OPTIONS = ("http_options", "httpOptions")
_BASE_URLS = ("base_url", "baseUrl")
MARKED = "careful: the judged text contains the markers by which the judge's reply is read"


class Question(Struct, frozen=True):
    """The values of a question about one turn, before they are put into the prompt.

    Recorded replies are looked up by `turn` and the number of the sample, counted from `first_sample`.
    """

    turn: int
    fields: Fields
    first_sample: int = 0


def asks(
    metric: str, prompt: str, subject: Subject, questions: Iterable[Question], options: JudgeModelOptions
) -> tuple[Ask, ...]:
    """Each question as often as there are samples, question by question."""
    parameters, endpoint = without_endpoint(options.judge_model_config or {})
    return tuple(
        Ask(
            metric,
            case_id_of(subject),
            question.turn,
            question.first_sample + sample,
            options.judge_model,
            prompt.format(**dict(question.fields)),
            question.fields,
            parameters,
            endpoint=endpoint,
        )
        for question in questions
        for sample in range(options.num_samples)
    )


def case_id_of(subject: Subject) -> str:
    """The case by the name that recorded replies know it by."""
    return subject.case.id if subject.case else subject.trace.case_id or subject.trace.id


def without_endpoint(config: JsonObject) -> tuple[JsonObject, str]:
    """A model's parameters, and separately the endpoint that a file asks for."""
    parameters = {name: value for name, value in config.items() if name not in _HTTP_OPTIONS}
    stated = [value for name in _HTTP_OPTIONS if isinstance(value := config.get(name), dict)]
    urls = [
        url for stated_options in stated for name in _BASE_URLS if isinstance(url := stated_options.get(name), str)
    ]
    return parameters, urls[0].rstrip("/") if urls else ""


def sampled(
    metric: str,
    prompt: str,
    subject: Subject,
    questions: Sequence[Question],
    options: JudgeModelOptions,
    doubted: Callable[[int, tuple[Reply, ...]], bool] | None = None,
) -> Rounds[list[tuple[Reply, ...]]]:
    """The replies to each question, in sampling order; doubted questions are asked once more.

    The second round comes after the whole first one, so that all its calls can be in flight at once."""
    count = options.num_samples
    replies = yield asks(metric, prompt, subject, questions, options)
    own = [replies[index * count : (index + 1) * count] for index in range(len(questions))]
    again = [index for index, question_replies in enumerate(own) if doubted and doubted(index, question_replies)]
    if again:
        later = [replace(questions[index], first_sample=questions[index].first_sample + count) for index in again]
        replies = yield asks(metric, prompt, subject, later, options)
        for number, index in enumerate(again):
            own[index] += replies[number * count : (number + 1) * count]
    return own


def settled(row: PairedTurn, subject: Subject, criterion: Criterion) -> MetricVerdict | None:
    """The verdict of a pair that needs no judge."""
    if row.golden is None or subject.rules == "adk":
        return None
    if row.golden.final_response is None:
        if row.observed is None:
            return None
        return MetricVerdict(
            criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, "the golden has no answer"
        )
    if row.observed is None:
        status = against(0.0, criterion.threshold)
        return MetricVerdict(criterion.metric, 0.0, status, criterion.threshold, NO_COUNTERPART)
    return None


def with_replies(verdict: MetricVerdict, replies: Sequence[Reply]) -> MetricVerdict:
    """A verdict with the digests of its replies, and the time of the oldest that came from the cache."""
    kept = [reply.kept_s for reply in replies if reply.kept_s is not None]
    digests = tuple(reply.digest for reply in replies if reply.digest)
    return replace(verdict, replies=digests, kept_s=min(kept, default=None))


def failed(replies: Sequence[Reply], criterion: Criterion) -> MetricVerdict | None:
    """The verdict of a turn that one failed call leaves undecided, however good the other samples are."""
    failure = next((reply.failure for reply in replies if reply.failure), "")
    if not failure:
        return None
    reason = judge_call_failed(failure)
    return MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, reason)


def split(votes: Sequence[float | None], score: float | None, yes: str, no: str) -> list[str]:
    """How the votes were divided, unless all are yes."""
    if score is None or (score == 1.0 and 0.0 not in votes):
        return []
    return [f"{yes if score == 1.0 else no} by {votes.count(score)} of {len(votes)} votes"]


def unread(void: int, samples: int) -> list[str]:
    """A note on unreadable replies, when there are any."""
    return [f"{void} of {samples} {'reply' if samples == 1 else 'replies'} could not be read"] if void else []
