"""Counts what makes a program hard to read for a stranger: `python -m tests.project.count_words [--all] [PACKAGE]`.

Not a test: the figures before and after a rebuild go into its note. What must stay zero is held by test_rooms.py.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.project.rooms import PACKAGE, Rooms, package

# Names that say nothing where the noun is known.
VAGUE = ("at", "one", "told", "said", "found", "left", "known", "held", "wanted")
_LISTED = 12


def named(tree: ast.AST) -> Iterator[str]:
    """Every name that a module gives to something: a variable, a parameter, a field, a function."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.MatchAs(name=str(name)):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def comment_lines(source: str) -> int:
    """How many lines hold a comment."""
    return sum(token.type == tokenize.COMMENT for token in tokenize.generate_tokens(io.StringIO(source).readline))


def layer(module: str) -> str:
    """The room of a module: the folder below the package, or the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 2 else "trace_inspector"


def classes_by_layer(rooms: Rooms) -> Mapping[tuple[str, str], list[str]]:
    """Where each class name stands, by layer; a leading underscore does not make another name of it."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in rooms.modules.values():
        for node in module.tree().body:
            if isinstance(node, ast.ClassDef):
                places[layer(module.name), node.name.lstrip("_")].append(module.name)
    return places


def figures(rooms: Rooms, listed: int | None = _LISTED) -> Iterator[tuple[str, str]]:
    """Each count with its title, and the first of the class names that occur more than once; None lists them all."""
    modules = [module for module in rooms.modules.values() if not module.is_table]
    sources = [module.source for module in rooms.modules.values()]
    words = Counter(name for module in rooms.modules.values() for name in named(module.tree()))
    largest = max(rooms.folders.items(), key=lambda folder: len(folder[1]))
    alone = [module for module in modules if len(rooms.importers[module.name]) == 1]
    beside = [
        module
        for module in alone
        if {rooms.modules[name].folder for name in rooms.importers[module.name]} == {module.folder}
    ]
    repeated = {place: found for place, found in classes_by_layer(rooms).items() if len(found) > 1}
    yield "lines", f"{sum(module.lines for module in rooms.modules.values()):,}"
    yield "lines with a comment", f"{sum(map(comment_lines, sources)):,}"
    yield "modules", f"{len(modules):,} and {len(rooms.modules) - len(modules)} tables of folders"
    yield "largest folder", f"{largest[0]} ({len(largest[1])})"
    yield "imported by one module only", f"{len(alone):,}, {len(beside)} of them from the same folder"
    yield "class names more than once in a layer", f"{len(repeated)} ({sum(map(len, repeated.values()))} classes)"
    for (room, name), found in sorted(repeated.items(), key=lambda item: -len(item[1]))[:listed]:
        yield f"  {name} in {room}", f"{len(found)}: {', '.join(found)}" if listed is None else str(len(found))
    for word in VAGUE:
        yield f"called “{word}”", f"{words[word]:,}"


def main(arguments: list[str]) -> None:
    """Print the figures of a package."""
    folders = [Path(argument) for argument in arguments if argument != "--all"]
    rooms = package(folders[0] if folders else PACKAGE)
    for title, figure in figures(rooms, None if "--all" in arguments else _LISTED):
        sys.stdout.write(f"{title:45} {figure}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
