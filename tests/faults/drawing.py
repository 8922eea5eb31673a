"""Draws faults from all rooms of the package by a seed: each room has its share by lines, and some at least."""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tests.faults.sites import Kind, sites

PACKAGE = "trace_inspector"
LEAST = 4  # faults of a room, however small it is
GROUPS = ((Kind.OPERATOR,), (Kind.BRANCH,), (Kind.RETURN, Kind.CALL), (Kind.CONSTANT, Kind.SENTENCE))


class Fault(Struct, frozen=True):
    """One fault in one file."""

    path: str  # from the project's folder, with slashes
    line: int
    column: int
    kind: Kind
    what: str
    index: int  # among the sites of the module

    @property
    def name(self) -> str:
        """What tells it from every other as long as the file stays as it is."""
        return f"{self.path}:{self.line}:{self.column} {self.what}"


def room_of(path: str) -> str:
    """The folder of the package in which a module lies; of modules beside the folders it is the package itself."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else PACKAGE


def rooms(project: Path) -> dict[str, list[str]]:
    """The modules of each room."""
    found: dict[str, list[str]] = {}
    for file in sorted((project / PACKAGE).rglob("*.py")):
        path = file.relative_to(project).as_posix()
        found.setdefault(room_of(path), []).append(path)
    return dict(sorted(found.items()))


def shares(lines: Mapping[str, int], count: int) -> dict[str, int]:
    """How many faults each room gets: `LEAST`, and of the rest a part by its lines, the largest remainders first."""
    least = min(LEAST, count // max(1, len(lines)))
    left, total = count - least * len(lines), max(1, sum(lines.values()))
    exact = {room: left * number / total for room, number in lines.items()}
    given = {room: int(part) for room, part in exact.items()}
    by_remainder = sorted(exact, key=lambda room: (given[room] - exact[room], room))
    for room in by_remainder[: left - sum(given.values())]:
        given[room] += 1
    return {room: least + number for room, number in given.items()}


def draw(project: Path, seed: str, count: int) -> list[Fault]:
    """The faults of a run, each in a line of its own."""
    modules = rooms(project)
    texts = {path: (project / path).read_text(encoding="utf-8") for paths in modules.values() for path in paths}
    lines = {room: sum(len(texts[path].splitlines()) for path in paths) for room, paths in modules.items()}
    return [
        fault
        for room, number in shares(lines, count).items()
        for fault in _of_room(modules[room], texts, number, random.Random(f"{seed}/{room}"))
    ]


def _of_room(paths: Sequence[str], texts: Mapping[str, str], number: int, rng: random.Random) -> list[Fault]:
    every = [(path, index, site) for path in paths for index, site in enumerate(sites(ast.parse(texts[path])))]
    drawn: dict[tuple[str, int], Fault] = {}
    groups = list(GROUPS)
    while len(drawn) < number and groups:
        group = groups.pop(0)
        left = [one for one in every if one[2].kind in group and (one[0], one[2].line) not in drawn]
        if left:
            path, index, site = rng.choice(left)
            drawn[path, site.line] = Fault(path, site.line, site.column, site.kind, site.what(), index)
            groups.append(group)  # in turn
    return sorted(drawn.values(), key=lambda fault: (fault.path, fault.line))
