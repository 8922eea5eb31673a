"""`per_turn_user_simulator_quality_v1`: whether a simulated user keeps to its scenario, counted as in ADK 2.13."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from trace_inspector.core.golden.golden import Scenario
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import text_of
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.judges.questions.options import VotedParameters, options_of
from trace_inspector.engine.judges.questions.personas import Behaviour, behaviours
from trace_inspector.engine.judges.questions.questions import MARKED, Question, sampled, split, unread, with_replies
from trace_inspector.engine.judges.questions.side_by_side import side_by_side
from trace_inspector.engine.judges.questions.valid_reply import has_markers, majority, user_vote
from trace_inspector.engine.scoring.cannot_judge import judge_call_failed
from trace_inspector.engine.scoring.metric import CannotJudge, Inquiry, Judged, Method, Reply, Rounds, Subject
from trace_inspector.engine.scoring.scoring import summary

NAME = "per_turn_user_simulator_quality_v1"

_PROMPT = """You check what a simulated user says next in its conversation with an agent. It plays a user who has a \
plan, follows it goal by goal, and writes {stop_signal} when the conversation is over.

Its next message passes unless one of these things is true of it:
{violations}

The plan:
{conversation_plan}

The conversation so far:
{conversation_history}

The next message of the simulated user:
{generated_user_response}

Reply with one JSON object and nothing else, with one entry for each name above:
{{"criteria": [{{"name": "the name", "reasoning": "one sentence", "passes": True or False}}], \
"is_valid": True or False}}
"""


class UserSimulatorParameters(VotedParameters):
    """The options of the criterion."""

    stop_signal: str = Field(default="</finished>")


def _parameters(criterion: Criterion) -> UserSimulatorParameters:
    return options_of(UserSimulatorParameters, criterion)


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    parameters = _parameters(criterion)
    scenario = subject.case.scenario if subject.case else None
    if scenario is None:
        raise CannotJudge("this is no scenario, and no simulated user took part")
    turns = [row.observed for row in subject.turns if row.observed is not None]
    if not turns:
        raise CannotJudge("the trace has no turns")
    expected_behaviours = behaviours(scenario.persona)
    # After the last turn the stop signal is judged as the user's next message.
    messages = [*((turn.index, text_of(turn.user)) for turn in turns[1:]), (len(turns), parameters.stop_signal)]
    lines = [
        _checked(turns[:number], message, turn_index, scenario, expected_behaviours, subject, parameters, criterion)
        for number, (turn_index, message) in enumerate(messages, 1)
    ]
    judged = yield from side_by_side(lines, one_by_one=subject.one_by_one)
    verdicts = [_first(turns[0], scenario, criterion), *judged[:-1]]
    if judged[-1].status is Status.FAILED:
        verdicts[-1] = judged[-1]
    score = sum((verdict.score or 0.0) for verdict in verdicts if verdict.status is Status.PASSED) / len(verdicts)
    by_turn = iter(verdicts)
    listed = tuple(next(by_turn) if row.observed is not None else None for row in subject.turns)
    status = against(score, criterion.threshold)
    reason = summary(listed, subject.turns) if status is not Status.PASSED else ""
    return Judged(MetricVerdict(criterion.metric, score, status, criterion.threshold, reason), listed)


def _first(turn: Turn, scenario: Scenario, criterion: Criterion) -> MetricVerdict:
    """The first message has to be the scenario's, word for word."""
    text = text_of(turn.user)
    if not turn.user:
        return MetricVerdict(
            criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, "the user said nothing"
        )
    score = 1.0 if text.strip() == scenario.starting_prompt.strip() else 0.0
    reason = "" if score else "the conversation does not begin with the starting prompt"
    return MetricVerdict(criterion.metric, score, against(score, criterion.threshold), criterion.threshold, reason)


def _checked(
    before: Sequence[Turn],
    message: str,
    turn: int,
    scenario: Scenario,
    expected_behaviours: Sequence[Behaviour],
    subject: Subject,
    parameters: UserSimulatorParameters,
    criterion: Criterion,
) -> Rounds[MetricVerdict]:
    fields = (
        ("conversation_plan", scenario.plan),
        ("conversation_history", _history(before)),
        ("generated_user_response", message),
        ("stop_signal", parameters.stop_signal),
        ("violations", _listed(expected_behaviours)),
    )
    options = parameters.judge_model_options
    doubted = _strays if parameters.confirms(subject.rules) else None
    (replies,) = yield from sampled(NAME, _PROMPT, subject, (Question(turn, fields),), options, doubted)
    failure = next((reply.failure for reply in replies if reply.failure), "")
    if failure:
        raise CannotJudge(judge_call_failed(failure))
    votes = tuple(user_vote(reply.text) for reply in replies)
    score = majority(votes)
    complaint = (
        "the simulated user ends the conversation too early"
        if message == parameters.stop_signal
        else "the simulated user departs from the scenario"
    )
    reasons = split(votes, score, "the simulated user keeps to the scenario", complaint)
    reasons.extend(unread(votes.count(None), len(votes)))
    if has_markers(message) or has_markers(fields[1][1]):
        reasons.append(MARKED)
    status = against(score, criterion.threshold)
    verdict = MetricVerdict(criterion.metric, score, status, criterion.threshold, "; ".join(reasons), votes=votes)
    return with_replies(verdict, replies)


def _strays(_index: int, replies: Sequence[Reply]) -> bool:
    return majority([user_vote(reply.text) for reply in replies]) == 0.0


def _history(turns: Sequence[Turn]) -> str:
    lines = []
    for turn in turns:
        if turn.user:
            lines.append(f"user: {text_of(turn.user)}")
        if turn.final_response is not None:
            lines.append(f"model: {text_of(turn.final_response)}")
    return "\n\n".join(lines)


def _listed(expected_behaviours: Sequence[Behaviour]) -> str:
    return "\n\n".join(
        "\n".join([f"{behaviour.name}:", *(f"- {line}" for line in behaviour.violations)])
        for behaviour in expected_behaviours
    )


METHOD = Method(_judge, parameters=UserSimulatorParameters, check=_parameters)
