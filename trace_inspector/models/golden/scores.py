"""The live figures above a golden turn: ADK's exact rule, the rule with matchers, and what waits for a judge."""

from __future__ import annotations

from msgspec import Struct, field

from trace_inspector.core.alignment.turn_alignment import CallMatch
from trace_inspector.core.verdict.stale import STALE
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict, against
from trace_inspector.engine.scoring.call_comparison import calls_metric_of, metric_of
from trace_inspector.engine.scoring.metric_names import TOOL_TRAJECTORY, TRAJECTORY_MATCH
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext

ANSWER_METRIC = "response_match_score"


class TurnScore(Struct, frozen=True):
    """A score with its mark, how many calls it is about, and how that was before the edits."""

    mark: str = "none"
    score: str = ""
    words: str = ""
    was: str = ""
    rose: bool = False


class CallsBeforeEdits(Struct):
    """The results of turns before any edit, by file, case and turn; another run starts anew."""

    _run: object = None
    _calls: dict[tuple[int, str, int | None], tuple[bool, ...]] = field(default_factory=dict)

    def note(self, context: GoldenContext) -> None:
        """Remember results while the golden is unedited."""
        run = context.shown.value
        if run is not self._run:
            self._run = run
            self._calls = {}
        edited = context.goldens.edited(context.file.number)
        verdict = calls_metric_of(context.turn_verdict)
        if verdict is not None and (edited is None or not edited.is_changed):
            self._calls[context.identity] = _right(verdict)

    def calls(self, context: GoldenContext) -> tuple[bool, ...]:
        """Which of the expected calls matched before the edits; empty where that is not known."""
        return self._calls.get(context.identity, ())


def figure(context: GoldenContext, metric: str, before: tuple[bool, ...] = ()) -> TurnScore:
    """The score of the turn by a metric that compares calls."""
    verdict = metric_of(context.turn_verdict, metric)
    if verdict is None:
        return TurnScore(words=tr("not scored"))
    right = _right(verdict)
    if not right:
        words = tr("no calls expected") if verdict.score is not None else verdict.reason or tr("not scored")
        return TurnScore(_mark(verdict), score_text(verdict.score), words)
    words = tr("{0} of {1} calls").format(sum(right), len(right))
    changed = bool(before) and (sum(before), len(before)) != (sum(right), len(right))
    was = tr("was {0} of {1}").format(sum(before), len(before)) if changed else ""
    rose = changed and sum(right) * len(before) > sum(before) * len(right)
    return TurnScore(_mark(verdict), score_text(verdict.score), words, was, rose)


def with_matchers(context: GoldenContext, before: tuple[bool, ...]) -> TurnScore:
    """The score by the rule with matchers, which is the exact rule where the golden has none."""
    scored = metric_of(context.turn_verdict, TRAJECTORY_MATCH)
    return figure(context, TRAJECTORY_MATCH if scored is not None else TOOL_TRAJECTORY, before)


class StaleVerdicts(Struct, frozen=True):
    """How many judge verdicts are stale, in how many turns of the run; `judged` counts those that are valid.

    `awaited`: a running evaluation has not reached this golden yet.
    """

    verdicts: int
    turns: int
    judged: int
    awaited: bool


def stale(context: GoldenContext) -> StaleVerdicts:
    """The verdicts of the shown golden that wait for a judge, and how many turns of the whole run have some."""
    run = context.shown.value
    shown: TurnVerdict | CaseVerdict | None = context.turn_verdict or context.case_verdict
    metrics = shown.metrics if shown is not None else ()
    turns = 0
    if run is not None and any(map(_is_stale, metrics)):
        turns = sum(any(map(_is_stale, turn.metrics)) for case in run.cases for turn in case.turns)
    judged = sum(bool(metric.votes or metric.replies or metric.rubrics) for metric in metrics)
    awaited = run is not None and run.running and shown is None
    return StaleVerdicts(sum(map(_is_stale, metrics)), turns, judged, awaited)


def answer_figure(context: GoldenContext) -> TurnScore | None:
    """The response match of the turn; None where it is not scored."""
    verdict = metric_of(context.turn_verdict, ANSWER_METRIC)
    if verdict is None or verdict.score is None:
        return None
    needs = tr("needs {0}").format(score_text(verdict.threshold)) if verdict.threshold is not None else ""
    return TurnScore(_mark(verdict), score_text(verdict.score), needs)


def _right(verdict: MetricVerdict) -> tuple[bool, ...]:
    same = {pair.expected: pair.match is CallMatch.SAME for pair in verdict.calls if pair.expected is not None}
    return tuple(same[index] for index in sorted(same))


def _is_stale(metric: MetricVerdict) -> bool:
    return metric.status is Status.PENDING and metric.reason == STALE


def _mark(verdict: MetricVerdict) -> str:
    """The mark of a score; one that only informs is compared with the full score."""
    if verdict.status is Status.INFORMATIONAL:
        return MARK_OF[against(verdict.score, verdict.threshold if verdict.threshold is not None else 1.0)]
    return MARK_OF[verdict.status]
