"""A folder in which a coding agent keeps its sessions, as one thing: what each is about, the newest first."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.trace.outline import Outline

_IN_LINES = ".jsonl"
_LEAST = 2  # sessions: one by itself is a file like any other
# What their programs put beside sessions: an index of them, what is known of a sub-agent, long results of tools.
_INDEX, _OF_SUB_AGENTS, _RESULTS = "sessions-index.json", ".meta.json", "tool-results"
_FIRST = 40  # files, by which a folder is told from one that holds other things too
_HELPING_S, _LONGER = 0.1, 1.5  # from one helping to the next, and so many times as long to that after it


class Outlined(Struct, frozen=True):
    """Some files of such a folder, those of sub-agents behind all sessions; why a file cannot be read, if so."""

    outlines: tuple[Outline, ...] = ()
    unread: tuple[tuple[Path, str], ...] = ()
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


def outlined(paths: Sequence[Path]) -> Iterator[Outlined]:
    """What the files are about; nothing at all where some of the newest are of another kind than sessions.

    It is told in helpings, the newest first: there may be thousands.
    """
    from trace_inspector.flows.opening.outlines import Outlines

    outlines = Outlines()
    told: list[Outline] = []
    below: list[Outline] = []
    unread: list[tuple[Path, str]] = []
    begun, next_s, helping_s = False, 0.0, _HELPING_S
    newest = sorted(paths, key=_written_s, reverse=True)
    for number, path in enumerate(newest, 1):
        try:
            outline = outlines.outline(path)
        except OSError as problem:
            unread.append((path, f"The file could not be read ({problem.strerror or problem})."))
        else:
            (below if outline.parent and begun else told).append(outline)
        if number == min(_FIRST, len(newest)):
            if not _are_sessions(told):
                return
            begun = True
            below, told = [each for each in told if each.parent], [each for each in told if not each.parent]
        if begun and time.monotonic() >= next_s:
            yield Outlined(tuple(told), tuple(unread))
            told, unread, next_s = [], [], time.monotonic() + helping_s
            helping_s *= _LONGER
    yield Outlined((*told, *below), tuple(unread), is_last=True)


def _written_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _are_sessions(outlines: Sequence[Outline]) -> bool:
    """Most are sessions of coding agents, and none is of another format; one may be empty, or damaged."""
    from trace_inspector.formats import FORMATS
    from trace_inspector.formats.coding import SYSTEM

    ours = {file_format.name for file_format in FORMATS if file_format.system == SYSTEM}
    known = [outline for outline in outlines if outline.format]
    empty = sum(not outline.size_bytes for outline in outlines)
    return (
        len(known) >= _LEAST
        and all(outline.format in ours for outline in known)
        and 2 * len(known) > len(outlines) - empty
    )
