"""A folder in which a coding agent keeps its sessions, as one thing: what each is about, the newest first."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.trace.outline import Outline

_IN_LINES = ".jsonl"
_LEAST = 2  # sessions: one by itself is a file like any other
# What their programs put beside sessions: an index of them, what is known of a sub-agent, long results of tools.
_INDEX, _OF_SUB_AGENTS, _RESULTS = "sessions-index.json", ".meta.json", "tool-results"
_FIRST = 40  # files, by which a folder is told from one that holds other things too
_HELPING_S, _LONGER = 0.1, 1.5  # from one helping to the next, and so many times as long to that after it


class SessionBatch(Struct, frozen=True):
    """Some files of such a folder, those of sub-agents behind all sessions; why a file cannot be read, if so."""

    outlines: tuple[Outline, ...] = ()
    unread: tuple[tuple[Path, str], ...] = ()
    foreign: tuple[Path, ...] = ()  # of other formats
    is_last: bool = False


def may_hold_sessions(paths: Sequence[Path]) -> bool:
    """Whether these are files as coding agents keep them, as far as their names tell."""
    lines = session_files(paths)
    return len(lines) >= _LEAST and len(lines) == sum(not is_beside(path) for path in paths)


def session_files(paths: Sequence[Path]) -> list[Path]:
    """Those that may be sessions by their names."""
    return [path for path in paths if path.suffix == _IN_LINES and not is_beside(path)]


def is_beside(path: Path) -> bool:
    """Whether the program of a coding agent put it beside its sessions."""
    return path.name == _INDEX or path.name.endswith(_OF_SUB_AGENTS) or path.parent.name == _RESULTS


def outlined(paths: Sequence[Path], known: Mapping[Path, Outline] | None = None) -> Iterator[SessionBatch]:
    """What the files are about; nothing at all where some of the newest are of another kind than sessions.

    It is told in helpings, the newest first: there may be thousands. A folder of which something is `known` is one of
    sessions, whatever is new in it, and only files that were written since are looked into.
    """
    from trace_inspector.flows.opening.outlines import Outlines

    outlines = Outlines()
    sessions: list[Outline] = []
    below: list[Outline] = []
    unread: list[tuple[Path, str]] = []
    foreign: list[Path] = []
    ours = _formats()
    begun, next_s, helping_s = known is not None, 0.0, _HELPING_S
    newest = sorted(paths, key=_written_s, reverse=True)
    for number, path in enumerate(newest, 1):
        try:
            outline = _unchanged(path, known) or outlines.outline(path)
        except OSError as problem:
            unread.append((path, f"The file could not be read ({problem.strerror or problem})."))
        else:
            if begun and outline.format and outline.format not in ours:
                foreign.append(path)
            else:
                (below if outline.parent and begun else sessions).append(outline)
        if not begun and number == min(_FIRST, len(newest)):
            if not _are_sessions(sessions, ours):
                return
            begun = True
            below, sessions = (
                [each for each in sessions if each.parent],
                [each for each in sessions if not each.parent],
            )
        if begun and time.monotonic() >= next_s:
            yield SessionBatch(tuple(sessions), tuple(unread), tuple(foreign))
            sessions, unread, foreign, next_s = [], [], [], time.monotonic() + helping_s
            helping_s *= _LONGER
    if begun:
        yield SessionBatch((*sessions, *below), tuple(unread), tuple(foreign), is_last=True)


def _unchanged(path: Path, known: Mapping[Path, Outline] | None) -> Outline | None:
    """What is known of a file that was not written since, as far as its size and time tell."""
    outline = known.get(path) if known else None
    if outline is None:
        return None
    stat = path.stat()
    return outline if (stat.st_size, stat.st_mtime_ns) == (outline.size_bytes, outline.written_ns) else None


def _written_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _formats() -> frozenset[str]:
    """The names of those of coding agents."""
    from trace_inspector.formats import FORMATS
    from trace_inspector.formats.coding import SYSTEM

    return frozenset(file_format.name for file_format in FORMATS if file_format.system == SYSTEM)


def _are_sessions(outlines: Sequence[Outline], ours: frozenset[str]) -> bool:
    """Most are sessions of coding agents, and none is of another format; one may be empty, or damaged."""
    known = [outline for outline in outlines if outline.format]
    empty = sum(not outline.size_bytes for outline in outlines)
    return (
        len(known) >= _LEAST
        and all(outline.format in ours for outline in known)
        and 2 * len(known) > len(outlines) - empty
    )
