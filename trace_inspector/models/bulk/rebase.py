"""A rebase while a person decides it: rows from the child, decisions with exceptions, verdicts before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.rebasing.rule import Decided, RebaseDecision
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.work.golden.rebase_requests import (
    DecideRebase,
    LoadDecisions,
    ProposeRebase,
    RebaseHere,
    RebaseLine,
    RebaseMarks,
    RebasePreview,
    SaveDecisions,
)
from trace_inspector.work.processes.request_child import Answer

_CHARS = 200
_MOST_NAMES = 1_000  # by which runs are known that fit the goldens
MOST_CASES = 2_000  # below one row that are listed; decisions are about all of them
RowPath = tuple[int, ...]


class RebaseRecord(Struct, frozen=True):
    """A line of the list: a row by its path, or a case of it."""

    path: RowPath
    line: RebaseLine
    case: str = ""

    @property
    def depth(self) -> int:
        """How far it is indented."""
        return len(self.path) - 1 + bool(self.case)

    @property
    def can_loosen(self) -> bool:
        """Whether a rule can take the difference."""
        return self.line.matcher is not None


class RebaseEdit(QObject):
    """`changed` when there are other rows, `marked` when decisions or verdicts are others."""

    changed = Signal()
    marked = Signal()

    def __init__(self, goldens: Goldens, files: Sequence[OpenFile], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._goldens = goldens
        self._asked = self._judged = 0
        self.files = tuple(files)
        self.scope: tuple[int, ...] = tuple(file.number for file in files[:1])
        self.base, self.new = "", ""
        self.lines: tuple[RebaseLine, ...] = ()
        self.notes: tuple[str, ...] = ()
        self.marks: RebaseMarks | None = None
        self.waiting = False
        self.judging = False
        self.sentence_of_refusal = ""
        self.opened: set[RowPath] = set()
        self._decisions: dict[RowPath, RebaseDecision] = {}
        self._exceptions: dict[RowPath, dict[str, RebaseDecision]] = {}
        self._matchers: dict[RowPath, Matcher] = {}  # those of a file; others are proposed

    # What is compared

    def set_scope(self, scope: Sequence[int]) -> None:
        """Choose the files to rebase."""
        self.scope = tuple(scope)
        self.ask()

    def set_runs(self, base: str, new: str) -> None:
        """Choose the run from before the change, and the one from after."""
        if (base, new) != (self.base, self.new):
            self.base, self.new = base, new
            self.ask()

    def ask(self) -> None:
        """Ask for the rows; decisions on those before are gone."""
        self._asked += 1
        self.lines, self.notes, self.marks = (), (), None
        self.opened.clear()
        self._decisions.clear()
        self._exceptions.clear()
        self._matchers.clear()
        self.sentence_of_refusal = ""
        self.waiting = bool(self.scope and self.base and self.new)
        if self.waiting:
            for number in self.scope:
                self._goldens.begin(number)
            asked = ProposeRebase(self.scope, self.base, self.new)
            self._goldens.ask(self.scope[0], asked, partial(self._take, self._asked))
        self.changed.emit()

    def leave(self) -> None:
        """Ignore answers that are still coming: nobody looks at them any more."""
        self._asked += 1
        self._judged += 1

    # The list

    @property
    def records(self) -> list[RebaseRecord]:
        """The lines that are unfolded."""
        return [record for number, line in enumerate(self.lines) for record in self._below((number,), line)]

    def can_open(self, record: RebaseRecord) -> bool:
        """Whether a line can be unfolded."""
        return not record.case

    def toggle(self, record: RebaseRecord, *, to: bool) -> None:
        """Unfold a line, or fold it."""
        if self.can_open(record) and (record.path in self.opened) is not to:
            self.opened ^= {record.path}
            self.changed.emit()

    def _below(self, path: RowPath, line: RebaseLine) -> Iterator[RebaseRecord]:
        yield RebaseRecord(path, line)
        if path not in self.opened:
            return
        if line.lines:
            for number, inner in enumerate(line.lines):
                yield from self._below((*path, number), inner)
        else:
            yield from (RebaseRecord(path, line, case) for case in line.cases[:MOST_CASES])

    # Decisions

    def decision(self, record: RebaseRecord) -> RebaseDecision:
        """What is decided about a line, itself or around it; a conflict only for its case, or by rejecting.

        Where only its runs disagree, a rule for the row is enough.
        """
        own = self._exceptions.get(record.path, {}).get(record.case) if record.case else None
        around = next(
            (
                self._decisions[record.path[:length]]
                for length in range(len(record.path), 0, -1)
                if record.path[:length] in self._decisions
            ),
            RebaseDecision.LATER,
        )
        takes = around is not RebaseDecision.REJECT
        by_rule = around is RebaseDecision.LOOSEN and record.case in record.line.varying
        if own is None and record.case in record.line.conflicts and takes and not by_rule:
            return RebaseDecision.LATER
        return own or around

    def is_mixed(self, record: RebaseRecord) -> bool:
        """Whether something below a line is decided otherwise."""
        below = (path for path in (*self._decisions, *self._exceptions) if path[: len(record.path)] == record.path)
        return not record.case and any(path != record.path or path in self._exceptions for path in below)

    def decide(self, record: RebaseRecord, decision: RebaseDecision) -> None:
        """Decide a line with all below it, or one case of it."""
        if decision is RebaseDecision.LOOSEN and not record.can_loosen:
            return
        if record.case:
            self._exceptions.setdefault(record.path, {})[record.case] = decision
        else:
            for decided in (self._decisions, self._exceptions, self._matchers):
                for path in [path for path in decided if path[: len(record.path)] == record.path]:
                    del decided[path]
            self._decisions[record.path] = decision
        self._judge()

    def matcher(self, record: RebaseRecord) -> Matcher | None:
        """The rule by which a line is compared once it is loosened."""
        paths = (record.path[:length] for length in range(len(record.path), 0, -1))
        return next((self._matchers[path] for path in paths if path in self._matchers), record.line.matcher)

    def load(self, path: str, then: Callable[[str], None]) -> None:
        """Decide as a file of decisions does. `then` gets what came of it."""
        if self.lines:
            self._goldens.ask(
                self.scope[0], LoadDecisions(path), partial(self._take_decisions, self._asked, path, then)
            )

    def save(self, path: str, then: Callable[[str], None]) -> None:
        """Write the decisions into a file. `then` gets what came of it."""
        if self.lines:
            done = tr("The decisions are in {0}.").format(path)
            asked = SaveDecisions(path, self.decided)
            self._goldens.ask(self.scope[0], asked, lambda answer: then(answer.sentence or done))

    @property
    def decided(self) -> tuple[Decided, ...]:
        """All decisions, as a file of them has them."""
        return tuple(self._decided((number,), line) for number, line in enumerate(self.lines))

    @property
    def ready(self) -> bool:
        """Whether the rebase can be made: something changes, and what it gives is known."""
        return self.marks is not None and self.marks.changed > 0 and not self.judging

    @property
    def sentence(self) -> str:
        """What the rebase would do; also the name of the undo step."""
        count, files = (self.marks.changed, len(self.marks.files)) if self.marks is not None else (0, 0)
        words = counted(count, "golden")
        return tr("Rebase {0} in {1} files").format(words, files) if files > 1 else tr("Rebase {0}").format(words)

    def make(self, then: Callable[[str], None]) -> None:
        """Take what is decided into the goldens: one undo step for all files. `then` gets what came of it."""
        if not self.ready or self.marks is None:
            return
        sentence, making = self.sentence, RebaseHere(self.decided)
        files = self.marks.files
        names = {file.number: file.name for file in self.files}

        def made(refused: Mapping[int, str]) -> None:
            then(_outcome(sentence, len(files), {names[number]: why for number, why in refused.items()}))

        self._goldens.make_together(sentence, dict.fromkeys(files, making), made)

    def _decided(self, path: RowPath, line: RebaseLine) -> Decided:
        return Decided(
            line.rule,
            self._decisions.get(path),
            self._matchers.get(path),
            exceptions=tuple(self._exceptions.get(path, {}).items()),
            rows=tuple(self._decided((*path, number), inner) for number, inner in enumerate(line.lines)),
        )

    def _judge(self) -> None:
        self._judged += 1
        self.judging = True
        self._goldens.ask(self.scope[0], DecideRebase(self.decided), partial(self._take_marks, self._judged))
        self.marked.emit()

    def _take(self, number: int, answer: Answer) -> None:
        if number != self._asked:
            return
        self.waiting = False
        preview = answer.value
        self.sentence_of_refusal = answer.sentence
        if isinstance(preview, RebasePreview):
            self.lines, self.notes = preview.lines, preview.notes
            self._judge()
        self.changed.emit()

    def _take_decisions(self, number: int, path: str, then: Callable[[str], None], answer: Answer) -> None:
        if number != self._asked:
            return
        if isinstance(answer.value, tuple):
            for decided in (self._decisions, self._exceptions, self._matchers):
                decided.clear()
            for row, own in enumerate(answer.value):
                self._keep((row,), own)
            self._judge()
        then(answer.sentence or tr("Decided as in {0}.").format(path))

    def _keep(self, path: RowPath, decided: Decided) -> None:
        if decided.decision is not None:
            self._decisions[path] = decided.decision
        if decided.exceptions:
            self._exceptions[path] = dict(decided.exceptions)
        if decided.matcher is not None:
            self._matchers[path] = decided.matcher
        for number, inner in enumerate(decided.rows):
            self._keep((*path, number), inner)

    def _take_marks(self, number: int, answer: Answer) -> None:
        if number == self._judged:
            self.judging = False
            self.marks = answer.value if isinstance(answer.value, RebaseMarks) else None
            self.sentence_of_refusal = answer.sentence
            self.marked.emit()


def runs_among(files: Sequence[OpenFile]) -> list[OpenFile]:
    """The open files that may be a run: those with conversations, then eval sets, each the oldest first."""
    able = [file for file in files if file.state is FileState.READY and (file.has_traces or file.has_suites)]
    return sorted(able, key=lambda file: (not file.has_traces, _written_s(file.path)))


def proposed_runs(runs: Sequence[OpenFile], golden: OpenFile) -> list[OpenFile]:
    """The runs that are proposed, the newest last: those that have a case of the golden, and conversations."""
    wanted = set(_names(golden))
    fits = [file for file in runs if file is not golden and not wanted.isdisjoint(_names(file))]
    traces = [file for file in fits if file.has_traces]
    return traces or fits or [file for file in runs if file.has_traces]


def _names(file: OpenFile) -> Iterator[str]:
    """The names of the first conversations, cases, and what they stand in."""
    table = file.table
    for top in table.tops[:_MOST_NAMES]:
        yield table.name(top)
        yield from (table.name(row) for row in table.children(top)[:_MOST_NAMES] if table.kind(row) is Kind.CASE)


def _written_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _outcome(sentence: str, files: int, refused: Mapping[str, str]) -> str:
    """What a rebase came to: of some files it may be refused, and then the step is about the others."""
    if not refused:
        return tr("{0}: done. Ctrl+Z undoes it.").format(sentence)
    why = "; ".join(f"{name}: {one_line(reason, _CHARS)}" for name, reason in refused.items())
    if len(refused) == files:
        return tr("{0}: not done. {1}").format(sentence, why)
    return tr("{0}: done in {1} of {2} files, which Ctrl+Z undoes. {3}").format(
        sentence, files - len(refused), files, why
    )
