"""Overrules of verdicts of the current run: shown at once, stored in the background, with undo steps."""

from __future__ import annotations

import time
import uuid
import weakref
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from trace_inspector.core.verdict.case_key import key_of
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import CaseVerdict, Overruled, Status, TurnVerdict
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.runs.run_writer import RunWriter
from trace_inspector.work.runs.run_store import AddOverrule, WithdrawOverrule, Write

CHOICES = (Status.PASSED, Status.FAILED, Status.NOT_EVALUATED)


class Target(Struct, frozen=True):
    """One verdict that a person may overrule. `case` and `turn` are indexes in the shown run."""

    case: int
    turn: int | None
    metric: str | None
    title: str
    status: Status
    overruled: Overruled | None = None


class Overruling(QObject):
    """Overrules verdicts of the current run; `Messages` gets the results."""

    def __init__(
        self,
        shown: ShownRun,
        writer: RunWriter,
        steps: QUndoStack,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._shown = shown
        self._writer = writer
        self._steps = steps
        self._messages = messages
        self._unkept: set[str] = set()  # ids of overrules that could not be stored
        self._last: CurrentRun | None = None  # the last finished run
        writer.failed.connect(self._not_kept)
        shown.changed.connect(self._carry_over)

    @property
    def possible(self) -> bool:
        """Whether there is a finished run."""
        run = self._shown.value
        return run is not None and run.verdict is not None

    def targets(self, file: OpenFile, row: int, *, of_case: bool) -> list[Target]:
        """The verdicts of the row's turn or case that can be overruled: the whole first, then each criterion."""
        run = self._shown.value
        if run is None or run.verdict is None:
            return []
        verdicts = run.on(file)
        top = file.table.top_of(row)
        case = verdicts.case(top)
        turn = None if of_case else verdicts.turn(verdicts.turn_of(row))
        if turn is not None:  # of several runs of the case, the one that has this turn
            case = next((candidate for candidate in verdicts.cases(top) if _index(candidate.turns, turn) >= 0), None)
        index = _index(run.cases, case)
        if case is None or index < 0:
            return []
        return list(_of_case(index, case) if turn is None else _of_turn(index, case, turn))

    def overrule_on(self, target: Target) -> Overrule | None:
        """The current overrule of a verdict."""
        run = self._shown.value
        place = target.case, target.turn, target.metric
        overrules = (
            [overrule for overrule in run.overrules if (overrule.case, overrule.turn, overrule.metric) == place]
            if run is not None
            else []
        )
        return overrules[-1] if overrules else None

    def overrule(self, target: Target, status: Status, note: str) -> None:
        """Overrule a verdict, as an undo step."""
        run = self._shown.value
        if run is not None and run.verdict is not None:
            entry = Overrule("", target.case, status, time.time(), target.turn, target.metric, note.strip())
            self._steps.push(_Step(self, run, entry, tr("Overrule {0}").format(target.title), says=True))

    def withdraw(self, target: Target) -> None:
        """Withdraw an overrule, as an undo step."""
        run, overrule = self._shown.value, self.overrule_on(target)
        if run is not None and overrule is not None:
            words = tr("Withdraw the overrule of {0}").format(target.title)
            self._steps.push(_Step(self, run, overrule, words, says=False))

    def say(self, run: CurrentRun, overrule: Overrule) -> Overrule:
        """Apply an overrule. Each time it is a new entry in the store, where entries are never changed."""
        overrule = replace(overrule, id=uuid.uuid4().hex)
        run.use_overrules((*run.overrules, overrule))
        case = run.judged.get(overrule.case, run.cases[overrule.case])
        key = key_of(case)
        before = (other for other in run.cases[: overrule.case] if other.case_id == case.case_id)
        nth = sum(key_of(other) == key for other in before)
        if run.verdict is not None:
            self._writer.write(AddOverrule(run.verdict.id, key, nth, overrule))
        self._show(run)
        return overrule

    def take_back(self, run: CurrentRun | None, overrule: Overrule) -> None:
        """Take an overrule back, even if its run is not shown any more."""
        if run is not None:
            run.use_overrules(other for other in run.overrules if other.id != overrule.id)
            self._show(run)
        if overrule.id not in self._unkept:
            self._writer.write(WithdrawOverrule(overrule.id))

    def is_unkept(self, overrule_id: str) -> bool:
        """Whether an overrule could not be stored."""
        return overrule_id in self._unkept

    def tell_gone(self) -> None:
        """Show that the run of a step is not open any more."""
        self._messages.tell(tr("This belongs to a run that is no longer shown. Choose the run under Runs first."))

    def _carry_over(self) -> None:
        """Copy overrules to a new run that keeps their verdicts, because only other cases were judged again."""
        run = self._shown.value
        if run is None or run.verdict is None or run is self._last:
            return
        before, self._last = self._last, run
        if before is None or not before.overrules or run.order is None or not run.order.earlier:
            return
        places = {key_of(case): index for index, case in enumerate(run.cases)}
        known = {(overrule.case, overrule.turn, overrule.metric) for overrule in run.overrules}
        for overrule in before.overrules:
            own = before.judged.get(overrule.case)
            index = places.get(key_of(own), -1) if own is not None else -1
            if (index, overrule.turn, overrule.metric) in known:
                continue
            if index >= 0 and run.judged.get(index, run.cases[index]) == own:
                self.say(run, replace(overrule, case=index))

    def _show(self, run: CurrentRun) -> None:
        if run is self._shown.value:
            self._shown.tell()

    def _not_kept(self, write: Write, sentence: str) -> None:
        if isinstance(write, AddOverrule):
            self._unkept.add(write.overrule.id)
            self._messages.tell(
                tr("Your overruling is not stored and shows in this window only: {0}").format(sentence)
            )


class _Step(QUndoCommand):
    """Overrules a verdict, or withdraws an overrule; each is the undo of the other."""

    def __init__(self, overruling: Overruling, run: CurrentRun, overrule: Overrule, text: str, *, says: bool) -> None:
        super().__init__(text)
        self._overruling = overruling
        self._run = weakref.ref(run)
        self._overrule = overrule
        self._says = says

    def redo(self) -> None:
        self._go(says=self._says)

    def undo(self) -> None:
        self._go(says=not self._says)

    def _go(self, *, says: bool) -> None:
        run = self._run()
        if not says:
            self._overruling.take_back(run, self._overrule)
        elif run is not None:
            self._overrule = self._overruling.say(run, self._overrule)
        else:
            self._overruling.tell_gone()
            self.setObsolete(True)


def _of_case(index: int, case: CaseVerdict) -> Iterator[Target]:
    yield Target(index, None, None, case.case_id or case.trace_id or "", case.status, case.overruled)
    for metric in case.metrics:
        if metric.status is not Status.INFORMATIONAL:
            yield Target(index, None, metric.metric, metric.metric, metric.status, metric.overruled)


def _of_turn(index: int, case: CaseVerdict, turn: TurnVerdict) -> Iterator[Target]:
    place = _index(case.turns, turn)
    if place < 0:
        return
    number = turn.index if turn.index is not None else turn.golden_index or 0
    yield Target(index, place, None, tr("Turn {0}").format(number + 1), turn.status, turn.overruled)
    for metric in turn.metrics:
        if metric.status is not Status.INFORMATIONAL:
            yield Target(index, place, metric.metric, metric.metric, metric.status, metric.overruled)


def _index(among: Sequence[object], item: object) -> int:
    """The index of an object, by identity."""
    return next((index for index, other in enumerate(among) if other is item), -1)
