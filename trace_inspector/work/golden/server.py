"""In a child that stays: edits goldens, with each change journalled before the answer.

The window never waits for it, and edits survive a crash of either process.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import singledispatchmethod
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import ChangedOnDiskError, EditError, ReadError, Stopped
from trace_inspector.core.finding import Finding, Severity, warning
from trace_inspector.core.golden.recoverable_edits import Recoverable, RecoverableEdits
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.editing.places import with_places
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.saving.changed_lines import changed_lines
from trace_inspector.documents.text.patch import difference
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.forgotten_edits import bring_back, drop_expired, forget, forgotten
from trace_inspector.flows.goldens.golden_session import GoldenSession, Moved
from trace_inspector.flows.goldens.recovery import find_recoverable, recover, recoverable_of_process, state_at
from trace_inspector.flows.goldens.renewal import renewal
from trace_inspector.formats import recognise
from trace_inspector.formats.common.format import Format, Source
from trace_inspector.work.golden import merging as golden_merging
from trace_inspector.work.golden.bulk_actions import answer, made
from trace_inspector.work.golden.rebase_requests import (
    DecideRebase,
    LoadDecisions,
    ProposeRebase,
    RebaseHere,
    SaveDecisions,
)
from trace_inspector.work.golden.rebasing import Rebasing
from trace_inspector.work.golden.requests import (
    Arrange,
    ArrivedLate,
    Ask,
    Begin,
    BringBack,
    Change,
    Clash,
    CompareWithDisk,
    EditedFileState,
    Forecast,
    ForecastSave,
    Forget,
    Go,
    GoOn,
    Learn,
    Leave,
    Lines,
    ListChangedLines,
    ListForgotten,
    ListRecoverable,
    Make,
    Merged,
    MergePreview,
    Request,
    Revert,
    RunShown,
    Save,
    SendRows,
    TakeUp,
    Trouble,
    Unreached,
)
from trace_inspector.work.golden.rescoring import Scores, lines_of
from trace_inspector.work.processes.child import Channel
from trace_inspector.work.processes.syncing import Syncer
from trace_inspector.work.reading.row_sender import send_document

MOST_FINDINGS = 100


def save(session: EditSession, asked: Save, note: Callable[[str], object]) -> Clash | None:
    """Save; a Clash where the file has changed on disk."""
    try:
        session.save(Path(asked.path) if asked.path else None, force=asked.force, note=note)
    except ChangedOnDiskError as problem:
        return Clash(asked.file, str(problem))
    return None


def with_saved(stand: EditedFileState, saved: Document) -> EditedFileState:
    """The state, with path, digest and stamp of the file on disk."""
    digest = hashlib.sha256(saved.data).hexdigest()
    member = saved.packing.record if saved.packing is not None else None
    stamp = member.contents if member is not None else saved.stamp
    return replace(stand, path=str(saved.path), digest=digest, stamp=stamp)


def forecast(session: EditSession, file_format: Format, asked: ForecastSave) -> Forecast:
    """What the system of the format may refuse, and what a save under another name renews."""
    document = session.state.document
    items = file_format.read(Source(document.value, document.path.name))
    findings = [item for item in items if isinstance(item, Finding) and item.severity is not Severity.INFO]
    first = tuple(with_places(document, tuple(findings[:MOST_FINDINGS])))
    removed = renewal(session.saved, document, Path(asked.path)) if asked.path else ()
    renewed = {edit.pointer.rpartition("/")[0] for edit in removed}
    return Forecast(asked.file, file_format.system, first, len(findings), len(renewed))


MOST_LINES = 400
MOST_BYTES = 64 << 20  # of a file to be edited: each change copies its bytes
_CHANGED = "The file is another one on disk than the one that is shown. Reload it with Ctrl+R, and then edit it."
_TOO_LARGE = "The file is too large to be edited here ({0:,} MB of {1:,}). Divide it into several, and edit those."

_UNREACHED = (
    "This step is not known any more, because the process that made it ended after a save. Edit by hand instead."
)


def golden_server(channel: Channel) -> Callable[[Request], object]:
    """Answers requests about edited files."""
    syncer = Syncer(lambda sentence: channel.send(Trouble(sentence)))
    syncer.start()
    return _GoldenServer(channel, syncer).do


class _Edited(Struct):
    """One file: its session, and its verdicts."""

    golden: GoldenSession
    scores: Scores = field(default_factory=Scores)
    merging: golden_merging.Merging | None = None


class _GoldenServer:
    """The edited files, by the window's numbers for them."""

    def __init__(self, channel: Channel, syncer: Syncer) -> None:
        self._channel = channel
        self._syncer = syncer
        self._files: dict[int, _Edited] = {}
        self._ground: RunShown | None = None
        self._rebasing = Rebasing(self._golden)

    @singledispatchmethod
    def do(self, request: object) -> object:
        """Answer a request."""
        raise TypeError(request)

    @do.register
    def _begin(self, asked: Begin) -> EditedFileState:
        return self._begun(asked)

    def _begun(self, asked: Begin) -> EditedFileState:
        if asked.file not in self._files:
            document = read(Path(asked.path))
            if asked.digest and hashlib.sha256(document.data).hexdigest() != asked.digest:
                raise ReadError(_CHANGED, path=asked.path)
            if len(document.data) > MOST_BYTES:
                most, size = MOST_BYTES >> 20, len(document.data) >> 20
                raise EditError(_TOO_LARGE.format(size, most), path=asked.path)
            self._take(asked.file, EditSession(document, self._syncer.soon))
        return self._stand(asked.file, self._files[asked.file])

    @do.register
    def _take_up(self, asked: TakeUp) -> EditedFileState:
        mine = next((edits for edits in find_recoverable().recoverable if asked.journal == str(edits.journal)), None)
        if mine is None:
            raise ReadError("These edits are no longer there: another window took them up.", path=asked.path)
        edited = self._recovered(asked.file, mine)
        stand = self._wholly(self._stand(asked.file, edited), edited)
        return replace(stand, edit_sizes=edited.golden.session.edit_sizes)

    @do.register
    def _go_on(self, asked: GoOn) -> EditedFileState:
        mine = recoverable_of_process(asked.process, Path(asked.path), asked.journal)
        before = state_at(mine, asked.records) if mine is not None else None
        if mine is None or before is None:
            if asked.saved_as and asked.records:
                stand = self._begun(Begin(asked.file, asked.saved_as, ""))
                return self._wholly(stand, self._files[asked.file])
            stand = self._begun(Begin(asked.file, asked.path, asked.digest))
            return with_saved(stand, self._files[asked.file].golden.session.saved)
        edited = self._recovered(asked.file, mine)
        if asked.journal not in ("", str(mine.journal)):  # a new journal, without the reported changes
            return self._wholly(self._stand(asked.file, edited), edited)
        stand = self._stand(asked.file, edited, edited.golden.since(before.value))
        return with_saved(stand, edited.golden.session.saved)

    def _recovered(self, file: int, mine: Recoverable) -> _Edited:
        return self._take(file, recover(mine, self._syncer.soon))

    @staticmethod
    def _wholly(stand: EditedFileState, edited: _Edited) -> EditedFileState:
        """The state with all cases and the saved file."""
        stand = replace(stand, cases=tuple(map(edited.golden.case, stand.places)))
        return with_saved(stand, edited.golden.session.saved)

    @do.register
    def _left_behind(self, _asked: ListRecoverable) -> RecoverableEdits:
        drop_expired(time.time())
        return find_recoverable()

    @do.register
    def _forget(self, asked: Forget) -> Path | None:
        return forget(Path(asked.journal), Path(asked.drafts) if asked.drafts else None)

    @do.register
    def _forgotten(self, _asked: ListForgotten) -> tuple[Recoverable, ...]:
        return forgotten()

    @do.register
    def _bring_back(self, asked: BringBack) -> Path:
        try:
            return bring_back(Path(asked.journal))
        except OSError as problem:
            raise ReadError("These edits are no longer there.", path=asked.journal) from problem

    def _take(self, file: int, session: EditSession) -> _Edited:
        # An emptied document still has the format of its file.
        file_format = recognise(session.state.document.value) or recognise(session.saved.value)
        if file_format is None or file_format.editing is None:
            session.close()
            title = file_format.title if file_format is not None else "this kind"
            sentence = f"Goldens of {title} cannot be edited here. Convert the file, and edit the new one."
            raise EditError(sentence, path=str(session.state.document.path))
        edited = self._files[file] = _Edited(GoldenSession(session, file_format))
        if self._ground is not None:
            edited.scores.begin(self._ground, session.saved)
        return edited

    @do.register
    def _stand_on(self, message: RunShown) -> None:
        self._ground = message
        for edited in self._files.values():
            edited.scores.begin(message, edited.golden.session.state.document)

    @do.register
    def _learn(self, asked: Learn) -> None:
        edited = self._edited(asked.file)
        edited.scores.learn(asked.judged, edited.golden)

    @do.register
    def _arrived_late(self, asked: ArrivedLate) -> EditedFileState:
        edited = self._edited(asked.file)
        edited.scores.learn_late(asked.judged, asked.place, edited.golden)
        there = asked.place in edited.golden.places
        rescored = tuple(edited.scores.again([edited.golden.case(asked.place)] if there else []))
        return replace(self._stand(asked.file, edited), rescored=rescored, metrics=lines_of(rescored))

    @do.register
    def _change(self, asked: Change) -> EditedFileState:
        edited = self._edited(asked.file)
        edited.scores.learn(asked.judged, edited.golden)
        edited.golden.session.group = asked.group
        return self._stand(asked.file, edited, edited.golden.change_many(dict(asked.changes)))

    @do.register
    def _arrange(self, asked: Arrange) -> EditedFileState:
        edited = self._edited(asked.file)
        return self._stand(asked.file, edited, edited.golden.arrange(asked.cases))

    @do.register
    def _make(self, asked: Make) -> EditedFileState:
        edited = self._edited(asked.file)
        edited.scores.learn(asked.judged, edited.golden)
        edited.golden.session.group = asked.group
        if isinstance(asked.what, RebaseHere):
            return self._stand(asked.file, edited, self._rebasing.make(asked.file, asked.what))
        return self._stand(asked.file, edited, made(asked.what, edited.golden, self._golden))

    @do.register
    def _rebase(self, asked: ProposeRebase | DecideRebase | LoadDecisions | SaveDecisions) -> object:
        return self._rebasing.answer(asked)

    @do.register
    def _ask(self, asked: Ask) -> object:
        with suppress(Stopped):  # an edit is waiting: the answer would be outdated
            return answer(asked.what, asked.file, self._golden, self._tick)
        return None

    @do.register
    def _go(self, asked: Go) -> EditedFileState | Unreached:
        edited = self._edited(asked.file)
        session = edited.golden.session
        if not -session.depth <= asked.steps <= session.depth_ahead:
            return Unreached(_UNREACHED)
        return self._stand(asked.file, edited, edited.golden.go(asked.steps))

    @do.register
    def _revert(self, asked: Revert) -> EditedFileState:
        edited = self._edited(asked.file)
        return self._stand(asked.file, edited, edited.golden.revert())

    @do.register
    def _save(self, asked: Save) -> EditedFileState | Clash:
        edited = self._edited(asked.file)
        session = edited.golden.session
        before = session.state.document
        notes: list[str] = []
        clash = save(session, asked, notes.append)
        if clash is not None:
            return clash
        warnings = tuple(warning("other-names", sentence) for sentence in notes)
        stand = replace(self._stand(asked.file, edited), losses=warnings)
        is_new = before.data != session.saved.data  # resource names of a service are not copied under another name
        return self._wholly(stand, edited) if is_new else with_saved(stand, session.saved)

    @do.register
    def _ahead(self, asked: ForecastSave) -> Forecast:
        golden = self._edited(asked.file).golden
        return forecast(golden.session, golden.format, asked)

    @do.register
    def _merge_wanted(self, asked: CompareWithDisk) -> MergePreview:
        edited = self._edited(asked.file)
        edited.merging = golden_merging.begin(edited.golden)
        return golden_merging.answer(edited.merging, asked.file)

    @do.register
    def _merged(self, asked: Merged) -> EditedFileState:
        edited = self._edited(asked.file)
        edited.golden, moved = golden_merging.put_together(edited.golden, edited.merging, asked)
        edited.merging = None
        return with_saved(self._stand(asked.file, edited, moved), edited.golden.session.saved)

    @do.register
    def _leave(self, asked: Leave) -> None:
        edited = self._files.pop(asked.file, None)
        if edited is None:
            return  # it could not be edited, and was closed
        if asked.forget:
            edited.golden.session.discard()
        edited.golden.session.close()

    @do.register
    def _rows(self, asked: SendRows) -> None:
        golden = self._edited(asked.file).golden
        document = golden.session.state.document
        with suppress(Stopped):  # an edit is waiting: the rows would be outdated
            send_document(self._channel.send, asked.file, document, golden.format, self._tick)

    def _tick(self) -> None:
        if self._channel.is_awaited:
            raise Stopped

    @do.register
    def _lines(self, asked: ListChangedLines) -> Lines:
        session = self._edited(asked.file).golden.session
        before, after = session.saved, session.state.document
        patch = difference(before.data, after.data)
        lines = changed_lines(before, after, (patch,)) if before.data != after.data else ()
        texts = tuple((line.number, line.old or "", line.new or "") for line in lines[:MOST_LINES])
        return Lines(asked.file, texts, len(lines))

    def _golden(self, file: int) -> GoldenSession:
        return self._edited(file).golden

    def _edited(self, file: int) -> _Edited:
        edited = self._files.get(file)
        if edited is None:
            raise EditError("The file is not being edited. Open it again.")
        return edited

    def _stand(self, file: int, edited: _Edited, moved: Moved | None = None) -> EditedFileState:
        """The state of a file after a change."""
        golden, moved = edited.golden, moved or Moved()
        if moved.steps:
            edited.scores.follow(moved.steps)
        places = golden.places
        there = frozenset(places)
        cases = [golden.case(place) for place in moved.cases if place in there]
        rescored = tuple(edited.scores.again(cases))
        session = golden.session
        return EditedFileState(
            file,
            session.state.is_changed,
            session.edits,
            places,
            bool(moved.steps),
            moved.steps,
            tuple(cases),
            moved.losses,
            rescored,
            lines_of(rescored),
            depth=session.depth,
            records=session.records,
            journal=str(session.journal or ""),
            process=os.getpid(),
        )
