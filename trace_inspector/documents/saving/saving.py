"""Saving: the whole new file or the whole old one, never a mixture, and never over somebody else's change."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from trace_inspector.core.errors import ChangedOnDiskError, ReadError, SaveError
from trace_inspector.documents.base.document import Document, stamp_of
from trace_inspector.documents.packing.packing import Packing, Spot, packed, spot_of
from trace_inspector.documents.saving.file_lock import lock
from trace_inspector.documents.zip.directory import Member, directory_of
from trace_inspector.documents.zip.member import read_member
from trace_inspector.documents.zip.rewriting import rewrite
from trace_inspector.regular_file import opened

_NAME = re.compile(r"\.trace-inspector-[0-9a-f]{16}\.tmp")
_YOUNG_S = 60  # one that was just made may not be locked yet


def unfinished_name() -> str:
    """A name that no other save has."""
    return f".trace-inspector-{secrets.token_hex(8)}.tmp"


def sweep(folder: Path) -> None:
    """Delete unfinished files that no process writes any more; the whole file lies beside them."""
    with suppress(OSError):
        for path in _leftover_files(folder):
            _remove(path)


def _leftover_files(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            ours = _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
            if ours and time.time() - entry.stat(follow_symlinks=False).st_mtime > _YOUNG_S:
                yield folder / entry.name


def _remove(path: Path) -> None:
    with suppress(OSError), path.open("rb+") as file:
        if lock(file.fileno()):
            path.unlink()


def _unheard(_sentence: str) -> None:
    """Nobody asked."""


def save(
    document: Document,
    path: Path | None = None,
    *,
    force: bool = False,
    note: Callable[[str], object] = _unheard,
) -> Document:
    """Write a document to its own path or another; the document as it now lies on disk, with a fresh stamp.

    It is packed as it was when it was read, and a path into an archive changes that member alone. A link stays a
    link: the file it names is replaced. `force` writes over changes made since the document was read.
    `note` hears what somebody should know of a save that went well: other names of the file keep what it held.
    """
    path = path or document.path
    try:
        target = _real(path)
        status = _status(target.file)
        if status is not None:
            _check_file(target.file, status)
        member = _member(target) if target.member else None
        if status is not None and target == _real(document.path):
            _check_own(document, status, member, force=force)
        data = packed(document.data, document.packing)
        if status is not None and member is not None:
            _replace_member(target.file, status, member, data)
        else:
            _replace(target.file, status, lambda file: file.write(data))
        if status is not None and status.st_nlink > 1 and stamp_of(target.file.stat()).inode != status.st_ino:
            note(_other_names(target.file.name, status.st_nlink - 1))
        packing = _packing_now(target, document, data)
        return replace(document, path=path, stamp=stamp_of(target.file.stat()), packing=packing)
    except OSError as problem:
        raise SaveError(_sentence(problem), path=str(path)) from problem
    except ValueError as problem:  # a NUL in the name
        raise SaveError("No file can have this name. Check the spelling.", path=str(path)) from problem
    except (ReadError, SaveError) as problem:
        kind = type(problem) if isinstance(problem, SaveError) else SaveError
        raise kind(problem.sentence, path=str(path)) from problem


def save_written(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Save what `write` puts into a file, which may be more than fits into memory. SaveError where that fails."""
    try:
        target = Path(os.path.realpath(path))
        status = _status(target)
        if status is not None:
            _check_file(target, status)
        _replace(target, status, write)
    except OSError as problem:
        raise SaveError(_sentence(problem), path=str(path)) from problem
    except ValueError as problem:  # a NUL in the name
        raise SaveError("No file can have this name. Check the spelling.", path=str(path)) from problem
    except SaveError as problem:
        raise SaveError(problem.sentence, path=str(path)) from problem


def _other_names(name: str, count: int) -> str:
    others = "Another name" if count == 1 else f"{count:,} other names"
    keeps = "keeps" if count == 1 else "keep"
    return f"{others} of the same file on this disk (hard links) {keeps} what {name} held before."


def _real(path: Path) -> Spot:
    """Where a path leads when every link is followed."""
    spot = spot_of(path)
    return Spot(Path(os.path.realpath(spot.file)), spot.member)


def _status(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _check_file(target: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "")
    if not stat.S_ISREG(status.st_mode):
        raise SaveError("This is not a regular file. Save under another name.")
    # The owner's wish counts even for root, whom the system lets write all the same.
    is_locked = not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    if is_locked or not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise SaveError("The file is read-only. Make it writable, or save under another name.")


def _member(target: Spot) -> Member:
    directory = directory_of(target.file)
    if not directory.is_whole:
        raise SaveError("The archive is cut off or damaged and was left as it is. Save under another name.")
    member = directory.members.get(target.member)
    if member is None:
        raise SaveError("The archive holds no file of this name, and none is added. Save under another name.")
    return member


def _check_own(document: Document, status: os.stat_result, member: Member | None, *, force: bool) -> None:
    packing = document.packing
    if packing and packing.problem:
        raise SaveError(
            "Not all of this file could be unpacked, and the rest would be lost. Save under another name."
        )
    if force or document.stamp is None or stamp_of(status) == document.stamp:
        return
    # Other members may have changed: they are copied as they are now.
    if (
        member is None
        or packing is None
        or packing.record is None
        or member.record.contents != packing.record.contents
    ):
        raise ChangedOnDiskError(
            "The file has changed on disk since it was opened. Open it again, or save under another name."
        )


def _replace_member(archive: Path, status: os.stat_result, member: Member, data: bytes) -> None:
    content = read_member(archive, member, lambda: None)
    if content.problem:
        raise SaveError("This part of the archive is damaged and was left as it is. Save under another name.")
    if content.data == data:
        return
    with opened(archive) as old:
        _replace(archive, status, lambda new: rewrite(old, status.st_size, member.record, data, new))


def _packing_now(target: Spot, document: Document, data: bytes) -> Packing | None:
    layer = data if document.packing and document.packing.layer is not None else None
    record = _member(target).record if target.member else None
    return Packing(layer, record) if layer is not None or record is not None else None


def _replace(target: Path, status: os.stat_result | None, write: Callable[[BinaryIO], object]) -> None:
    sweep(target.parent)
    temporary = target.with_name(unfinished_name())
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            lock(handle)  # keeps other processes from sweeping it away while it is written
            write(file)
            file.flush()
            if status:
                _keep_owner_and_mode(temporary, status)
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(target.parent)


def _keep_owner_and_mode(temporary: Path, status: os.stat_result) -> None:
    own = temporary.stat()
    if hasattr(os, "chown") and (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        with suppress(OSError):  # only root may give files away
            os.chown(temporary, status.st_uid, status.st_gid)
    temporary.chmod(stat.S_IMODE(status.st_mode))


def sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where folders can be synced at all."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some network file systems refuse
            os.fsync(handle)
    finally:
        os.close(handle)


_SENTENCES = {
    errno.ENOENT: "The folder is gone. Save under another name.",
    errno.ENOTDIR: "Part of this path is a file, not a folder. Save under another name.",
    errno.EISDIR: "A folder has this name. Save under another name.",
    errno.EACCES: "You are not allowed to write to this folder. Save somewhere else.",
    errno.EPERM: "You are not allowed to write to this folder. Save somewhere else.",
    errno.EROFS: "The disk is read-only. Save on another one.",
    errno.ENOSPC: "The disk is full; the old file is whole. Free some space and save again.",
    errno.EDQUOT: "Your disk quota is used up; the old file is whole. Free some space and save again.",
    errno.ENAMETOOLONG: "The name is too long. Save under a shorter one.",
    errno.ELOOP: "The link leads in a circle. Save under another name.",
}


def _sentence(problem: OSError) -> str:
    fallback = f"The file could not be written ({problem.strerror or problem}); the old one is whole. Save elsewhere."
    return _SENTENCES.get(problem.errno or 0, fallback)
