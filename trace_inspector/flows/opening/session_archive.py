"""Copies of the sessions of coding agents, in a folder of the user's, before their programs delete them."""

from __future__ import annotations

import filecmp
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import SaveError
from trace_inspector.core.values.values import Json
from trace_inspector.private_files import make_folder
from trace_inspector.regular_file import copy_regular, open_regular, opened

MOST_FILES = 50_000  # of one agent
_MOST_VERSIONS = 99  # of a session that was written anew, beside each other
_PIECE = 1 << 20
_PART = ".part"
_MOST_COMPARED_BYTES = 1 << 26  # of a session that is one object; larger ones are kept beside each other


class AgentFolder(Struct, frozen=True):
    """Where a coding agent keeps its sessions, below the home folder or below what a variable names, if one does."""

    name: str
    home: str
    variable: str
    inside: tuple[str, ...]
    patterns: tuple[str, ...]

    def roots(self, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
        """The folders that may hold sessions."""
        stated = environment.get(self.variable, "")
        base = Path(stated) if stated else home / self.home
        yield from (base / inside for inside in self.inside)


AGENT_FOLDERS = (
    AgentFolder("claude-code", ".claude", "CLAUDE_CONFIG_DIR", ("projects",), ("*.jsonl",)),
    AgentFolder("codex", ".codex", "CODEX_HOME", ("sessions", "archived_sessions"), ("rollout-*.jsonl",)),
    AgentFolder("gemini-cli", ".gemini", "", ("tmp",), ("session-*.json", "session-*.jsonl")),
)


class Archived(Struct, frozen=True):
    """What became of one session: copied, unchanged, or why not."""

    path: Path  # of the copy
    what: str
    size_bytes: int = 0
    modified_s: float = 0.0

    @property
    def failed(self) -> bool:
        """Whether there is no copy of it as it is now."""
        return self.what not in (COPIED, UNCHANGED)


COPIED, UNCHANGED = "copied", "unchanged"


def archive(target: Path, home: Path, environment: Mapping[str, str]) -> Iterator[Archived]:
    """Copy what is new or has grown. A copy is never replaced by less than it holds."""
    if target.exists() and not target.is_dir():
        raise SaveError("This is a file, not a folder. Name a folder for the copies.", path=str(target))
    try:
        make_folder(target)
    except OSError as problem:
        sentence = f"The folder could not be made ({problem.strerror}). Name another one."
        raise SaveError(sentence, path=str(target)) from problem
    for agent in AGENT_FOLDERS:
        for root in agent.roots(home, environment):
            for session in islice(_sessions(root, agent.patterns, target.resolve()), MOST_FILES):
                yield _kept(session, target / agent.name / root.name / session.relative_to(root))


def summary(told: Sequence[Archived]) -> str:
    """How many were copied, and how much that is."""
    copied = [each.size_bytes for each in told if each.what == COPIED]
    return f"{len(copied):,} of {len(told):,} sessions copied, {sum(copied) / 1e6:,.2f} MB"


def listed(target: Path) -> Iterator[Archived]:
    """The copies, with their sizes and when their sessions were last written."""
    for agent in AGENT_FOLDERS:
        for path in islice(_sessions(target / agent.name, ("*.json", "*.jsonl"), None), MOST_FILES):
            with suppress(OSError):  # deleted meanwhile
                status = path.stat()
                yield Archived(path, UNCHANGED, status.st_size, status.st_mtime)


def _sessions(root: Path, patterns: Sequence[str], besides: Path | None) -> Iterator[Path]:
    """Regular files of these names below a folder, by name; links are not followed."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        if besides is not None:
            folders[:] = [name for name in folders if Path(folder, name).resolve() != besides]
        for path in (Path(folder, name) for name in sorted(names)):
            if any(path.match(pattern) for pattern in patterns) and path.is_file() and not path.is_symlink():
                yield path


def _kept(session: Path, copy: Path) -> Archived:
    try:
        status = session.stat()
        place = _place(session, copy)
        if place is None:
            return Archived(copy, UNCHANGED, status.st_size, status.st_mtime)
        make_folder(place.parent)
        part = place.with_name(place.name + _PART)
        part.unlink(missing_ok=True)
        copy_regular(session, part)
        with os.fdopen(open_regular(part, os.O_RDWR), "r+b") as file:  # Windows syncs none that is open to read
            os.fsync(file.fileno())
        os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
        part.replace(place)
        return Archived(place, COPIED, place.stat().st_size, status.st_mtime)
    except OSError as problem:
        return Archived(copy, f"not copied: {problem.strerror or problem}")


def _place(session: Path, copy: Path) -> Path | None:
    """Where the session is to be copied to: over a copy that it goes on from, else beside all others."""
    for number in range(_MOST_VERSIONS):
        place = copy.with_name(f"{copy.stem}.{number + 1}{copy.suffix}") if number else copy
        if not place.exists():
            return place
        if filecmp.cmp(session, place, shallow=False):
            return None
        if _goes_on(session, place):
            return place
    raise OSError("it was written anew too often; move the older copies elsewhere")


def _goes_on(session: Path, copy: Path) -> bool:
    """Whether a session has all that its copy holds, and then more. One object is written anew as a whole."""
    if session.suffix == ".json":
        return max(session.stat().st_size, copy.stat().st_size) <= _MOST_COMPARED_BYTES and _has_all(session, copy)
    with opened(session) as new, opened(copy) as old:
        while piece := old.read(_PIECE):
            if new.read(len(piece)) != piece:
                return False
    return True


def _has_all(session: Path, copy: Path) -> bool:
    """Whether an object has everything of an earlier one: lists may be longer now, and times of day later."""
    try:
        new, old = (json.loads(_bytes(path)) for path in (session, copy))
        if not (isinstance(new, dict) and isinstance(old, dict)):
            return False
        return all(key in new and _continues(new[key], value) for key, value in old.items())
    except (ValueError, RecursionError):
        return False


def _continues(new: Json, old: Json) -> bool:
    if isinstance(new, list) and isinstance(old, list):
        return new[: len(old)] == old
    return new == old or (isinstance(new, str) and isinstance(old, str) and _is_later(new, old))


def _is_later(new: str, old: str) -> bool:
    try:
        return datetime.fromisoformat(new) > datetime.fromisoformat(old)
    except (ValueError, TypeError):  # no times, or one of them without a zone
        return False


def _bytes(path: Path) -> bytes:
    with opened(path) as file:
        return file.read(_MOST_COMPARED_BYTES)
