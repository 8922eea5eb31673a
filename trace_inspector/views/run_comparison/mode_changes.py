"""Failure modes in both runs: their shares of the labelled turns with intervals, and which rose or fell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.figures import percent
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.figure_chart import FigureChart, FigureRow
from trace_inspector.views.run_comparison.flakiness import NOT_KNOWN, add_title
from trace_inspector.views.widgets.controls import Label

if TYPE_CHECKING:
    from trace_inspector.engine.run_comparison.compared_modes import ComparedMode, ComparedModes

MOST_MODES = 20
_NAME_CHARS = 120


def add_modes(theme: Theme, box: QVBoxLayout, compared: ComparedModes) -> None:
    """Each mode with its shares in both runs: first what chance does not explain."""
    of = tr("shares of {0} labelled turns before, {1} now").format(
        f"{compared.base_outputs:,}", f"{compared.new_outputs:,}"
    )
    add_title(theme, box, tr("Failure modes"), of)
    for mode in compared.modes[:MOST_MODES]:
        box.addWidget(Label(theme, one_line(mode.name, _NAME_CHARS), font="secondary_strong", wrap=True))
        box.addWidget(FigureChart(theme, [*_rows(mode)]))
        box.addWidget(Label(theme, change_words(mode), font="secondary", ink="text2", wrap=True))
    if len(compared.modes) > MOST_MODES:
        words = tr("{0} more failure modes are in the report: choose Export.").format(
            len(compared.modes) - MOST_MODES
        )
        box.addWidget(Label(theme, words, font="secondary", ink="text2", wrap=True))


def _rows(mode: ComparedMode) -> Iterator[FigureRow]:
    from trace_inspector.engine.failure_modes.words import interval

    for title, ink, side in ((tr("baseline"), "baseline", mode.base), (tr("candidate"), "candidate", mode.new)):
        share = side.share
        if share.value is None:
            yield FigureRow(title, NOT_KNOWN, "", tr("nothing labelled"), ink=ink)
        else:
            means = tr("{0} turns").format(f"{side.count:,}")
            texts = title, percent(share.value), interval(share), means
            yield FigureRow(*texts, share.value, share.low, share.high, ink=ink)


def change_words(mode: ComparedMode) -> str:
    """By how much it changed, and whether chance may be all."""
    from trace_inspector.engine.failure_modes.words import points, points_interval

    interval = points_interval(mode.difference)
    if not interval:
        return tr("Not compared: {0}.").format(mode.difference.reason)
    by = tr("by {0} points ({1} with 95 % confidence)").format(points(mode.difference), interval)
    if not mode.verdict:
        return tr("Changed {0}, which chance may explain.").format(by)
    return (tr("Rose {0}.") if mode.verdict == "rose" else tr("Fell {0}.")).format(by)
