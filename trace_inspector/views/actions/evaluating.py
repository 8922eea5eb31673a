"""The Evaluate menu."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.run_scope import Scope
from trace_inspector.views.actions.action import Action, has_files
from trace_inspector.views.window_context.desk import Desk

ROOM_PX = 420


def can_evaluate(desk: Desk) -> bool:
    """Whether there is something to score, or there may be once it is read."""
    return desk.workspace.files.reading or any(file.has_traces or file.has_suites for file in desk.workspace.files)


def busy(desk: Desk) -> bool:
    """Whether a job runs."""
    return desk.jobs.busy


def evaluate(desk: Desk) -> None:
    """Score what is open, as it was chosen last."""
    desk.workspace.evaluation.ask_to_start()


def evaluate_with(desk: Desk) -> None:
    """Choose pairing, criteria and judge first."""
    from trace_inspector.views.evaluate.dialog import show_evaluate

    show_evaluate(desk)


def has_verdicts(desk: Desk) -> bool:
    """Whether a run has ended, however far it came."""
    run = desk.workspace.run.value
    return run is not None and not run.running and bool(run.cases)


def can_resume(desk: Desk) -> bool:
    """Whether a run can go on that was stopped here, or in a process that was killed."""
    run = desk.workspace.run.value
    return can_evaluate(desk) and (run is None or not run.running)


def rejudge(desk: Desk, scope: Scope) -> None:
    """Judge a part of the last run again; the other verdicts stay."""
    desk.workspace.evaluation.ask_to_start(scope)


def rejudge_case(desk: Desk) -> None:
    """Judge the selected case again, and ask its judge anew."""
    selection = desk.workspace.selection.value
    verdict = desk.workspace.verdicts.case(selection.file, selection.row) if selection else None
    desk.workspace.evaluation.ask_to_start(Scope.ONE, verdict)


def rejudge_turn(desk: Desk) -> None:
    """The same, but the judge is asked anew about the selected turn alone."""
    selection = desk.workspace.selection.value
    if selection is not None:
        verdict = desk.workspace.verdicts.case(selection.file, selection.row)
        turn = desk.workspace.verdicts.turn(selection.file, selection.row)
        desk.workspace.evaluation.ask_to_start(Scope.ONE, verdict, turn.index if turn else None)


def on_judged_turn(desk: Desk) -> bool:
    """Whether a turn is selected that was judged."""
    selection = desk.workspace.selection.value
    turn = desk.workspace.verdicts.turn(selection.file, selection.row) if selection else None
    return has_verdicts(desk) and turn is not None and turn.index is not None


def review(desk: Desk) -> None:
    """Choose what to review; end the review that is open."""
    if desk.workspace.review.is_open:
        desk.workspace.review.close()
        return
    from trace_inspector.views.review.dialog import show_review

    show_review(desk)


def review_name(desk: Desk) -> str:
    """The action ends what it began."""
    return tr("E&nd the review") if desk.workspace.review.is_open else ""


def stop(desk: Desk) -> None:
    """Stop the job in front."""
    desk.workspace.stop()


def edit_criteria(desk: Desk) -> None:
    """Show the criteria editor, with room to work, and the focus in it."""
    dock = desk.docks["criteria"]
    inside: QWidget = dock.widget()
    room = min(ROOM_PX, desk.window.height() * 2 // 5)
    if inside.height() < room:
        desk.window.resizeDocks([dock], [room], Qt.Orientation.Vertical)
    dock.show()
    dock.raise_()
    inside.setFocus()


def preferences(desk: Desk) -> None:
    """Open the preferences."""
    from trace_inspector.views.preferences.dialog import show_preferences

    show_preferences(desk)


ACTIONS: tuple[Action, ...] = (
    Action("evaluate", N_("&Evaluate"), "Evaluate", evaluate, "F5", "play", "filled", can_evaluate),
    Action("evaluate-with", N_("Evaluate &with…"), "Evaluate", evaluate_with, "Ctrl+F5", enabled=can_evaluate),
    Action(
        "resume", N_("&Resume"), "|Evaluate", lambda desk: rejudge(desk, Scope.REST), "Shift+F5", enabled=can_resume
    ),
    Action(
        "only-failed",
        N_("Evaluate what &failed again"),
        "Evaluate",
        lambda desk: rejudge(desk, Scope.FAILED),
        enabled=has_verdicts,
    ),
    Action(
        "only-stale",
        N_("Evaluate what waits for a &judge"),
        "Evaluate",
        lambda desk: rejudge(desk, Scope.STALE),
        enabled=has_verdicts,
    ),
    Action("this-again", N_("Evaluate this case &again"), "Evaluate", rejudge_case, "Alt+F5", enabled=has_verdicts),
    Action(
        "turn-again", N_("Evaluate this &turn again"), "Evaluate", rejudge_turn, "Ctrl+Alt+F5", enabled=on_judged_turn
    ),
    Action("review", N_("Review tur&ns…"), "|Evaluate", review, "Ctrl+Shift+L", "judge", named=review_name),
    Action("edit-criteria", N_("Edit &criteria…"), "|Evaluate", edit_criteria, icon="sliders", enabled=has_files),
    Action("stop", N_("&Stop"), "|Evaluate", stop, "Esc", "stop", "thin", busy),
    Action("preferences", N_("&Preferences…"), "Tools", preferences, "Ctrl+,", "sliders"),
)
