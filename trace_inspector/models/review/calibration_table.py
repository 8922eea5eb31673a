"""The judged questions as a table: how far each judge agrees with people."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from trace_inspector.core.review.label import Level
from trace_inspector.core.review.subjects import OVERALL
from trace_inspector.core.translatable import N_
from trace_inspector.core.verdict.figures import percent
from trace_inspector.engine.reports.calibration.words import interval_text, number
from trace_inspector.engine.scoring.metric_names import LOCAL_GROUNDING
from trace_inspector.models.base.record_table import Column
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr

if TYPE_CHECKING:
    from trace_inspector.engine.calibration.calibration import Calibration
    from trace_inspector.engine.calibration.estimate import Estimate

Figure: TypeAlias = "Callable[[Calibration], Estimate]"
NOT_KNOWN = "–"
_LEVELS = {Level.CASE: N_("conversation"), Level.TURN: "", Level.CALL: N_("call"), Level.SENTENCE: N_("sentence")}
_DIGEST_SIGN = "@"


def question_title(found: Calibration) -> str:
    """The question in short: of a rubric its id behind its metric, and what it is about unless that is a turn."""
    metric, slash, rubric = found.question.partition("/")
    rubric = rubric.rpartition(_DIGEST_SIGN)[0] or rubric
    title = f"{metric} › {rubric}" if slash else metric
    level = _LEVELS[found.level]
    return f"{title} ({tr(level)})" if level else title


def judge_title(found: Calibration) -> str:
    """The judge in short."""
    judge = found.judge
    votes = tr("{0} votes").format(judge.samples) if judge.samples and judge.samples > 1 else ""
    whole = {OVERALL: tr("all criteria together"), LOCAL_GROUNDING: tr("rules, no model")}
    name = whole.get(found.question) or judge.model or tr("model not stated")
    return ", ".join(filter(None, (name, votes)))


def _number_text(value: float | None) -> str:
    return NOT_KNOWN if value is None else number(value)


def _figure(
    title: str, meaning: str, estimate: Figure, text: Callable[[float | None], str] = percent
) -> Column[Calibration]:
    return Column(
        title,
        lambda found: text(estimate(found).value),
        number=True,
        meaning=meaning,
        sort_key=lambda found: estimate(found).value,
    )


def _rates(found: Calibration) -> str:
    raw, corrected = found.rates.raw, found.rates.ppi.value
    return f"{percent(raw)} → {percent(corrected)}"


COLUMNS: tuple[Column[Calibration], ...] = (
    Column(N_("Question"), question_title, cells={Role.MARK: lambda found: "stale" if found.stale else ""}),
    Column(N_("Judge"), judge_title),
    Column(
        N_("Compared"),
        lambda found: f"{found.compared:,}",
        number=True,
        meaning=N_("Outputs with a verdict of the judge, and a label that says pass or fail"),
        sort_key=lambda found: found.compared,
    ),
    _figure(
        N_("Sensitivity"),
        N_("The share of the failures that the judge finds"),
        lambda found: found.agreement.sensitivity,
    ),
    _figure(
        N_("Specificity"),
        N_("The share of the good outputs that it leaves alone"),
        lambda found: found.agreement.specificity,
    ),
    _figure("κ", N_("Agreement beyond chance"), lambda found: found.agreement.kappa, _number_text),
    Column(
        N_("Pass rate"),
        _rates,
        number=True,
        meaning=N_("As the judge says it, and as people would say it of the same outputs (PPI)"),
        sort_key=lambda found: found.rates.raw,
    ),
)


def headline(found: Calibration) -> str:
    """What the judge says, and what people would say."""
    rates, corrected = found.rates, found.rates.ppi
    if rates.raw is None:
        return tr("There are no verdicts.")
    said = tr("The judge says {0} pass.").format(percent(rates.raw))
    if corrected.value is None:
        refused = tr("That cannot be corrected: {0}.").format(corrected.reason)
        return f"{said} {refused}"
    words = tr("People would say {0}").format(percent(corrected.value))
    interval = interval_text(corrected)
    return f"{said} {words} ({interval})." if interval else f"{said} {words}."
