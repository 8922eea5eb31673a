"""Opens files in a child process and sends their rows as they are read."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.trace.outline import Outline
from trace_inspector.work.processes.child import Channel, Progress
from trace_inspector.work.reading.file_messages import (
    ListedFiles,
    Look,
    Looked,
    Outlined,
    SessionCounted,
    SessionsListed,
)

_ARCHIVES = frozenset({".zip", ".eval"})
FILES_A_MESSAGE = 250  # take the window some 25 milliseconds; more often would be painted more often


def split_place(text: str) -> tuple[Path, str]:
    """A path and the JSON pointer behind it: FILE#/POINTER, unless a file has that whole name."""
    path = Path(text).absolute()
    head, mark, pointer = text.partition("#/")
    if not mark or path.exists():
        return path, ""
    return Path(head).absolute(), f"/{pointer}"


def may_be_folder(path: Path) -> bool:
    """Whether a path is a folder of documents, or an archive, which is one too, as far as its name tells.

    The main thread asks, so nothing of a file is read; `listed_in` finds out what it really is.
    """
    packed = not path.suffix and any(above.suffix.lower() in _ARCHIVES for above in path.parents)
    return packed or path.suffix.lower() in _ARCHIVES or path.is_dir()


def load(
    channel: Channel, files: Sequence[tuple[int, str]], folders: Sequence[str], sessions: Sequence[str] = ()
) -> None:
    """In the child: read files in order, and list those in folders; `sessions` are folders of those, maybe."""
    from trace_inspector.work.reading.row_sender import read_files

    gc.disable()  # nothing here is thrown away before the process ends
    for name in folders:
        for listed in listed_in(Path(name)):
            channel.send(listed)
    for name in sessions:
        for told in sessions_in(Path(name)):
            channel.send(told)
    read_files(channel, files)


def outline(channel: Channel, files: Sequence[tuple[int, str]]) -> None:
    """In a child beside the one that reads them: what each of many sessions is about, by its beginning."""
    from trace_inspector.flows.opening.outlines import Outlines

    outlines = Outlines()
    for number, path in files:
        with suppress(OSError):  # reading it says what is wrong
            told = outlines.outline(Path(path))
            if told.title:
                channel.send(Outlined(number, told))


def list_sessions(channel: Channel, folder: str, known: Sequence[Outline]) -> None:
    """In a child: what has become of a folder of sessions, however few there are still, and whatever is new."""
    try:
        for told in _listed_sessions(Path(folder), {each.path: each for each in known}):
            channel.send(told)
    except InspectorError as problem:
        channel.send(ListedFiles((), str(problem)))


def count_sessions(channel: Channel, paths: Sequence[str]) -> None:
    """In a child: what sessions hold, each read to its end."""
    from trace_inspector.flows.opening.outlines import full_counts

    for number, name in enumerate(paths):
        channel.send(Progress(number, len(paths), f"{number:,} of {len(paths):,} sessions"))
        try:
            counts = full_counts(Path(name))
        except InspectorError:  # whoever chooses it is told what is wrong
            counts = None
        channel.send(SessionCounted(Path(name), counts))


def sessions_in(folder: Path) -> Iterator[SessionsListed | ListedFiles]:
    """The sessions of a coding agent's folder; of another folder its files, as of any."""
    told = False
    for some in _listed_sessions(folder, None):
        told = True
        yield some
    if not told:
        yield from listed_in(folder)


def _listed_sessions(folder: Path, known: Mapping[Path, Outline] | None) -> Iterator[SessionsListed]:
    from trace_inspector.flows.opening.listing import expand
    from trace_inspector.flows.opening.session_folder import outlined, session_files

    paths = [path for path in expand([folder]) if path != folder]
    files = session_files(paths)
    for some in outlined(files, known):
        others = len(paths) - len(files)
        yield SessionsListed(
            folder, some.outlines, some.unread, len(files), others, some.foreign, is_last=some.is_last
        )


def may_hold_sessions(folder: Path) -> bool:
    """Whether a folder holds nothing but what coding agents keep, as far as names tell."""
    from trace_inspector.flows.opening import listing, session_folder

    try:
        return session_folder.may_hold_sessions(listing.expand([folder]))
    except InspectorError:  # who lists it says what is wrong
        return False


def listed_in(folder: Path) -> Iterator[ListedFiles]:
    """In small helpings; the first is read at once, the others together."""
    from trace_inspector.documents.bundles.folders import is_folder, refuse
    from trace_inspector.flows.opening.listing import expand

    skipped: list[Path] = []
    try:
        paths = expand([folder], skipped)
        if paths == [folder] and is_folder(folder):
            refuse(folder)
    except InspectorError as problem:
        yield ListedFiles((), str(problem))
        return
    if skipped:
        others = f" {len(skipped) - 1} more are." if len(skipped) > 1 else ""
        yield ListedFiles((), f"{skipped[0]} is no regular file, and was skipped.{others}", begin=False)
    for first in range(0, len(paths), FILES_A_MESSAGE):
        some = tuple(paths[first : first + FILES_A_MESSAGE])
        yield ListedFiles(some, begin=first == 0 or first + FILES_A_MESSAGE >= len(paths))


def list_folders(channel: Channel, folders: Sequence[str], most: int) -> None:
    """In a child: the files in folders as opening them lists them, and the folders below, which are none to open."""
    for name in folders:
        below = (path for path in sorted(Path(name).rglob("*/")) if not path.is_symlink())
        inside = [path for path in (Path(name), *below) if path.is_dir()]
        left_out = (
            f"{name} has {len(inside) - 1:,} folders below it, of which {most:,} are watched for new files. "
            f"Open the folder that you need by itself."
        )
        sentence = left_out if len(inside) > most + 1 else ""
        channel.send(ListedFiles(tuple(inside[: most + 1]), sentence, begin=False))
        for listed in listed_in(Path(name)):
            channel.send(ListedFiles(listed.paths, listed.sentence if listed.begin else ""))


def archive_sessions(channel: Channel, folder: str) -> None:
    """In a child: copy the sessions of coding agents into a folder; a sentence says what became of them."""
    from trace_inspector.flows.opening.session_archive import archive, summary

    told = list(archive(Path(folder), Path.home(), os.environ))
    failed = [each for each in told if each.failed]
    trouble = (
        f" Not copied: {len(failed):,}, the first is {failed[0].path.name} ({failed[0].what})." if failed else ""
    )
    channel.send(f"{summary(told)}, into {folder}.{trouble}")


class Follow(Struct, frozen=True):
    """The service of a child: there is one for each file, so that none waits for another."""

    number: int

    def __call__(self, channel: Channel) -> Callable[[Look], Looked]:
        """In the child: what looks at the file."""
        from trace_inspector.work.reading.following import Follower

        gc.disable()  # most of what is made stays, and would be looked through at each of thousands of lines
        return Follower(channel)
