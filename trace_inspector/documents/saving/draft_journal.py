"""Text that is being typed and is not an edit yet, on disk: the newest of each field, for as long as it waits.

It is written by the window itself, so that neither a busy process nor text that is not finished loses a key press.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.core.golden.recoverable_edits import DraftText, Spot
from trace_inspector.documents.saving.file_lock import lock
from trace_inspector.documents.saving.journal_format import framed, frames
from trace_inspector.documents.saving.saving import sync_folder

DRAFT_SUFFIX = ".drafts"
MAX_GROWTH_BYTES = 1 << 24  # of old texts, until the file begins anew
_MAGIC = b"trace-inspector drafts 1\n"
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_HEAD, _TEXT = b"h", b"t"


class Drafts(Struct, frozen=True):
    """What the journal of a process that is gone holds."""

    file: Path
    drafts: tuple[DraftText, ...]


class DraftJournal:
    """The drafts of one document. The file is locked until the process ends or it is closed.

    `sync` may be called from another thread than everything else.
    """

    def __init__(self, folder: Path, document: Path) -> None:
        self.document = document
        self._folder = folder
        self._drafts: dict[Spot, DraftText] = {}
        self._unwritten: dict[Spot, DraftText | None] = {}  # what the disk refused
        self._closing = threading.Lock()
        self._is_new = True
        self.path, self._handle, self._head_size = self._begin(document, ())
        self._size = self._head_size

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits to become an edit."""
        return not self._drafts

    def write(self, changes: Mapping[Spot, DraftText | None]) -> None:
        """Write new texts; None is one that became an edit or was dropped. OSError when the disk refuses it.

        What was refused is written with the next change.
        """
        self._unwritten |= changes
        for spot, draft in changes.items():
            if draft is None:
                self._drafts.pop(spot, None)
            else:
                self._drafts[spot] = draft
        if not self._drafts:
            os.ftruncate(self._handle, self._head_size)
            self._size = self._head_size
        elif self._size > MAX_GROWTH_BYTES:
            self.move(self.document)
        else:
            self._append(b"".join(_record(spot, draft) for spot, draft in self._unwritten.items()))
        self._unwritten.clear()

    def move(self, document: Path) -> None:
        """Begin anew with what there is, for a document that may have another name now."""
        path, handle, head_size = self._begin(document, self._drafts.values())
        with self._closing:
            old_path, old_handle = self.path, self._handle
            self.path, self._handle, self._head_size = path, handle, head_size
            self._is_new = True
        self.document, self._size = document, os.fstat(handle).st_size
        os.close(old_handle)
        with suppress(OSError):
            old_path.unlink()

    def sync(self) -> None:
        """Wait until everything written so far is on the disk; OSError when the disk does not take it."""
        with self._closing:
            if self._handle < 0:
                return
            os.fsync(self._handle)
            if self._is_new:
                sync_folder(self._folder)
                self._is_new = False

    def close(self) -> None:
        """Close the journal and keep its texts for recovery; one without texts is deleted."""
        if self.is_empty:
            self.remove()
        else:
            self._release()

    def remove(self) -> None:
        """Close the journal and delete it."""
        self._release()
        with suppress(OSError):
            self.path.unlink()

    def _release(self) -> None:
        with self._closing:
            if self._handle >= 0:
                os.close(self._handle)
                self._handle = -1

    def _append(self, data: bytes) -> None:
        try:
            _write(self._handle, data)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._handle, self._size)
            raise
        self._size += len(data)

    def _begin(self, document: Path, drafts: Iterable[DraftText]) -> tuple[Path, int, int]:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self._folder / f"{os.getpid()}-{secrets.token_hex(8)}{DRAFT_SUFFIX}"
        handle = os.open(path, _FLAGS, 0o600)
        head = _MAGIC + framed(_HEAD + json.dumps({"path": str(document.absolute())}).encode())
        try:
            lock(handle)
            _write(handle, head + b"".join(_record(draft.spot, draft) for draft in drafts))
        except OSError:
            os.close(handle)
            with suppress(OSError):
                path.unlink()
            raise
        return path, handle, len(head)


def look_at_drafts(path: Path) -> Drafts | None:
    """The texts that a process left behind; None while it is running. ReadError when the file is none of ours."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError as problem:
        raise ReadError(_UNREADABLE.format(problem.strerror or problem), path=str(path)) from problem
    with os.fdopen(handle, "rb") as file:
        if not lock(handle):
            return None
        start = file.read(len(_MAGIC))
        if start != _MAGIC:
            if _MAGIC.startswith(start):
                return Drafts(Path(), ())  # ended while it began
            raise ReadError("This is no journal of typed text of this version. Leave it.", path=str(path))
        return _parsed(start + file.read())


def _parsed(data: bytes) -> Drafts:
    """All that is whole; the end may be torn."""
    document, drafts = Path(), dict[Spot, DraftText]()
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        for kind, payload, _end in frames(data, len(_MAGIC)):
            fields = json.loads(payload)
            if kind == _HEAD:
                document = Path(str(fields["path"]))
                continue
            spot = Spot(str(fields["place"]), str(fields["field"]))
            drafts.pop(spot, None)
            if fields["text"] is not None:
                drafts[spot] = DraftText(spot, str(fields["label"]), str(fields["text"]))
    return Drafts(document, tuple(drafts.values()))


def _record(spot: Spot, draft: DraftText | None) -> bytes:
    fields = {"place": spot.place, "field": spot.field, "label": "", "text": None}
    if draft is not None:
        fields |= {"label": draft.label, "text": draft.text}
    return framed(_TEXT + json.dumps(fields).encode())


def _write(handle: int, data: bytes) -> None:
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[os.write(handle, remaining) :]


_UNREADABLE = "The text that was typed last cannot be read ({0}). Check its folder."
