"""CES metrics that judge a whole conversation: criteria in words, rubrics, and the user's goal."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Scenario
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, RubricVerdict, Status, against
from trace_inspector.engine.ces.derived_verdict import goal_status
from trace_inspector.engine.ces.identity import same_name
from trace_inspector.engine.ces.judge_questions import YES_OR_NO, JudgeAnswer, Wording, ask_each, scale
from trace_inspector.engine.ces.options import AskedOptions, SentenceOptions, asked_options
from trace_inspector.engine.ces.settings import LLM_CRITERIA, USER_GOAL, settings_of
from trace_inspector.engine.ces.turn_verdicts import joined, of_case, overall_status
from trace_inspector.engine.judges.questions.dialogue import dialogue
from trace_inspector.engine.judges.questions.options import options_of
from trace_inspector.engine.judges.questions.own_prompt import PromptParameters
from trace_inspector.engine.judges.questions.questions import Fields, with_replies
from trace_inspector.engine.scoring.metric import CannotJudge, Inquiry, Method, Reply, Subject
from trace_inspector.engine.scoring.scoring import plain_mean

_CRITERION = Wording(
    """You decide whether a conversation between a user and an assistant meets a criterion.

Criterion:
{criterion}

Conversation:
{conversation}

Reply with one JSON object and nothing else; "yes" only when the criterion is met:
{{"reasoning": "one or two sentences", "verdict": "yes" or "no"}}
""",
    YES_OR_NO,
)
_RUBRIC = Wording(
    """You rate how far a conversation between a user and an assistant keeps to a rule, from 0 (not at all) to 1 \
(fully).

Rule:
{rubric}

Conversation:
{conversation}

Reply with one JSON object and nothing else:
{{"reasoning": "one or two sentences", "score": a number from 0 to 1}}
""",
    PromptParameters(field="score", range=(0.0, 1.0), votes="median"),
    whole=False,
)
_GOAL = Wording(
    """A simulated user talked to an assistant in order to reach a goal. You decide whether the user, at the end, \
has reason to believe that the goal was met.

What the user wanted:
{task}

What the user knew:
{facts}

Conversation:
{conversation}

Give a whole number:
1: the user has reason to believe that the goal was met
0: the user has not
-1: it cannot be told

Reply with one JSON object and nothing else:
{{"reasoning": "one or two sentences", "score": 1, 0 or -1}}
""",
    scale(-1, 1),
)


def last_turn(subject: Subject) -> int:
    """The turn that a question about the whole conversation is filed under."""
    return subject.trace.turns[-1].index if subject.trace.turns else 0


def conversation_of(subject: Subject) -> str:
    """The conversation in lines."""
    if not subject.trace.turns:
        raise CannotJudge("the trace holds no turn")
    return dialogue(subject.trace.turns)


def _judge_criteria(subject: Subject, criterion: Criterion) -> Inquiry:
    stated = _sentences(subject, criterion)
    if not stated:
        raise CannotJudge("the golden has no criteria (sentences for a judge)")
    settings = settings_of(criterion.metric, subject, criterion)
    if settings.off:
        return of_case(subject, MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=settings.off))
    asked = [expectation for expectation in stated if expectation.text and not expectation.skipped]
    conversation = conversation_of(subject)
    questions = [
        (last_turn(subject), (("criterion", expectation.text), ("conversation", conversation)))
        for expectation in asked
    ]
    answers = iter((yield from ask_each(subject, criterion, _CRITERION, questions)))
    replies: list[Reply] = []
    outcomes = []
    for expectation in stated:
        answer = next(answers) if expectation.text and not expectation.skipped else None
        replies += answer.replies if answer else ()
        outcomes.append(_criterion_outcome(expectation, answer))
    score = plain_mean(outcome.score for outcome in outcomes if outcome.score is not None)
    status = overall_status(outcome.status for outcome in outcomes)
    wrong = next((outcome for outcome in outcomes if outcome.status is status and status is not Status.PASSED), None)
    reason = f"{wrong.what}: {wrong.reason}" if wrong else ""
    verdict = MetricVerdict(criterion.metric, score, status, 1.0, reason, expectations=tuple(outcomes))
    return of_case(subject, with_replies(verdict, replies))


def _sentences(subject: Subject, criterion: Criterion) -> list[Expectation]:
    """The sentence of the criterion itself, or those of the case; some only name one in another file."""
    own = options_of(SentenceOptions, criterion)
    if own.prompt:
        return [Expectation(Expects.CRITERION, text=own.prompt, reference=own.name, place=criterion.place)]
    stated = [
        expectation
        for expectation in (subject.case.expectations if subject.case else ())
        if expectation.kind is Expects.CRITERION
    ]
    prompts = {
        options.name: options.prompt
        for other in subject.criteria
        if other.metric == LLM_CRITERIA and (options := options_of(SentenceOptions, other)).name
    }
    return [
        expectation if expectation.text else replace(expectation, text=_named(prompts, expectation.reference))
        for expectation in stated
    ]


def _named(prompts: Mapping[str, str], reference: str) -> str:
    return next((text for name, text in prompts.items() if same_name(name, reference)), "")


def _criterion_outcome(stated: Expectation, answer: JudgeAnswer | None) -> ExpectationVerdict:
    what = one_line(stated.reference or stated.text, 120)
    if stated.skipped:
        return ExpectationVerdict(what, Status.SKIPPED, golden_place=stated.place)
    if answer is None:
        reason = "its text is in another file; open the app or the file that contains it"
        return ExpectationVerdict(what, Status.NOT_EVALUATED, reason=reason, golden_place=stated.place)
    status = against(answer.value, 1.0)
    return ExpectationVerdict(what, status, answer.value, answer.reason, golden_place=stated.place)


def _judge_rubrics(subject: Subject, criterion: Criterion) -> Inquiry:
    rubrics = subject.case.rubrics if subject.case else ()
    if not rubrics:
        raise CannotJudge("the scenario has no rubrics")
    settings = settings_of(criterion.metric, subject, criterion)
    if settings.off:
        return of_case(subject, MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=settings.off))
    conversation = conversation_of(subject)
    questions = [
        (last_turn(subject), (("rubric", rubric.text), ("conversation", conversation))) for rubric in rubrics
    ]
    answers = yield from ask_each(subject, criterion, _RUBRIC, questions)
    rated = tuple(
        RubricVerdict(rubric.id, answer.value, answer.reason, rubric.text, answer.votes)
        for rubric, answer in zip(rubrics, answers, strict=True)
    )
    score = plain_mean(rating.score for rating in rated if rating.score is not None)
    undecided = next((rating for rating in rated if rating.score is None), None)
    reason = f"{one_line(undecided.text, 80)}: {undecided.rationale}" if undecided else ""
    status = Status.NOT_EVALUATED if score is None else Status.INFORMATIONAL
    verdict = MetricVerdict(criterion.metric, score, status, reason=reason, rubrics=rated)
    return of_case(subject, with_replies(verdict, [reply for answer in answers for reply in answer.replies]))


def _judge_goal(subject: Subject, criterion: Criterion) -> Inquiry:
    scenario = subject.case.scenario if subject.case else None
    if scenario is None:
        raise CannotJudge("there is no scenario with a goal of the user")
    settings = settings_of(USER_GOAL, subject, criterion)
    if settings.off:
        return of_case(subject, MetricVerdict(USER_GOAL, None, Status.SKIPPED, reason=settings.off))
    questions = [(last_turn(subject), _goal_fields(scenario, conversation_of(subject)))]
    (answer,) = yield from ask_each(subject, criterion, _GOAL, questions)
    status, meaning = goal_status(answer.value, scenario.goal)
    score = answer.value if answer.value in (0.0, 1.0) else None
    figures = (("score", answer.value),) if answer.value == -1 else ()
    reason = joined(meaning, answer.reason)
    verdict = MetricVerdict(USER_GOAL, score, status, None, reason, figures=figures, votes=answer.votes)
    return of_case(subject, with_replies(verdict, answer.replies))


def _goal_fields(scenario: Scenario, conversation: str) -> Fields:
    facts = "\n".join(f"{name}: {value}" for name, value in scenario.facts)
    return (("task", scenario.plan), ("facts", facts or "nothing in particular"), ("conversation", conversation))


METHODS = {
    LLM_CRITERIA: Method(_judge_criteria, parameters=SentenceOptions, check=asked_options),
    "ces_rubrics": Method(_judge_rubrics, parameters=AskedOptions, check=asked_options),
    USER_GOAL: Method(_judge_goal, parameters=AskedOptions, check=asked_options),
}
