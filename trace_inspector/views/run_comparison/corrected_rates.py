"""What judges say passes in both runs, and what people would say: with intervals, and what each figure assumes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtWidgets import QVBoxLayout

from trace_inspector.core.verdict.figures import percent
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.figure_chart import FigureChart, FigureRow
from trace_inspector.views.run_comparison.flakiness import add_title
from trace_inspector.views.widgets.controls import Label

if TYPE_CHECKING:
    from trace_inspector.engine.calibration.estimate import Estimate
    from trace_inspector.engine.run_comparison.judged_rates import ComparedJudge, JudgedRates

MOST_QUESTIONS = 12
_NOTHING = "–"
_INKS = ("baseline", "candidate")


def add_judges(theme: Theme, box: QVBoxLayout, judges: Sequence[ComparedJudge]) -> None:
    """Each question with the rates of both runs."""
    from trace_inspector.engine.run_comparison.judged_rates import CORRECTIONS

    add_title(theme, box, tr("What people would say"), tr("pass rates of judges, corrected by people’s labels"))
    for each in judges[:MOST_QUESTIONS]:
        box.addWidget(Label(theme, each.question, font="secondary_strong", wrap=True))
        sides = {tr("baseline"): each.base, tr("candidate"): each.new}
        box.addWidget(_chart(theme, _raw_rows(sides)))
        for title, assumed, of_side in CORRECTIONS:
            found = {name: None if side is None else of_side(side) for name, side in sides.items()}
            box.addWidget(Label(theme, tr("By {0}, if {1}").format(title, assumed), font="secondary", wrap=True))
            box.addWidget(_chart(theme, _rows(found, sides)))
    if len(judges) > MOST_QUESTIONS:
        words = tr("{0} more questions are in the report: choose Export.").format(len(judges) - MOST_QUESTIONS)
        box.addWidget(Label(theme, words, font="secondary", ink="text2", wrap=True))


def _chart(theme: Theme, rows: Iterator[FigureRow]) -> FigureChart:
    """Two rows, in the inks of the two runs."""
    return FigureChart(theme, [replace(row, ink=ink) for row, ink in zip(rows, _INKS, strict=True)])


def _raw_rows(sides: dict[str, JudgedRates | None]) -> Iterator[FigureRow]:

    for name, side in sides.items():
        if side is None or side.raw is None:
            yield FigureRow(name, _NOTHING, "", tr("not judged"))
            continue
        where = tr("labelled in the other run") if side.elsewhere else tr("labelled")
        means = tr("the judge says of {0}; {1} {2}").format(f"{side.judged:,}", f"{side.labelled:,}", where)
        yield FigureRow(name, percent(side.raw), "", means, side.raw)


def _rows(found: dict[str, Estimate | None], sides: dict[str, JudgedRates | None]) -> Iterator[FigureRow]:
    from trace_inspector.engine.reports.calibration.words import interval_text

    for name, estimate in found.items():
        side = sides[name]
        raw = side.raw if side is not None else None
        if estimate is None:
            yield FigureRow(name, _NOTHING, "", tr("not judged"))
        elif estimate.value is None:
            yield FigureRow(name, _NOTHING, "", tr("not corrected: {0}").format(estimate.reason), beside=raw)
        else:
            texts = name, percent(estimate.value), interval_text(estimate), estimate.reason
            yield FigureRow(*texts, estimate.value, estimate.low, estimate.high, raw)
