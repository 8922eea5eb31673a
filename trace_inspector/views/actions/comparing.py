"""Comparing two runs: the baseline, the run compared with it, and the view that shows both."""

from __future__ import annotations

from functools import partial

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs import figures as runs_figures
from trace_inspector.models.runs.run_pair_words import side_of
from trace_inspector.views.actions.action import Action
from trace_inspector.views.actions.overruling import can_use_run, runs_panel
from trace_inspector.views.run_comparison.choosing import choose_file
from trace_inspector.views.run_comparison.exporting import ask_kind
from trace_inspector.views.widgets.palette import Entry
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.runs.comparison_messages import RunSide
from trace_inspector.work.runs.run_store import ListedRun

_PAIR = 2


def toggle_baseline(desk: Desk) -> None:
    """Make the chosen run the baseline of what it judged, or take that back."""
    run, runs = _chosen(desk), desk.workspace.runs
    if run is None:
        return
    name = runs_figures.name_of(run.line)
    if run.line.id in runs.baselines.ids:
        runs.baselines.drop(run.line.id)
        desk.say(tr("{0} is no longer the baseline.").format(name))
    elif not runs.list.is_kept(run.line.id):
        desk.say(tr("This run is not stored, so it cannot be a baseline."))
    else:
        runs.baselines.choose(run)
        desk.say(tr("{0} is the baseline. Choose another run and press C to compare it.").format(name))


def is_baseline(desk: Desk) -> bool:
    """Whether the chosen run is a baseline."""
    run = _chosen(desk)
    return run is not None and run.line.id in desk.workspace.runs.baselines.ids


def compare_runs(desk: Desk) -> None:
    """Two selected runs with each other, the earlier one first; else the chosen one with the baseline."""
    panel, runs = runs_panel(desk), desk.workspace.runs
    picked = panel.picked if panel is not None else ()
    if len(picked) == 1 and (baseline := runs.baselines.of(picked[0])) is not None:
        picked = (baseline, *picked)
    if len(picked) != _PAIR:
        desk.say(tr("Set another run of the same goldens as the baseline (B), or select two runs (Ctrl+Space)."))
        return
    if not all(runs.list.is_kept(run.line.id) for run in picked):
        desk.say(tr("A run that is not stored cannot be compared."))
        return
    base, new = sorted(picked, key=lambda run: (run.line.id not in runs.baselines.ids, run.line.started_s))
    show_pair(desk, side_of(base), side_of(new))


def picks_two(desk: Desk) -> bool:
    """Whether two runs are selected."""
    panel = runs_panel(desk)
    return panel is not None and len(panel.picked) == _PAIR


def compare_with_file(desk: Desk) -> None:
    """The chosen run with a file of results."""
    run = _chosen(desk)
    if run is not None:
        choose_file(desk, lambda side: show_pair(desk, side_of(run), side))


def show_pair(desk: Desk, base: RunSide, new: RunSide) -> None:
    """Compare two runs, and look at that."""
    desk.workspace.runs.pair.compare(base, new)
    if desk.centre is not None:
        desk.centre.show_view("two-runs")


def compare_file(desk: Desk) -> None:
    """Choose a file to compare the selected one with: each conversation beside the one of the same case."""
    selection = desk.workspace.selection.value
    pair = desk.workspace.file_pair

    def choose(base: int) -> None:
        if selection is not None:
            pair.choose(base, selection.file)
            desk.perform("view-compare")

    others = pair.others(selection.file) if selection is not None else []
    entries = [Entry(file.name, partial(choose, file.number), tr(file.group.value)) for file in others]
    if entries:
        desk.palette.ask(tr("Compare with which file?"), entries)
    else:
        desk.say(tr("Open another file with conversations or goldens to compare this one with."))


def can_compare_file(desk: Desk) -> bool:
    """Whether a file is selected that can be compared with another one."""
    selection = desk.workspace.selection.value
    return selection is not None and bool(desk.workspace.file_pair.others(selection.file))


def has_pair(desk: Desk) -> bool:
    """Whether two runs are compared."""
    return desk.workspace.runs.pair.head is not None


ACTIONS: tuple[Action, ...] = (
    Action(
        "compare-file",
        N_("Compare the file &with…"),
        "|View",
        compare_file,
        icon="compare",
        enabled=can_compare_file,
    ),
    Action(
        "baseline-run",
        N_("Set the selected run as &baseline"),
        "Evaluate",
        toggle_baseline,
        icon="flag",
        enabled=can_use_run,
        named=lambda desk: tr("Clear the &baseline") if is_baseline(desk) else "",
    ),
    Action(
        "compare-runs",
        N_("Co&mpare the selected run with the baseline"),
        "Evaluate",
        compare_runs,
        icon="compare",
        enabled=can_use_run,
        named=lambda desk: tr("Co&mpare the two selected runs") if picks_two(desk) else "",
    ),
    Action(
        "compare-run-file",
        N_("Compare the selected run with a f&ile…"),
        "Evaluate",
        compare_with_file,
        enabled=can_use_run,
    ),
    Action("export-two-runs", N_("E&xport the comparison of two runs…"), "Evaluate", ask_kind, enabled=has_pair),
)


def _chosen(desk: Desk) -> ListedRun | None:
    panel = runs_panel(desk)
    return panel.chosen if panel is not None else None
