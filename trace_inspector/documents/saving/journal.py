"""The edit journal on disk: every change of an open document, written before anybody sees it."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from trace_inspector.core.errors import EditError, ReadError
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.saving.file_lock import lock
from trace_inspector.documents.saving.journal_format import (
    MAGIC,
    MAGICS,
    Journal,
    Origin,
    Record,
    digest_of,
    head,
    parse_journal,
    record_bytes,
)
from trace_inspector.documents.saving.saving import sync_folder
from trace_inspector.private_files import free_name, make_own_folder
from trace_inspector.regular_file import copy_regular, open_regular

SUFFIX = ".journal"
MAX_COPY_BYTES = 1 << 26  # larger documents are not copied into their journal
MAX_GROWTH_BYTES = 1 << 26
_FLAGS = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0)


class JournalWriter:
    """One journal that is being written. Its file is locked until the process ends or it is closed.

    Appending hands the bytes to the system, where they outlive the process; `sync`, which may be called from another
    thread, hands them to the disk.
    """

    def __init__(self, path: Path, handle: int, size: int, replaced: JournalWriter | None = None) -> None:
        self.path = path
        self._replaced = replaced  # it goes once this one is safe
        self._handle = handle
        self._size = self._size_at_start = size
        self._is_new = True
        self._is_broken = False
        self._closing = threading.Lock()

    @property
    def is_used_up(self) -> bool:
        """Whether it is time to begin anew with what it comes to: it has grown, or somebody deleted it."""
        return self._size > 2 * self._size_at_start + MAX_GROWTH_BYTES or not os.fstat(self._handle).st_nlink

    def append(self, *records: Record) -> None:
        """Write changes down; EditError when that fails, and then the journal is as it was."""
        if self._is_broken:
            raise refusal("an earlier failure left it damaged", self.path)
        data = b"".join(map(record_bytes, records))
        try:
            _write(self._handle, data)
        except OSError as problem:
            self._take_back()
            raise refusal(_reason(problem), self.path) from problem
        self._size += len(data)

    def sync(self) -> None:
        """Wait until everything written so far is on the disk; OSError when the disk does not take it."""
        with self._closing:
            if self._handle < 0:
                return
            os.fsync(self._handle)
            if self._is_new:
                sync_folder(self.path.parent)
                self._is_new = False
        self._drop_replaced()

    def close(self) -> None:
        """Close the journal and keep it for recovery."""
        with self._closing:
            if self._handle >= 0:
                os.close(self._handle)
                self._handle = -1

    def remove(self) -> None:
        """Close the journal and delete it: its edits are saved or discarded."""
        if os.name == "nt":
            self.close()  # Windows deletes no open file
        with suppress(OSError):
            self.path.unlink()
        self.close()
        self._drop_replaced()

    def _drop_replaced(self) -> None:
        replaced, self._replaced = self._replaced, None  # another thread may be at it, too
        if replaced:
            replaced.remove()

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._handle, self._size)
        except OSError:
            self._is_broken = True


def begin(
    folder: Path, document: Document, records: Sequence[Record] = (), *, replaced: JournalWriter | None = None
) -> JournalWriter:
    """A new journal for a document as it is now; EditError when it cannot be written."""
    origin = Origin(
        path=str(document.path.absolute()),
        digest=digest_of(document.data),
        size=len(document.data),
        stamp=document.stamp,
        started_s=time.time(),
        process=os.getpid(),
    )
    copy = document.data if len(document.data) <= MAX_COPY_BYTES else None
    content = head(origin, copy) + b"".join(map(record_bytes, records))
    path = folder / f"{os.getpid()}-{secrets.token_hex(8)}{SUFFIX}"
    try:
        make_own_folder(folder)
        handle = os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as problem:
        raise refusal(_reason(problem), folder) from problem
    try:
        lock(handle)
        _write(handle, content)
    except OSError as problem:
        os.close(handle)
        with suppress(OSError):
            path.unlink()
        raise refusal(_reason(problem), folder) from problem
    return JournalWriter(path, handle, len(content), replaced)


def look(path: Path) -> Journal | None:
    """The contents of a journal whose process is gone; None while it is in use. ReadError when it is none."""
    handle, journal = _opened(path)
    os.close(handle)
    return journal


def take_over(path: Path) -> tuple[JournalWriter, Journal] | None:
    """The same, to go on with. Half a record at the end goes; of a damaged journal a copy stays beside it."""
    handle, journal = _opened(path)
    if journal is None:
        os.close(handle)
        return None
    try:
        if journal.note and not journal.torn:  # what is cut off now may still be worth something to somebody
            copy_regular(path, free_name(path, "damaged"))
    except OSError as problem:
        os.close(handle)
        raise _unreadable(problem, path) from problem
    with suppress(OSError):  # appending says so again
        os.ftruncate(handle, journal.end)
    return JournalWriter(path, handle, journal.end), journal


def _opened(path: Path) -> tuple[int, Journal | None]:
    """The open file of a journal, and its contents unless another process has its lock."""
    try:
        handle = open_regular(path, _FLAGS)
    except OSError as problem:
        raise _unreadable(problem, path) from problem
    try:
        return handle, parse_journal(_all_of(handle), path) if lock(handle) else None
    except OSError as problem:
        os.close(handle)
        raise _unreadable(problem, path) from problem
    except BaseException:
        os.close(handle)
        raise


def _unreadable(problem: OSError, path: Path) -> ReadError:
    return ReadError(f"The edit journal cannot be read ({_reason(problem)}). Check its folder.", path=str(path))


def _all_of(handle: int) -> bytes:
    with open(handle, "rb", closefd=False) as file:
        start = file.read(len(MAGIC))
        return start + file.read() if start in MAGICS else start  # a foreign file may be of any size


def _write(handle: int, data: bytes) -> None:
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[os.write(handle, remaining) :]


def _reason(problem: OSError) -> str:
    return problem.strerror or str(problem)


def refusal(reason: str, path: Path) -> EditError:
    """An edit is only made when it can be written down."""
    sentence = (
        f"The edit was not made, because its journal cannot be written ({reason}). "
        "Save what there is, see that there is space and that the folder may be written to, and edit again."
    )
    return EditError(sentence, path=str(path))
