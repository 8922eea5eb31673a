"""The package as a graph: which module imports which, also inside functions and for types alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

PACKAGE = Path(__file__).resolve().parents[2] / "trace_inspector"


@dataclass(frozen=True)
class Module:
    """One file of the package; `path` is relative to the folder that holds the package."""

    name: str
    path: PurePosixPath
    source: str

    @property
    def is_table(self) -> bool:
        """An `__init__` speaks for its folder, and lists what is in it."""
        return self.path.name == "__init__.py"

    @property
    def folder(self) -> str:
        return str(self.path.parent)

    @cached_property
    def lines(self) -> int:
        return len(self.source.splitlines())

    def tree(self) -> ast.Module:
        """Not kept: whoever holds all of them has the collector go through millions of nodes."""
        return ast.parse(self.source)


@dataclass(frozen=True)
class Rooms:
    modules: Mapping[str, Module]

    @cached_property
    def imports(self) -> Mapping[str, frozenset[str]]:
        """What each module imports of the package."""
        return {name: frozenset(self._imported(module)) - {name} for name, module in self.modules.items()}

    @cached_property
    def importers(self) -> Mapping[str, frozenset[str]]:
        """Who imports each module."""
        found: dict[str, set[str]] = {name: set() for name in self.modules}
        for name, imported in self.imports.items():
            for other in imported:
                found[other].add(name)
        return {name: frozenset(names) for name, names in found.items()}

    @cached_property
    def folders(self) -> Mapping[str, list[Module]]:
        """The modules of each folder, without its `__init__`."""
        found: dict[str, list[Module]] = {}
        for module in self.modules.values():
            held = found.setdefault(module.folder, [])
            if not module.is_table:
                held.append(module)
        return found

    @cached_property
    def folder_imports(self) -> Mapping[str, frozenset[str]]:
        """What each folder imports of the others. A table, and what lies beside the rooms, counts alone."""
        found: dict[str, set[str]] = {}
        for name, imported in self.imports.items():
            here = found.setdefault(self._place(name), set())
            here |= {self._place(other) for other in imported}
        return {place: frozenset(others - {place}) for place, others in found.items()}

    def _place(self, name: str) -> str:
        module = self.modules[name]
        return str(module.path) if module.is_table or "/" not in module.folder else module.folder

    def _imported(self, module: Module) -> Iterator[str]:
        for node in statements(module.tree()):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name in self.modules)
            elif isinstance(node, ast.ImportFrom) and (package := node.module or "") in self.modules:
                for alias in node.names:
                    full = f"{package}.{alias.name}"
                    yield full if full in self.modules else package


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements in a tree, however deep; expressions hold none, and are most of it."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, block, ()):
            yield node
            yield from statements(node)


def rooms_of(files: Mapping[str, str]) -> Rooms:
    """The graph of sources by their path, `package/room/module.py`."""
    modules = {}
    for path, source in files.items():
        where = PurePosixPath(path)
        parts = where.with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = Module(name, where, source)
    return Rooms(modules)


@cache
def package(folder: Path = PACKAGE) -> Rooms:
    """The graph as it is in a folder."""
    return rooms_of(
        {
            file.relative_to(folder.parent).as_posix(): file.read_text(encoding="utf-8")
            for file in sorted(folder.rglob("*.py"))
        }
    )


def circles(edges: Mapping[str, frozenset[str]]) -> Sequence[list[str]]:
    """Groups in which each imports each of the others in the end: the strongly connected parts (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        waiting.add(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in waiting:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            waiting.difference_update(group)
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found
