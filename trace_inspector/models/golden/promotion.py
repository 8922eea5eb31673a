"""Makes goldens of the selection: the choices with their defaults, a preview, and the undo step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.golden.expectation_kinds import EXPECTATIONS, ExpectationKind, default_expectations
from trace_inspector.core.golden.golden_formats import GOLDEN_FORMATS, USUAL_FORMAT
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.verdicts import Verdicts
from trace_inspector.models.files.files import Files
from trace_inspector.models.files.multi_selection import MOST_BYTES, Picked, recorded, size_of
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.work.golden.bulk_requests import (
    ChangePreview,
    CopyHere,
    Making,
    NewSuite,
    PreviewChange,
    Promote,
    PromoteCall,
    PromoteInto,
    Recorded,
)
from trace_inspector.work.golden.requests import Ask, EditedFileState
from trace_inspector.work.processes.request_child import Answer

CALL = "call"
_OF_THE_END = frozenset({"answers", "final_state"})
_ENDINGS = {"adk-eval-set": ".evalset.json"}
_TOO_MUCH = "This is too much to promote at once ({0:,} MB of {1:,}). Select fewer conversations."


class Promotion(QObject):
    """The choices of a person; `changed` when the choices or their preview changed."""

    changed = Signal()

    def __init__(
        self,
        files: Files,
        selection: CurrentSelection,
        verdicts: Verdicts,
        goldens: Goldens,
        some: Sequence[Picked],
        last: str = "",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._files = files
        self._selection = selection
        self._verdicts = verdicts
        self._goldens = goldens
        self._asked = 0  # only what was asked last counts
        self.picked = tuple(some)
        self.preview: ChangePreview | None = None
        self.sentence = ""
        self.copies = all(picked.is_golden for picked in some)
        self.moves = False
        self.whole = not any(picked.turns for picked in some)
        self.targets = targets_of(files, {picked.file.number for picked in some} if self.copies else set())
        self.target = next((file for file in self.targets if str(file.path) == last), None)
        self.target = self.target or next(iter(self.targets), None)
        self.format = USUAL_FORMAT
        self.path = str(proposed_path(some[0].file.path, self.format)) if some else ""
        self.name = ""
        self.into: str | None = None  # the place of a case that is there
        self.way = "append"
        self.faults: Mapping[tuple[int, int], int] = {}  # the first wrong call of turns, by file and row
        self.wants = default_expectations(self.target_format)
        files.renewed.connect(self._follow_rows)
        self._propose()

    def _follow_rows(self, number: int) -> None:
        """What is picked of a file that grows has other rows now."""
        file = self._files.get(number)
        if file is None or file.growth is None:
            return
        now = file.growth.row_now
        self.picked = tuple(
            replace(each, top=now(each.top), call=now(each.call) if each.call != TOP else TOP)
            if each.file is file
            else each
            for each in self.picked
            if each.file is not file or now(each.top) != TOP
        )
        self.faults = {(of, now(row) if of == number else row): call for (of, row), call in self.faults.items()}

    # Choices

    def expect_right_calls(self, faults: Mapping[tuple[int, int], int]) -> None:
        """Expect of turns the calls before the first wrong one alone: what came after it is not known to be right."""
        self.faults = faults
        self.wants = self._usual_wants()

    def _usual_wants(self) -> frozenset[str]:
        return default_expectations(self.target_format) - (_OF_THE_END if self.faults else frozenset())

    @property
    def target_format(self) -> str:
        """The format of the new goldens."""
        return self.target.format if self.target is not None else self.format

    @property
    def expectable(self) -> list[ExpectationKind]:
        """The expectations that the target's format can store."""
        return [
            expectation
            for expectation in EXPECTATIONS
            if not expectation.formats or self.target_format in expectation.formats
        ]

    @property
    def single(self) -> Picked | None:
        """The conversation, where only one is selected."""
        return self.picked[0] if len(self.picked) == 1 else None

    @property
    def cases(self) -> list[tuple[str, str]]:
        """Place and name of each case of the target, the matching one first."""
        if self.target is None:
            return []
        table, match = self.target.table, self._match()
        goldens = (top for top in table.tops if table.kind(top) is Kind.CASE)
        listed = [(place, table.label(top)) for top in goldens if (place := table.place_now(top)) is not None]
        return sorted(listed, key=lambda place_and_name: place_and_name[0] != match)

    def choose_target(self, target: OpenFile | None) -> None:
        """Choose the target file, None for a new one; expectations become the defaults of its format."""
        before = self.target_format
        self.target = target
        self.moves = self.moves and target is not None  # into a file that is written anew goes a copy
        if self.target_format != before:
            self.wants = self._usual_wants()
        self._propose()
        self.ask()

    def choose(self, **choices: object) -> None:
        """Set another choice by the name of its attribute."""
        for name, value in choices.items():
            setattr(self, name, value)
        if "format" in choices:
            self.path = str(proposed_path(Path(self.path), self.format))
            self.wants = self._usual_wants()
        if choices.get("into", "") is None and self.way == CALL:
            self.way = "append"
        self.ask()

    def renew(self, golden: Picked) -> None:
        """Propose that a golden expects whole turns of the run instead of its own."""
        self.into, self.way = golden.place, "replace"

    def set_expectation(self, name: str, *, expected: bool) -> None:
        """Choose whether to expect something."""
        self.wants = self.wants | {name} if expected else self.wants - {name}
        self.ask()

    def _propose(self) -> None:
        """Propose the paired golden for a turn that it lacks; a new golden for everything else."""
        picked, match = self.single, self._match()
        self.into, self.way = None, "append"
        if picked is None or self.copies or match is None or not picked.turns:
            return
        if picked.call != TOP:
            self.into, self.way = match, CALL
        elif not any(self._golden_turn(picked, turn) is not None for turn in picked.turns):
            self.into = match

    def _match(self) -> str | None:
        """The case of the target that the run compared the conversation with, or the one with its id."""
        picked, target = self.single, self.target
        if picked is None or target is None or self.copies:
            return None
        verdict = self._verdicts.case(picked.file.number, picked.top) or picked.file.reported.case(picked.top)
        if verdict is None:
            return None
        if verdict.golden_path == str(target.path):
            return verdict.golden_place
        table = target.table
        return next((table.place_now(top) for top in table.tops if table.name(top) == verdict.case_id), None)

    def _golden_turn(self, picked: Picked, turn: int) -> int | None:
        row = picked.table.turns(picked.top)[turn]
        judged = self._verdicts.turn(picked.file.number, row)
        return judged.golden_index if judged is not None else None

    # Preview

    @property
    def verdict(self) -> Status | None:
        """The status of the only conversation."""
        return _fared(self._verdicts, self.single) if self.single is not None else None

    @property
    def is_lossy(self) -> bool:
        """Whether something would be lost irrecoverably."""
        return self.preview is not None and any(loss.severity.value == "error" for loss in self.preview.losses)

    @property
    def waiting(self) -> bool:
        """Whether the preview is not there yet."""
        return self.preview is None and not self.sentence

    def leave(self) -> None:
        """Ignore a preview that is still being made."""
        self._asked += 1

    def ask(self) -> None:
        """Ask for a preview of the choices."""
        self._asked += 1
        self.preview, self.sentence = None, self._refusal()
        if not self.sentence:
            file, what = self._request()
            for number in {file, *({picked.file.number for picked in self.picked} if self.copies else ())} - {0}:
                if self._files.by_number[number].format in GOLDEN_FORMATS:
                    self._goldens.begin(number)
            if isinstance(what, PromoteCall):
                self.preview = ChangePreview()
            else:
                asked = what if isinstance(what, NewSuite) else PreviewChange(what)
                self._goldens.ask(file, Ask(file, asked), partial(self._take, self._asked))
        self.changed.emit()

    def _take(self, number: int, answer: Answer) -> None:
        if number == self._asked:
            if isinstance(answer.value, ChangePreview):
                self.preview = answer.value
            self.sentence = answer.sentence
            self.changed.emit()

    def _refusal(self) -> str:
        if not self.picked:
            return tr("Nothing is selected that could become a golden. Select a conversation or turns.")
        size = size_of(self.picked)
        if size > MOST_BYTES:
            return tr(_TOO_MUCH).format(size >> 20, MOST_BYTES >> 20)
        if self.target is None and Path(self.path).exists():
            return tr("A file of this name exists already. Choose another name, or open that file.")
        return ""

    def _request(self, path: str = "") -> tuple[int, Promote | PromoteInto | PromoteCall | CopyHere | NewSuite]:
        """The target file, 0 for a new one, and the request."""
        what = self._copy() if self.copies else Promote(self._recorded(), self.wants, self.name)
        if self.target is None:
            if isinstance(what, CopyHere):
                return 0, NewSuite(self.format, path, copy=what)
            return 0, NewSuite(self.format, path, promote=what)
        number, picked = self.target.number, self.single
        if self.into is None or picked is None or isinstance(what, CopyHere):
            return number, what
        if self.way == CALL and picked.call != TOP:
            turn = picked.turns[0]
            golden_turn = self._golden_turn(picked, turn) or 0
            return number, PromoteCall(
                what.recorded[0], turn, picked.table.call_index(picked.call), self.into, golden_turn, ""
            )
        return number, PromoteInto(what.recorded[0], self.wants, self.into, self.way)

    def _copy(self) -> CopyHere:
        source = self.picked[0].file
        if source.format in GOLDEN_FORMATS:
            return CopyHere(source.number, self._places())
        return CopyHere(0, (), tuple(recorded(picked, (), None) for picked in self.picked))

    def _places(self) -> tuple[str, ...]:
        """The places now of those that were not deleted."""
        return tuple(place for picked in self.picked if (place := picked.place) is not None)

    def _recorded(self) -> tuple[Recorded, ...]:
        return tuple(
            recorded(picked, () if self.whole else picked.turns, _fared(self._verdicts, picked), self._faults(picked))
            for picked in self.picked
        )

    def _faults(self, picked: Picked) -> Mapping[int, int]:
        if not self.faults:
            return {}
        number, rows = picked.file.number, picked.table.turns(picked.top)
        return {turn: self.faults[number, rows[turn]] for turn in picked.turns if (number, rows[turn]) in self.faults}

    # The step

    @property
    def words(self) -> str:
        """The name of the undo step."""
        verb = tr("Move") if self.moves else tr("Copy") if self.copies else tr("Promote")
        picked = self.single
        return f"{verb} “{picked.name}”" if picked is not None else f"{verb} {counted(len(self.picked), 'case')}"

    def make(self, then: Callable[[str], None]) -> None:
        """Make the goldens as one undo step, and select the golden; `then` gets a sentence about the result."""
        file, what = self._request(self.path)
        if isinstance(what, NewSuite):
            self._goldens.ask(0, Ask(0, what), partial(self._written, then))
            return
        about = (what.place,) if isinstance(what, PromoteInto | PromoteCall) else ()

        def asked(now: Mapping[str, str]) -> Making | None:
            if isinstance(what, PromoteInto | PromoteCall):
                return replace(what, place=now[what.place]) if what.place in now else None
            return what

        self._goldens.make(file, self.words, asked, about, partial(self._made, file, then))

    def _written(self, then: Callable[[str], None], answer: Answer) -> None:
        if not answer.sentence:
            self._files.open([self.path])
            then(tr("{0} is written.").format(Path(self.path).name))

    def _made(self, file: int, then: Callable[[str], None], stand: EditedFileState) -> None:
        shown = self._files.get(file)
        if shown is None or not stand.moved:
            return
        if self.moves and self.copies:  # only now: what was refused there stays here
            leaving = self._places()
            self._goldens.arrange(
                self.picked[0].file.number, self.words, lambda now: [place for place in now if place not in leaving]
            )
        before = self._selection.value
        self._selection.select(Selection(file))  # so that it can be saved at once; the golden follows with its rows
        count = len(stand.cases)
        then(
            tr("{0} of {1} is changed. Save it with Ctrl+S.").format(counted(count, "golden"), shown.name)
            if self.into is not None
            else tr("{0} added to {1}. Save it with Ctrl+S.").format(counted(count, "golden"), shown.name)
        )
        if stand.cases:
            place = stand.cases[0].place
            if before is not None and before.file != file:
                self._files.remember_before(file, place, before)
            self._goldens.settled(lambda: show_case(self._files, self._selection, file, place))


def targets_of(files: Files, without: set[int]) -> list[OpenFile]:
    """The open files that can take goldens."""
    return [
        file
        for file in files
        if file.format in GOLDEN_FORMATS and file.state is FileState.READY and file.number not in without
    ]


def proposed_path(near: Path, format_name: str) -> Path:
    """An unused path for a new file in the folder of an open one."""
    ending = _ENDINGS.get(format_name, ".json")
    names = ("goldens" if number == 1 else f"goldens-{number}" for number in range(1, 100))
    return next((path for name in names if not (path := near.parent / f"{name}{ending}").exists()), near)


def show_case(files: Files, selection: CurrentSelection, file: int, place: str) -> None:
    """Select the case at a place, as soon as the rows show it."""
    shown = files.get(file)
    if shown is not None:
        # The only case of a document that is nothing else has no place.
        row = shown.table.row_near(place) if place else next(iter(shown.table.tops), TOP)
        selection.select(Selection(file, row))


def _fared(verdicts: Verdicts, picked: Picked) -> Status | None:
    """The status of a conversation: from the run, else from its file; None where there is no verdict."""
    verdict = verdicts.case(picked.file.number, picked.top) or picked.file.reported.case(picked.top)
    return verdict.status if verdict is not None else None
