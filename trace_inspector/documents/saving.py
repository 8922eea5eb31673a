"""Saving: the whole new file or the whole old one, never a mixture, and never over somebody else's change."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from trace_inspector.core.errors import SaveError
from trace_inspector.documents.document import Document, stamp_of


def save(document: Document, path: Path | None = None, *, force: bool = False) -> Document:
    """Write a document to its own path or another; the document as it now lies on disk, with a fresh stamp.

    A link stays a link: the file it names is replaced. `force` writes over changes made since the document was read.
    """
    path = path or document.path
    try:
        target = Path(os.path.realpath(path))
        status = _status(target)
        _check_target(document, path, target, status, force=force)
        _replace(target, document.data, status)
        return replace(document, path=path, stamp=stamp_of(target.stat()))
    except OSError as problem:
        raise SaveError(_sentence(problem), path=str(path)) from problem
    except ValueError as problem:  # a NUL in the name
        raise SaveError("No file can have this name. Check how it is spelt.", path=str(path)) from problem


def _status(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _check_target(
    document: Document, path: Path, target: Path, status: os.stat_result | None, *, force: bool
) -> None:
    if status is None:
        return
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "")
    if not stat.S_ISREG(status.st_mode):
        raise SaveError("This is no regular file. Save under another name.", path=str(path))
    if not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise SaveError("The file is read-only. Make it writable, or save under another name.", path=str(path))
    is_own = target == Path(os.path.realpath(document.path))
    if is_own and document.stamp and stamp_of(status) != document.stamp and not force:
        sentence = "The file has changed on disk since it was opened. Open it again, or save under another name."
        raise SaveError(sentence, path=str(path))


def _replace(target: Path, data: bytes, status: os.stat_result | None) -> None:
    temporary = target.with_name(f".trace-inspector-{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if status:
                _keep_owner_and_mode(temporary, status)
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def _keep_owner_and_mode(temporary: Path, status: os.stat_result) -> None:
    own = temporary.stat()
    if hasattr(os, "chown") and (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        with suppress(OSError):  # only root may give files away
            os.chown(temporary, status.st_uid, status.st_gid)
    temporary.chmod(stat.S_IMODE(status.st_mode))


def _sync_folder(folder: Path) -> None:
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
    errno.EACCES: "The folder may not be written to. Save under another name.",
    errno.EPERM: "The folder may not be written to. Save under another name.",
    errno.EROFS: "The disk is read-only. Save on another one.",
    errno.ENOSPC: "The disk is full; the old file is whole. Free some space and save again.",
    errno.EDQUOT: "Your disk quota is used up; the old file is whole. Free some space and save again.",
    errno.ENAMETOOLONG: "The name is too long. Save under a shorter one.",
    errno.ELOOP: "The link leads in a circle. Save under another name.",
}


def _sentence(problem: OSError) -> str:
    fallback = f"The file could not be written ({problem.strerror or problem}); the old one is whole. Save elsewhere."
    return _SENTENCES.get(problem.errno or 0, fallback)
