"""The comparison that the window shows: its sides, its rows, the rule that colours them, and the current row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from PySide6.QtCore import QObject, Signal

from trace_inspector.core.values.value_edits import ValueStep
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.trace_grid.manual_pairs import HandCall
from trace_inspector.engine.trace_grid.row import Row, RowKind
from trace_inspector.engine.trace_grid.rules import RULES
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.file_pair import FilePair
from trace_inspector.models.compare.remembered_choices import HandPairs, PendingSides
from trace_inspector.models.compare.rows import ComparedRows, ShownRows, divergence, head_of, place_of, side_of
from trace_inspector.models.compare.sides import DefaultSides, SideRef, bodies, followed, roles, sides_for, verdict_on
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.runs.comparing import Comparer, Order, PackedRows


class Compare(QObject):
    """Asks a child process to align the sides in rows, again whenever one of the sides changes."""

    sides_changed = Signal()
    rows_changed = Signal()  # there are other rows, or others of them are shown
    recoloured = Signal()  # the same rows, by another rule or with other verdicts
    current_changed = Signal()
    opened = Signal()  # at a turn, which is to be in sight with what diverges in it

    def __init__(
        self, files: Files, selection: CurrentSelection, run: ShownRun, goldens: Goldens, jobs: Jobs,
        pair: FilePair, parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.files = files
        self.goldens = goldens
        self._selection = selection
        self._run, self._file_pair, self._jobs = run, pair, jobs
        self.sides: tuple[SideRef, ...] = ()
        self.rows: ComparedRows | None = None
        self.notice: tuple[str, str] = ("", "")
        self.shown = ShownRows()
        self.rule = 0
        self.current = 0  # the number of a row
        self.value = -1  # index of the current argument of that row
        self.dims, self.busy = True, False
        self._kept: set[Hashable] = set()  # rows for which a person decided that the golden stays
        self._pairs = HandPairs()
        self._compared: tuple[tuple[bytes, ...], ...] = ()  # the sides that the rows compare
        self.is_guessed = False  # the sides have the same case id; no run paired them
        self._by_person = False  # a person chose the sides
        self._again = PendingSides()
        self._awake, self._stale = False, True
        self._choosing = False  # or rows are replaced: what is selected then is no choice of a person
        self._asked: tuple[tuple[bytes, ...], ...] = ()
        pair.changed.connect(self._leave)
        selection.changed.connect(self._chosen)
        run.changed.connect(self._run_moved)
        files.renewing.connect(self._hold)
        files.renewed.connect(self._file_moved)
        files.closed.connect(self._closed)
        files.reads_again.connect(self._reads_again)
        for selected_again in (files.place_ready, files.place_restored):
            selected_again.connect(self._again.place_ready)  # connected after the files' own slot, which selects it
        files.changed.connect(self._file_changed)
        goldens.stepped.connect(self._follow_edit)
        goldens.changed.connect(self._file_moved)

    # Sides

    def wake(self) -> None:
        """The view became visible."""
        self._awake = True
        if self._stale:
            self._follow(self._selection.value)
            self._ask_again()

    def sleep(self) -> None:
        """The view is hidden: changes are followed when it is visible again."""
        self._awake = False
        self._stale = True

    def choose_sides(self, sides: tuple[SideRef, ...]) -> None:
        """Compare these, until something else is selected."""
        self._again.drop()
        self._by_person, self.is_guessed = True, False
        self._set_sides(sides)

    def choose_own_sides(self) -> None:
        """Compare what the run paired."""
        self._again.drop()
        self._file_pair.drop()
        self._leave()

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the sides."""
        return roles(self.sides)

    @property
    def verdict(self) -> CaseVerdict | None:
        """The run's verdict on the last side against the first."""
        return verdict_on(self.files, self._run.value, self.sides)

    @property
    def takes(self) -> bool:
        """Whether observed values can be applied to the first side."""
        if self.rows is None or not self.sides or not self.sides[0].is_case:
            return False
        edited = self.goldens.edited(self.sides[0].file)
        return edited is None or not edited.problem

    @property
    def is_behind(self) -> bool:
        """Whether a golden was edited since the rows were made: applying a row now would apply something else."""
        return self.busy or any(self.goldens.is_changing(ref.file) for ref in self.sides)

    @property
    def by_hand(self) -> tuple[HandCall, ...]:
        """The calls that a person paired."""
        return self._pairs.shown

    @property
    def is_kept(self) -> bool:
        """Whether a person decided that the golden stays as it is in the current row."""
        return bool(self._kept) and self.rows is not None and self.rows.identity(self.current) in self._kept

    def keep(self) -> None:
        """Decide that the golden stays in the current row, or take that back."""
        if self.rows is not None:
            self._kept ^= {self.rows.identity(self.current)}

    # How it is shown

    def choose_rule(self, rule: int) -> None:
        """Choose the rule by which differences count. The rows stay."""
        if rule != self.rule:
            self.rule = rule
            self.recoloured.emit()

    @property
    def rule_title(self) -> str:
        """The title of the rule."""
        return RULES[self.rule].title

    @property
    def first_divergence(self) -> int:
        """The row of the first divergence by the rule, -1 for none."""
        return divergence(self.rows, self.verdict, self.rule) if self.rows is not None else -1

    def dim(self, *, on: bool) -> None:
        """Set whether differences after the first divergence are dimmed: they may follow from it."""
        self.dims = on
        self.recoloured.emit()

    @property
    def dimmed_from(self) -> int:
        """The first turn in which differences are dimmed, -1 for none."""
        if self.rows is None or not self.dims or self.first_divergence < 0:
            return -1
        return self.rows.packed.turns[self.first_divergence] + 1

    def is_dimmed(self, number: int) -> bool:
        """Whether a difference is in a turn after the first divergence."""
        begins = self.dimmed_from
        if self.rows is None or begins < 0:
            return False
        return self.rows.packed.turns[number] >= begins and bool(self.rows.packed.differs[number])

    def show_only(
        self, *, differences: bool | None = None, tool: str | None = None, folded: set[int] | None = None,
        hand_offs: bool | None = None,
    ) -> None:  # fmt: skip
        """Show only these rows."""
        self.shown.choose(only_differences=differences, tool=tool, folded=folded, equal_hand_offs=hand_offs)
        if self.rows is not None:
            self.rows.choose(self.shown)
            self.rows_changed.emit()
            if not self.shows_current:
                self.go(self.rows.nearest(self.current))

    def show_all(self) -> None:
        """Show all rows; folded turns stay folded."""
        self.show_only(differences=False, tool="", hand_offs=True)

    @property
    def shows_current(self) -> bool:
        """Whether the current row is shown: a hidden row must not be applied or kept."""
        return self.rows is not None and self.rows.shows(self.current)

    def fold(self, turn: int) -> None:
        """Fold a turn, or unfold it."""
        self.show_only(folded=self.shown.folded ^ {turn})

    # What is current

    def go(self, number: int, value: int = -1) -> None:
        """Make a row the current one and select it in the whole window."""
        if self.rows is None or not 0 <= number < len(self.rows.packed.kinds):
            return
        if self.rows.packed.turns[number] in self.shown.folded and self.rows.kind(number) is not RowKind.TURN:
            self.fold(self.rows.packed.turns[number])
        if not self.rows.shows(number):
            self.show_all()
        self.current, self.value = number, value
        self.current_changed.emit()
        self._select(number)

    def next_difference(self, step: int) -> bool:
        """Go to the next (1) or previous (-1) difference that is shown."""
        number: int | None = self.current
        while self.rows is not None and number is not None:
            number = self.rows.next_difference(number, step)
            if number is not None and self.rows.passes(number):
                self.go(number)
                return True
        return False

    @property
    def row(self) -> Row | None:
        """The current row."""
        return self.rows.row(self.current) if self.rows is not None and len(self.rows.packed.kinds) else None

    def _select(self, number: int) -> None:
        place = place_of(self.files, self.sides, self.rows, number) if self.rows is not None else None
        if place is not None:
            self._choosing = True
            self._selection.select(place)
            self._choosing = False

    # Following

    def _chosen(self, selection: Selection | None) -> None:
        """Follow a selection. A selection that is restored after reading a file again does not drop chosen sides."""
        if self._choosing:
            return
        by_person = self._again.selected(selection)
        if by_person or not self._by_person:
            self._follow(selection)

    def _hold(self, _number: int) -> None:
        self._choosing = self._by_person

    def _follow(self, selection: Selection | None) -> None:
        if not self._awake:
            self._stale = True
            return
        self._stale = False
        inside = side_of(self.files, self.sides, selection)
        if inside is None:
            self._by_person = False
            self._set_own(self._own_sides(selection))
        else:
            self._go_to_turn(selection, inside)

    def _own_sides(self, selection: Selection | None) -> DefaultSides:
        return self._file_pair.sides(selection) or sides_for(self.files, self._run.value, selection)

    def _set_own(self, own: DefaultSides) -> None:
        self.notice, self.is_guessed = own.notice, own.guessed
        self._set_sides(own.sides)

    def _go_to_turn(self, selection: Selection | None, side: int) -> None:
        rows = self.rows
        head = head_of(self.files, rows, side, selection) if rows is not None and side >= 0 else -1
        if rows is None or head < 0 or rows.packed.turns[self.current] == rows.packed.turns[head]:
            return
        if rows.shows(head):
            self.current, self.value = head, -1
            self.current_changed.emit()
            self.opened.emit()

    def _run_moved(self) -> None:
        """A new run may have paired what was guessed, or paired it otherwise."""
        own = self._own_sides(self._selection.value) if self.is_guessed and self._awake else DefaultSides()
        if own.sides and (own.sides, own.guessed) != (self.sides, self.is_guessed):
            self._set_own(own)
        if self.sides and self._awake:
            self.recoloured.emit()
        elif not self._by_person:
            self._follow(self._selection.value)

    def _file_changed(self, _number: int) -> None:
        self._choosing = False
        again = self._again.take(self.files)
        if again:
            self.choose_sides(again)
        if not self.sides and not self._by_person:
            self._follow(self._selection.value)

    def _file_moved(self, number: int) -> None:
        if any(ref.file == number for ref in self.sides):
            if self._awake:
                self._ask_again()
            self._stale = self._stale or not self._awake

    def _follow_edit(self, number: int, steps: Sequence[ValueStep]) -> None:
        sides = followed(self.sides, number, steps)
        if len(sides) == len(self.sides):
            self.sides = sides
        else:
            self._leave()

    def _reads_again(self, number: int, new: int) -> None:
        self._again.expect(self.sides if self._by_person else (), number, new, self._selection.value)

    def _closed(self, number: int) -> None:
        if any(ref.file == number for ref in self.sides):
            self._leave()

    def _leave(self) -> None:
        self._by_person = False
        self._set_sides(())
        self._follow(self._selection.value)

    # Asking

    def _set_sides(self, sides: tuple[SideRef, ...]) -> None:
        if sides == self.sides and (sides or self.rows is None):
            self.sides_changed.emit()
            return
        self.sides, self.rows, self.current, self.value = sides, None, 0, -1
        self._kept, self._pairs, self._asked = set(), HandPairs(), ()
        self.shown.folded, self.shown.tool = set(), ""
        self._ask_again()
        self.sides_changed.emit()  # emitted now, so that slots see new rows coming instead of the old ones

    def align(self, call: HandCall) -> None:
        """Compare again with these calls paired."""
        self._align((*(other for other in self.by_hand if not other.contradicts(call)), call))

    def unalign(self) -> None:
        """Remove the last pair that was made by hand."""
        self._align(self.by_hand[:-1])

    def _align(self, pairs: tuple[HandCall, ...]) -> None:
        self._pairs.make(pairs, self._compared)
        self._asked = ()
        self._ask_again()

    def _ask_again(self) -> None:
        if not self.sides:
            return
        sent = tuple(bodies(self.files, self.goldens, ref) for ref in self.sides)
        if not all(sent):
            self.notice = tr("This golden is gone."), tr("Ctrl+Z brings it back.")
            self.rows, self._asked, self.busy = None, (), False
            self.rows_changed.emit()
            return
        if sent == self._asked:
            return
        self._asked, self.busy = sent, True
        self._jobs.ask(Comparer, Order(sent, *self._pairs.sent(sent)), self._take)

    def _take(self, answer: Answer) -> None:
        self.busy = False
        if not self._asked:
            return  # it is gone by now
        if not isinstance(answer.value, PackedRows) or not self.sides:
            self.notice = answer.sentence or tr("This could not be compared."), tr("Select it again to try again.")
            self.rows = None
            self.rows_changed.emit()
            return
        is_first = self.rows is None
        before = self.rows.identity(self.current) if self.rows is not None and self.row is not None else None
        self.rows, self._compared = ComparedRows(answer.value, self.shown), self._asked
        self._pairs.shown = answer.value.by_hand
        if is_first:
            self._go_first()
        elif before is not None:
            self._go_back(before)
        if not self.rows.shows(self.current):
            self.current, self.value = max(self.rows.nearest(self.current), 0), -1
        self.rows_changed.emit()
        self.current_changed.emit()
        if is_first:
            self.opened.emit()

    def _go_first(self) -> None:
        """Go to the selected turn, else to the one in which the sides diverge."""
        selection, rows, first = self._selection.value, self.rows, self.first_divergence
        inside = side_of(self.files, self.sides, selection)
        self.current, self.value = rows.turn_head(first) if rows is not None and first >= 0 else 0, -1
        self._go_to_turn(selection, -1 if inside is None else inside)

    def _go_back(self, identity: Hashable) -> None:
        """Go to the same row of new rows, found by what the runs have there, which an edit does not change."""
        if self.rows is not None:
            self.current = self.rows.again(identity, self.current)
        row = self.row
        if row is not None and self.value >= len(row.values):
            self.value = -1
