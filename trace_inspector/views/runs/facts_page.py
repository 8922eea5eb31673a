"""The details of the chosen run: its figures, its notes, its input files and whether they have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.verdict.run_summary import RunSummary
from trace_inspector.models.base.figures import when_text
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs import figures as runs_figures
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import facts
from trace_inspector.views.runs.criterion_bars import CriterionBars
from trace_inspector.views.widgets.controls import Elided, Label, MarkLabel, Tag
from trace_inspector.work.runs.run_store import ListedRun, RunFacts

DIGEST_CHARS = 12


def facts_page(
    theme: Theme,
    run: ListedRun,
    later: RunFacts | None,
    files: Mapping[int, OpenFile],
    *,
    kept: bool,
    trust: Sequence[str] = (),
) -> QWidget:
    """The page. Facts that arrive later (`later`) replace the placeholders; `trust` tells of its judges."""
    page = QWidget()
    page.setObjectName("page")
    box = QVBoxLayout(page)
    box.setContentsMargins(16, 10, 16, 12)
    box.setSpacing(8)
    box.addLayout(_head(theme, run, kept=kept))
    summary = run.line.summary
    if summary is None:
        box.addWidget(Label(theme, tr("Its figures are being computed."), ink="text2", wrap=True))
    else:
        _add_figures(theme, box, summary, later)
    if later is not None:
        _add_later(theme, box, later, files, trust)
    elif kept:
        box.addWidget(Label(theme, tr("Reading its notes and inputs…"), font="secondary", ink="text2"))
    box.addStretch(1)
    return page


def states_of(later: RunFacts | None, files: Mapping[int, OpenFile]) -> tuple[tuple[str, str], ...]:
    """What the page says of each file that the run read."""
    return tuple(_state(path, digest, files) for path, digest in (later.inputs if later is not None else ()))


def _head(theme: Theme, run: ListedRun, *, kept: bool) -> QHBoxLayout:
    line = run.line
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(MarkLabel(theme, MARK_OF[runs_figures.status_of(line)], 16))
    row.addWidget(Label(theme, runs_figures.name_of(line)[:60], font="title"))
    text = when_text(line.started_s) if line.name else ""
    summary = line.summary
    if summary is not None:
        text = " · ".join(part for part in (text, summary.rules and tr("rules: {0}").format(summary.rules)) if part)
    row.addWidget(Elided(theme, text, font="secondary", ink="text2"), 1)
    if summary is not None and summary.stopped:
        row.addWidget(Tag(theme, tr("stopped")))
    if not kept:
        row.addWidget(Tag(theme, tr("not stored")))
    return row


def _add_figures(theme: Theme, box: QVBoxLayout, summary: RunSummary, later: RunFacts | None) -> None:
    thresholds = {name: threshold for name, threshold in (later.criteria if later else ()) if threshold is not None}
    decisive = [
        figures for figures in summary.criteria if figures.passed or figures.failed or figures.metric in thresholds
    ]
    if decisive:
        box.addWidget(CriterionBars(theme, decisive, thresholds))
    counts = dict(summary.counts)
    rows = [
        (tr("Passed"), runs_figures.passed_text(summary)),
        (tr("Not checked"), _counted(runs_figures.unchecked(summary), summary.cases)),
        (tr("Cases"), ", ".join(f"{counts[status]:,} {MARK_NAMES[MARK_OF[status]]}" for status in counts)),
        (tr("Overruled"), tr("{0:,} verdicts by people").format(summary.overruled) if summary.overruled else ""),
        (tr("Criteria"), summary.criteria_source),
        (tr("Latency"), runs_figures.latency_text(summary) or tr("no turn has a recorded time")),
        (tr("Tokens"), runs_figures.tokens_text(summary) or tr("no turn has token counts")),
    ]
    box.addWidget(facts(theme, [row for row in rows if row[1]]))


def _add_later(
    theme: Theme, box: QVBoxLayout, later: RunFacts, files: Mapping[int, OpenFile], trust: Sequence[str]
) -> None:
    rows = [(tr("Judge"), later.judge)] if later.judge else []
    rows += [(tr("Is it right?"), line) for line in trust]
    rows += [(tr("Note"), note) for note in later.notes]
    if later.unpaired:
        rows.append((tr("Without golden"), tr("{0:,} traces").format(later.unpaired)))
    if rows:
        box.addWidget(facts(theme, rows))
    box.addWidget(Label(theme, tr("Files it read"), font="strong"))
    for path, digest in later.inputs:
        box.addLayout(_input(theme, path, digest, files))
    if later.input_count > len(later.inputs):
        words = tr("{0:,} of {1:,} files shown").format(len(later.inputs), later.input_count)
        box.addWidget(Label(theme, words, font="secondary", ink="text2"))


def _input(theme: Theme, path: str, digest: str, files: Mapping[int, OpenFile]) -> QHBoxLayout:
    words, mark = _state(path, digest, files)
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(MarkLabel(theme, mark, 14), 0, Qt.AlignmentFlag.AlignVCenter)
    name = Elided(theme, PurePath(path).name, font="body")
    name.setAccessibleName(path)
    row.addWidget(name, 2)
    row.addWidget(Elided(theme, words, font="secondary", ink="warn" if mark == "warning" else "text2"), 3)
    row.addWidget(Label(theme, digest[:DIGEST_CHARS], font="data", ink="text2"))
    return row


def _state(path: str, digest: str, files: Mapping[int, OpenFile]) -> tuple[str, str]:
    """Whether the open file is the one that was read: in words, and a mark."""
    file = next((file for file in files.values() if str(file.path) == path), None)
    if file is None:
        return tr("not open, in {0}").format(PurePath(path).parent), "skip"
    if file.state is not FileState.READY:
        return tr("is being read"), "pending"
    if digest and file.digest and file.digest != digest:
        return tr("has changed since"), "warning"
    return tr("open, the same"), "same"


def _counted(count: int, total: int) -> str:
    return tr("{0:,} of {1:,}").format(count, total) if count else tr("none")
