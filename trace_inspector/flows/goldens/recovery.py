"""Find and recover unsaved edits of processes that ended."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, ReadError
from trace_inspector.core.golden.recoverable_edits import OnDisk, Recoverable, RecoverableEdits
from trace_inspector.documents.base.document import Document, Stamp
from trace_inspector.documents.editing.splice import patched
from trace_inspector.documents.packing.packing import Packing
from trace_inspector.documents.reading.reading import parse, read
from trace_inspector.documents.saving.edit_count import EditCount
from trace_inspector.documents.saving.history import History
from trace_inspector.documents.saving.journal import SUFFIX, look, take_over
from trace_inspector.documents.saving.journal_format import Journal, UnfinishedError, digest_of
from trace_inspector.flows.goldens.edit_session import EditSession, Written
from trace_inspector.flows.goldens.recoverable_drafts import with_drafts
from trace_inspector.settings import journal_folder


def find_recoverable() -> RecoverableEdits:
    """Search the journals. Those with nothing to recover, because all was saved or undone, are removed."""
    edits: list[Recoverable] = []
    problems: list[str] = []
    locked: list[Path] = []
    for path in _journals():
        try:
            journal = look(path)
            edit = recoverable(path, journal) if journal else None
        except UnfinishedError:
            _remove(path)
        except InspectorError as problem:
            problems.append(str(problem))
        else:
            locked += [path] if journal is None else []
            edits += [edit] if edit else []
    edits.sort(key=lambda edit: -edit.last_s)
    together, unreadable, waiting = with_drafts(edits, locked)
    return RecoverableEdits(together, (*problems, *unreadable), len(locked) + waiting)


def recoverable_of_process(process: int, file: Path, journal: str) -> Recoverable | None:
    """The unsaved edits of a file by a certain process, in this journal or another one; None where all was saved.

    Undone edits count as well: they can be redone.
    """
    for path in sorted(_journals(), key=_written_s, reverse=True):
        content = None
        with suppress(InspectorError):
            content = look(path)
        mine = content is not None and (str(path) == journal or content.origin.process == process)
        if content is not None and mine and content.origin.path == str(file.absolute()):
            return _unless_saved(path, content)
    return None


def state_at(edits: Recoverable, records: int) -> Document | None:
    """The document after the first `records` changes; None while another process has the journal."""
    journal = look(edits.journal)
    if journal is None:
        return None
    return _replayed(replace(journal, records=journal.records[:records]), _base(journal))[0]


def recover(edits: Recoverable, written: Written) -> EditSession:
    """Apply the edits again and continue their session. Where the file changed meanwhile, save under another name."""
    taken = take_over(edits.journal)
    if taken is None:
        raise ReadError("Another window recovers these edits already.", path=str(edits.file))
    writer, journal = taken
    try:
        base = _base(journal)
        document, history = _replayed(journal, base)
    except BaseException:
        writer.close()
        raise
    return EditSession.recovered(base, document, history, writer, journal.records, written)


def _journals() -> list[Path]:
    try:
        return sorted(journal_folder().glob(f"*{SUFFIX}"))
    except OSError:
        return []


def recoverable(path: Path, journal: Journal) -> Recoverable | None:
    """What can be recovered from a journal; it is removed where that is nothing."""
    on_disk, current = _on_disk(journal)
    if (journal.torn or not journal.note) and _is_settled(journal, current):
        _remove(path)
        return None
    return _recoverable(path, journal, on_disk)


def _unless_saved(path: Path, journal: Journal) -> Recoverable | None:
    on_disk, current = _on_disk(journal)
    edited = _replayed(journal, _base(journal))[0].data
    if current is not None and current.data == edited and on_disk is not OnDisk.SAME:
        _remove(path)
        return None
    return _recoverable(path, journal, on_disk)


def _recoverable(path: Path, journal: Journal, on_disk: OnDisk) -> Recoverable:
    records, edits = len(journal.records), max(EditCount.of(journal.records).edits, 1)
    return Recoverable(path, Path(journal.origin.path), records, edits, _written_s(path), on_disk, journal.note)


def _written_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _on_disk(journal: Journal) -> tuple[OnDisk, Document | None]:
    file = Path(journal.origin.path)
    try:
        current = read(file)
    except ReadError:
        return (OnDisk.CHANGED if file.exists() else OnDisk.GONE), None
    same = digest_of(current.data) == journal.origin.digest
    return (OnDisk.SAME if same else OnDisk.CHANGED), current


def _is_settled(journal: Journal, current: Document | None) -> bool:
    """Whether nothing is left to recover: all was undone, or the file is as the edits would leave it."""
    if not journal.records:
        return True
    try:
        document, _ = _replayed(journal, _base(journal))
    except InspectorError:
        return False
    is_saved = current is not None and document.data == current.data
    return is_saved or digest_of(document.data) == journal.origin.digest


_NO_STAMP = Stamp(-1, -1, -1)  # matches no file, so that nothing is saved over what is there now


def _base(journal: Journal) -> Document:
    """The document that was edited: the file if it is still the same, else the copy in the journal."""
    on_disk, current = _on_disk(journal)
    if current is not None and on_disk is OnDisk.SAME:
        return current
    origin = journal.origin
    if journal.copy is None:
        sentence = "The file is not the one that was edited any more, and was too large for a copy. Bring it back."
        raise ReadError(sentence, path=origin.path)
    # Gzip or Zstandard is kept. For the member of an archive nothing is, so that a save asks before it overwrites.
    layer = current.packing.layer if current is not None and current.packing is not None else None
    packing = Packing(layer) if layer is not None else None
    return parse(journal.copy, Path(origin.path), stamp=origin.stamp or _NO_STAMP, packing=packing)


def _replayed(journal: Journal, base: Document) -> tuple[Document, History]:
    history = History()
    for record in journal.records:
        history.take(record.move, record.change, group=record.group)
    return patched(base, *(patch for record in journal.records for patch in record.change)), history
