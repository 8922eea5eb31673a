"""Is it the agent or the judge? Votes that flip beside cases that change their verdict, and then details."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Elided, Label
from trace_inspector.work.runs.comparison_messages import PairHead, Wavering

MOST_LINES = 40
_SIDES = ("baseline", "candidate")  # the start of lines about a whole run
NOT_KNOWN = "–"


def add_wavering(theme: Theme, box: QVBoxLayout, head: PairHead) -> None:
    """Two separate figures, of both runs; then each case that wavers, and the runs as wholes."""
    add_title(theme, box, tr("Is it the agent or the judge?"), "")
    votes = [_share(wavering.flipped, wavering.votes) for wavering in head.wavering]
    cases = [_share(wavering.changed, wavering.cases) for wavering in head.wavering]
    if {*votes, *cases} != {NOT_KNOWN}:
        box.addLayout(
            _grid(theme, ((tr("Votes on one answer that flip"), votes), (tr("Cases that change verdict"), cases)))
        )
    for words in _missing(head.wavering):
        box.addWidget(Label(theme, words, font="secondary", ink="text2", wrap=True))
    _add_lines(theme, box, head.repeats)


def _grid(theme: Theme, rows: Sequence[tuple[str, Sequence[str]]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(0, 1)
    for column, side in enumerate(_SIDES, 1):
        _put(grid, 0, column, Label(theme, side, font="secondary", ink=side))
    for row, (words, shares) in enumerate(rows, 1):
        grid.addWidget(Label(theme, words, font="secondary", wrap=True), row, 0)
        for column, (side, share) in enumerate(zip(_SIDES, shares, strict=True), 1):
            figure = Label(theme, share, font="number")
            spoken = share if share != NOT_KNOWN else tr("not known")
            figure.setAccessibleName(f"{words}, {side}: {spoken}")
            _put(grid, row, column, figure)
    return grid


def add_title(theme: Theme, box: QVBoxLayout, title: str, meaning: str) -> QHBoxLayout:
    """A heading, and a quiet word beside it."""
    row = QHBoxLayout()
    row.setSpacing(8)
    if meaning:
        row.addWidget(Label(theme, title, font="strong"))
        row.addWidget(Elided(theme, meaning, font="secondary", ink="text2"), 1)
    else:
        row.addWidget(Label(theme, title, font="strong", wrap=True))
    box.addLayout(row)
    return row


def _put(grid: QGridLayout, row: int, column: int, label: Label) -> None:
    grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def _share(some: int, of: int) -> str:
    return tr("{0:,} of {1:,}").format(some, of) if of else NOT_KNOWN


def _missing(wavering: Sequence[Wavering]) -> list[str]:
    """What to do where the data cannot tell agent and judge apart."""
    sentences = []
    if not any(item.votes for item in wavering):
        sentences.append(tr("No answer was judged more than once, so nothing shows how consistent the judge is."))
    if not any(item.cases for item in wavering):
        sentences.append(tr("One run of each case cannot tell: record each case several times."))
    return sentences


def _add_lines(theme: Theme, box: QVBoxLayout, lines: Sequence[str]) -> None:
    """Lines grouped by their subject; single cases first."""
    parts: dict[str, list[str]] = defaultdict(list)
    for line in lines[:MOST_LINES]:
        about, _colon, text = line.partition(": ")
        parts[about if text else ""].append(text or line)
    for about in sorted(parts, key=lambda name: name in _SIDES):
        title = about[:1].upper() + about[1:]
        box.addWidget(Label(theme, title, font="secondary_strong", wrap=True))
        for text in parts[about]:
            box.addWidget(Label(theme, text, font="secondary", ink="text2", wrap=True))
    if len(lines) > MOST_LINES:
        more = tr("{0:,} more lines are in the report: choose Export.").format(len(lines) - MOST_LINES)
        box.addWidget(Label(theme, more, font="secondary", ink="text2", wrap=True))
