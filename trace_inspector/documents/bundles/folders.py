"""What lies in folders, and in archives, which are folders too: every file that may be a document, in order."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NoReturn

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.bundles.bundles import is_bundle, roots_in
from trace_inspector.documents.bundles.candidates import HEAD_BYTES, has_document_name, may_be_document
from trace_inspector.documents.packing.packing import Spot, first_bytes, is_file, is_real_folder, spot_of
from trace_inspector.documents.text.magic import is_archive
from trace_inspector.regular_file import is_regular

if TYPE_CHECKING:
    from trace_inspector.documents.zip.directory import Member

_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "__MACOSX"})
_HIDDEN_BUT_MEANT = frozenset({".adk"})  # ADK keeps its eval history there


def is_folder(path: Path) -> bool:
    """Whether a path is a folder of documents: a real one, an archive, or a folder in an archive; no bundle is."""
    if is_bundle(path):
        return False
    if is_real_folder(path):
        return True
    spot = spot_of(path)
    if not spot.member:
        return is_file(path) and is_archive(first_bytes(path, HEAD_BYTES))
    from trace_inspector.documents.zip.directory import directory_of

    try:
        directory = directory_of(spot.file)
    except (OSError, ReadError):
        return False
    return spot.member not in directory.members and next(directory.below(spot.member), None) is not None


def files_in(folder: Path, skipped: list[Path] | None = None) -> Iterator[Path]:
    """The files and bundles in a folder or archive that may be documents; an archive nobody can read is one.

    What is named like a document and is no file that can be read to its end, as a pipe, is added to `skipped`.
    """
    if is_real_folder(folder):
        yield from _in_folder(folder, [] if skipped is None else skipped)
    else:
        yield from _in_archive(spot_of(folder))


def refuse(folder: Path) -> NoReturn:
    """Say what is wrong with a folder or archive where a file is needed."""
    what = "a folder"
    if not is_real_folder(folder):
        from trace_inspector.documents.zip.directory import directory_of

        what = "an archive"
        directory_of(spot_of(folder).file)  # which has its own words for an archive that nobody can read
    first = next(files_in(folder), None)
    sentence = (
        f"This is {what} without any file that can be read. Name another folder, or a file."
        if first is None
        else f"This is {what}, but a single file is needed. Name one in it, such as {first}."
    )
    raise ReadError(sentence, path=str(folder))


def _in_folder(folder: Path, skipped: list[Path]) -> Iterator[Path]:
    waiting = [_entries(folder)]  # and not calls within calls: folders may be nested by the thousand
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
        elif entry.is_dir(follow_symlinks=False):
            if not _is_skipped(entry.name):
                path = Path(entry.path)
                if is_bundle(path):
                    yield path
                else:
                    waiting.append(_entries(path))
        elif not entry.name.startswith(".") and (status := _status(entry)) is not None:
            path = Path(entry.path)
            if not stat.S_ISREG(status.st_mode) or (not status.st_size and not is_regular(path)):
                if has_document_name(path) and not stat.S_ISDIR(status.st_mode):
                    skipped.append(path)
            elif may_be_document(path, partial(first_bytes, path, HEAD_BYTES)):
                yield from _file(path)


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return iter(sorted(entries, key=lambda entry: entry.name))
    except OSError:  # what may not be looked into holds nothing for us
        return iter(())


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat()
    except OSError:  # it went away, or is a link to nothing
        return None


def _file(path: Path) -> Iterator[Path]:
    if has_document_name(path) or not is_archive(first_bytes(path, HEAD_BYTES)) or is_bundle(path):
        yield path
    else:
        yield from _in_archive(Spot(path))


def _in_archive(spot: Spot) -> Iterator[Path]:
    from trace_inspector.documents.zip.directory import directory_of

    try:
        directory = directory_of(spot.file)
    except (OSError, ReadError):
        yield spot.file
        return
    below, members = list(directory.below(spot.member)), directory.members
    roots = roots_in(name for name in below if not _is_hidden(PurePosixPath(name)))
    deepest = max((root.count("/") + 2 if root else 1 for root in roots), default=0)
    yielded: set[str] = set()
    for name in sorted(below, key=lambda name: name.split("/")):
        root = next((above for above in _folders_above(name, deepest) if above in roots), None)
        if root is None and _is_meant(spot.file, members[name]):
            yield spot.file / name
        elif root is not None and root not in yielded:
            yielded.add(root)
            yield spot.file / root


def _folders_above(name: str, most: int) -> Iterator[str]:
    """The folders that a name of an archive lies in, the nearest last, no more than so many."""
    steps = name.split("/", most)[:-1] if most else []
    return ("/".join(steps[:depth]) for depth in range(min(len(steps) + 1, most)))


def _is_meant(archive: Path, member: Member) -> bool:
    from trace_inspector.documents.zip.member import head_of_member
    from trace_inspector.documents.zip.names import decoded, leads_outside

    path = PurePosixPath(member.path)
    if member.refusal:
        return has_document_name(path) or leads_outside(decoded(member.record.name))
    if _is_hidden(path):
        return False
    try:
        return may_be_document(path, partial(head_of_member, archive, member, HEAD_BYTES))
    except ReadError:
        return True  # opening it says what is wrong with it


def _is_hidden(path: PurePosixPath) -> bool:
    return path.name.startswith(".") or any(map(_is_skipped, path.parts[:-1]))


def _is_skipped(folder: str) -> bool:
    return folder in _SKIPPED_FOLDERS or (folder.startswith(".") and folder not in _HIDDEN_BUT_MEANT)
