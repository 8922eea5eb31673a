"""`judge_prompt`: a judge answers a person's own prompt about each turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import text_of
from trace_inspector.core.trace.trace import Steps
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.judges.questions import turn_context as context
from trace_inspector.engine.judges.questions.dialogue import dialogue
from trace_inspector.engine.judges.questions.own_prompt import OF_GOLDEN, PromptParameters, prompt_parameters
from trace_inspector.engine.judges.questions.own_reply import combined, read_vote, speaks_like_reply
from trace_inspector.engine.judges.questions.questions import MARKED, Question, failed, sampled, unread, with_replies
from trace_inspector.engine.scoring.metric import Inquiry, Judged, Method, PairedTurn, Reply, Subject
from trace_inspector.engine.scoring.scoring import NO_COUNTERPART, plain_mean, refuse_without_golden, summary

NAME = "judge_prompt"


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    options = prompt_parameters(criterion)
    if options.names & OF_GOLDEN:
        refuse_without_golden(subject)
    verdicts = [_unasked(row, criterion, options) for row in subject.turns]
    asked = [index for index, row in enumerate(subject.turns) if row.observed is not None and verdicts[index] is None]
    asked = [index for index in asked if subject.turns[index].golden is not None or not options.names & OF_GOLDEN]
    questions = [_question(subject.turns[index], subject, options) for index in asked]
    replies = yield from sampled(criterion.metric, options.prompt, subject, questions, options.judge_model_options)
    for index, question, own in zip(asked, questions, replies, strict=True):
        verdicts[index] = with_replies(_turn_verdict(question, own, criterion, options), own)
    score = plain_mean(verdict.score for verdict in verdicts if verdict and verdict.score is not None)
    status = _status(score, criterion)
    reason = summary(verdicts, subject.turns) if status is not Status.PASSED else ""
    return Judged(MetricVerdict(criterion.metric, score, status, criterion.threshold, reason), tuple(verdicts))


def _unasked(row: PairedTurn, criterion: Criterion, options: PromptParameters) -> MetricVerdict | None:
    """The verdict of a turn that gives the prompt nothing to say, or that the trace does not have."""
    silence = next((reason for name, reason in _silences(row).items() if reason and name in options.names), "")
    if row.observed is None:
        if silence or not options.names & OF_GOLDEN:
            return None
        low = options.limits[0]
        return MetricVerdict(criterion.metric, low, _status(low, criterion), criterion.threshold, NO_COUNTERPART)
    if not silence:
        return None
    return MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, silence)


def _silences(row: PairedTurn) -> Mapping[str, str]:
    """Why a value is not there to be judged, by its name."""
    golden, observed = row.golden, row.observed
    return {
        "golden_answer": "the golden has no answer" if golden and golden.final_response is None else "",
        "golden_calls": (
            "the golden does not say which calls to expect" if golden and golden.steps is Steps.ABSENT else ""
        ),
        "rubrics": "this turn has no rubrics" if observed and not observed.rubrics else "",
    }


def _question(row: PairedTurn, subject: Subject, options: PromptParameters) -> Question:
    golden, turn = row.golden, row.observed
    if turn is None:
        raise ValueError("the judge is asked only about turns that were observed")
    agents = turn.agents or subject.trace.agents
    values: dict[str, Callable[[], str]] = {
        "user": lambda: text_of(turn.user),
        "answer": lambda: context.answer(turn, with_intermediate=False),
        "golden_answer": lambda: context.answer(golden, with_intermediate=False) if golden else "",
        "calls": lambda: context.steps(turn, ""),
        "golden_calls": lambda: context.steps(golden, "") if golden else "",
        "instructions": lambda: context.instructions(turn, agents, ""),
        "tools": lambda: context.tool_declarations(agents),
        "history": lambda: dialogue([earlier for earlier in subject.trace.turns if earlier.index < turn.index]),
        "rubrics": lambda: context.rubric_lines(turn.rubrics),
    }
    return Question(turn.index, tuple((name, tell()) for name, tell in values.items() if name in options.names))


def _turn_verdict(
    question: Question, replies: Sequence[Reply], criterion: Criterion, options: PromptParameters
) -> MetricVerdict:
    undecided = failed(replies, criterion)
    if undecided is not None:
        return undecided
    votes = [read_vote(reply.text, options) for reply in replies]
    score = combined(votes, options.votes)
    values = [vote.value for vote in votes]
    reasons = []
    if score is not None and len(votes) > 1:
        reasons.append(f"votes {', '.join('–' if value is None else f'{value:g}' for value in values)}")
    reasons.extend(unread(values.count(None), len(votes)))
    reasons.extend(dict.fromkeys(vote.why for vote in votes if vote.why))
    if any(speaks_like_reply(text, options) for _name, text in question.fields):
        reasons.append(MARKED)
    return MetricVerdict(
        criterion.metric,
        score,
        _status(score, criterion),
        criterion.threshold,
        "; ".join(reasons),
        votes=tuple(values),
    )


def _status(score: float | None, criterion: Criterion) -> Status:
    """Without a threshold the score informs."""
    if score is not None and criterion.threshold is None:
        return Status.INFORMATIONAL
    return against(score, criterion.threshold)


METHOD = Method(_judge, parameters=PromptParameters, check=prompt_parameters)
