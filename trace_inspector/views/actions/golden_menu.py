"""The Golden menu: promote a run; add, copy, delete, split, merge, move and rename goldens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from trace_inspector.core.golden.golden_formats import GOLDEN_FORMATS
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.bulk.case_editing import CaseEditing, named
from trace_inspector.models.files.multi_selection import Picked, picked
from trace_inspector.models.golden.golden_finder import observed_place
from trace_inspector.models.golden.promotion import Promotion
from trace_inspector.views.actions.action import Action, has_files, has_selection
from trace_inspector.views.window_context.desk import Desk

_ONE = 1


def selected(desk: Desk) -> list[Picked]:
    """The selected rows of the tree, else the selection that all views share."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    if selection is None or file is None:
        return []
    rows = desk.page.rows if desk.page.shows(file.number) else []
    return picked(file, rows if selection.row in rows else [selection.row])


def goldens(desk: Desk) -> list[Picked]:
    """The selected goldens, where they can be edited here."""
    some = selected(desk)
    return some if some and all(picked.is_golden and picked.file.format in GOLDEN_FORMATS for picked in some) else []


def can_edit(desk: Desk) -> bool:
    """Whether a file with goldens is selected that can be edited."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    return file is not None and file.format in GOLDEN_FORMATS


def on_golden(desk: Desk) -> bool:
    """Whether a row of a golden is selected that can be edited."""
    selection = desk.workspace.selection.value
    return selection is not None and selection.row >= 0 and can_edit(desk)


def promote(desk: Desk) -> None:
    """Make what is selected a golden; of a golden, what was observed in its place."""
    some = selected(desk)
    if any(picked.is_golden for picked in some):
        _promote_observed(desk, some)
    elif some:
        _show_promote(desk, some)
    else:
        desk.say(tr("Select a conversation or turns first, then promote them to a golden."))


def _promote_observed(desk: Desk, some: list[Picked]) -> None:
    """Make the golden expect what the run observed, where it held one conversation against it."""
    workspace, selection = desk.workspace, desk.workspace.selection.value
    place = observed_place(workspace.files, workspace.run.value, selection) if selection and len(some) == 1 else None
    trace = workspace.files.get(place.file) if place is not None else None
    if place is None or trace is None:
        desk.say(tr("This is a golden already. Evaluate (F5) to promote what a run did in its place."))
        return
    _show_promote(desk, picked(trace, [place.row]), some[0])


def _show_promote(desk: Desk, some: list[Picked], golden: Picked | None = None) -> None:
    from trace_inspector.views.promote.dialog import TARGET_SETTING, show_promote

    workspace, last = desk.workspace, str(desk.settings.value(TARGET_SETTING) or "")
    last = str(golden.file.path) if golden is not None else last
    chosen = Promotion(workspace.files, workspace.selection, workspace.verdicts, workspace.goldens, some, last)
    if golden is not None and golden.file in chosen.targets:
        chosen.renew(golden)
    show_promote(desk, chosen)


def copy_goldens(desk: Desk) -> None:
    """Put goldens into another suite, of whatever format; what would be lost is shown first."""
    if any(not picked.is_golden for picked in selected(desk)):
        desk.say(tr("These are recorded conversations. Promote them with Ctrl+G."))
    elif selected(desk):
        _show_promote(desk, selected(desk))
    else:
        desk.say(tr("Select a golden first."))


def add_case(desk: Desk) -> None:
    """A new golden in the file."""
    selection = desk.workspace.selection.value
    if selection is not None:
        _editing(desk).add_case(selection.file)


def add_turn(desk: Desk) -> None:
    """A turn after the selected one."""
    with_single_golden(desk, _editing(desk).add_turn)


def duplicate(desk: Desk) -> None:
    """A copy of each selected golden, or of its selected turns."""
    some = goldens(desk)
    if len(some) == _ONE and some[0].turns:
        _editing(desk).shape("double-turns", tr("Duplicate {0}"), some)
    elif some:
        _editing(desk).shape("double", tr("Duplicate {0}"), some)


def delete(desk: Desk) -> None:
    """Delete the selected goldens, or the selected turns of one golden."""
    some = goldens(desk)
    if not some:
        return
    words = named(some)
    if len(some) == _ONE and some[0].turns and len(some[0].turns) < len(some[0].table.turns(some[0].top)):
        _editing(desk).delete_turns(some[0])
    else:
        _editing(desk).shape("delete", tr("Delete {0}"), [_whole(picked) for picked in some])
        words = named([_whole(picked) for picked in some])
    desk.say(tr("Deleted {0}. Ctrl+Z brings it back.").format(words))


def split(desk: Desk) -> None:
    """Split a golden in two: the second begins with the selected turn."""
    some = goldens(desk)
    if len(some) != _ONE or some[0].turns[:1] in ((), (0,)):
        desk.say(tr("Select the turn where the second golden should begin."))
        return
    _editing(desk).shape("split", tr("Split “{0}”").format(some[0].name), some)


def join(desk: Desk) -> None:
    """Merge several goldens into one, their turns in order."""
    some = goldens(desk)
    if len(some) <= _ONE:
        desk.say(tr("Select two or more goldens, with Ctrl or Shift."))
        return
    _editing(desk).shape("join", tr("Merge {0}"), [_whole(picked) for picked in some])


def move(desk: Desk, way: int) -> None:
    """Move goldens or turns one place up (-1) or down (1)."""
    some = goldens(desk)
    if len(some) == _ONE and some[0].turns:
        _editing(desk).move_turns(some[0], way)
    elif some:
        _editing(desk).shape("up" if way < 0 else "down", tr("Move {0}"), some)


def rename(desk: Desk) -> None:
    """Ask for another id."""
    some = goldens(desk)
    if len(some) != _ONE:
        desk.say(tr("Select one golden to rename it."))
        return
    golden, before = some[0], some[0].table.name(some[0].top)
    dialog = QInputDialog(desk.window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(tr("Rename golden"))
    dialog.setLabelText(tr("Id"))
    dialog.setTextValue(before)
    dialog.textValueSelected.connect(lambda name: _rename(desk, golden, name.strip()))
    dialog.open()


def has_goldens(desk: Desk) -> bool:
    """Whether any open file has goldens that can be edited."""
    return any(file.format in GOLDEN_FORMATS for file in desk.workspace.files)


def bulk_edit(desk: Desk) -> None:
    """Change many goldens at once, after a look at everything that would change."""
    from trace_inspector.views.bulk.opening import show_bulk_edit

    show_bulk_edit(desk, goldens(desk))


def propose(desk: Desk) -> None:
    """Propose matchers for the arguments of the selected golden, from conversations that passed it."""
    from trace_inspector.models.golden.golden_finder import GoldenFinder
    from trace_inspector.models.golden.matcher_proposals import MatcherProposals
    from trace_inspector.views.promote.proposals import ProposalsDialog

    workspace = desk.workspace
    finder = GoldenFinder(workspace.files, workspace.run, workspace.evaluation, workspace.goldens)
    context = finder.find(workspace.selection.value)
    if isinstance(context, str):
        desk.say(context)
    else:
        ProposalsDialog(desk, MatcherProposals(context)).open()


def rebase(desk: Desk) -> None:
    """Take what the agent does otherwise on purpose into many goldens at once."""
    from trace_inspector.views.rebase.opening import show_rebase

    show_rebase(desk)


def coverage(desk: Desk) -> None:
    """What the goldens exercise, and what none does."""
    from trace_inspector.views.coverage.dialog import show_coverage

    show_coverage(desk)


def with_single_golden(desk: Desk, do: Callable[[Picked], None]) -> None:
    """Act on the selected golden, or report that exactly one must be selected."""
    some = goldens(desk)
    if len(some) == _ONE:
        do(some[0])
    else:
        desk.say(tr("Select one golden first."))


ACTIONS: tuple[Action, ...] = (
    Action("promote", N_("&Promote to golden…"), "Golden", promote, "Ctrl+G", "star", enabled=has_selection),
    Action("add-case", N_("Add a &golden"), "|Golden", add_case, "Ctrl+Shift+G", "plus", enabled=can_edit),
    Action("add-turn", N_("Add a &turn"), "Golden", add_turn, enabled=on_golden),
    Action("duplicate-golden", N_("&Duplicate"), "Golden", duplicate, "Ctrl+D", "copy", enabled=on_golden),
    Action("split-golden", N_("&Split before this turn"), "Golden", split, enabled=on_golden),
    Action("join-goldens", N_("&Merge into one golden"), "Golden", join, enabled=on_golden),
    Action(
        "golden-up", N_("Move &up"), "Golden", partial(move, way=-1), "Alt+Shift+Up", enabled=on_golden, in_tree=True
    ),
    Action(
        "golden-down",
        N_("Move do&wn"),
        "Golden",
        partial(move, way=1),
        "Alt+Shift+Down",
        enabled=on_golden,
        in_tree=True,
    ),
    Action("rename-golden", N_("&Rename…"), "Golden", rename, enabled=on_golden),
    Action("copy-goldens", N_("&Copy or move to another suite…"), "Golden", copy_goldens, enabled=has_files),
    Action("bulk-edit", N_("&Bulk edit…"), "|Golden", bulk_edit, "Ctrl+B", "sliders", enabled=has_goldens),
    Action("rebase", N_("Reb&ase…"), "Golden", rebase, "Ctrl+Alt+B", enabled=has_goldens),
    Action("propose-matchers", N_("Propose matc&hers…"), "Golden", propose, "Ctrl+M", enabled=has_selection),
    Action("coverage", N_("Co&verage…"), "Golden", coverage, "Ctrl+Shift+B", enabled=has_files),
    Action("delete-golden", N_("D&elete"), "Golden", delete, "Del", "x", enabled=on_golden, in_tree=True),
)


def _editing(desk: Desk) -> CaseEditing:
    return CaseEditing(desk.workspace.files, desk.workspace.selection, desk.workspace.goldens)


def _rename(desk: Desk, golden: Picked, name: str) -> None:
    if name and name != golden.table.name(golden.top):
        _editing(desk).rename(golden, name)


def _whole(picked: Picked) -> Picked:
    return Picked(picked.file, picked.table, picked.top)
