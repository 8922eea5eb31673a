"""What a YAML file says: the values of its documents, aliases and merged keys resolved within bounds."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Json
from trace_inspector.documents.text.warnings import MAX_DEPTH, MAX_FINDINGS, SourceWarning
from trace_inspector.documents.yaml.tree import MAPPINGS, SEQUENCES, Tree

# So many values may be there by aliases alone. A file can be made to say billions in a few lines.
MAX_ALIASED = 100_000

# Of these the first says enough about a file.
_ONCE = frozenset({"yaml-date", "yaml-old-boolean", "yaml-key"})


class _OpenNode(Struct):
    """A mapping or sequence that is being filled, and the child that is being read."""

    node: int
    value: dict[str, Json] | list[Json]
    children: Iterator[int]
    key: str = ""
    merges: bool = False  # the value being read
    merged: set[str] = field(default_factory=set)  # keys that a later one of the mapping's own replaces
    count: int = 1
    height: int = 1

    @property
    def token(self) -> str | int:
        return self.key if isinstance(self.value, dict) else len(self.value)


class YamlView:
    """Makes values of a tree. What is shared by aliases is one object, however often it is there."""

    def __init__(self, tree: Tree) -> None:
        self.warnings: list[SourceWarning] = []
        self.hidden = 0
        self._tree = tree
        self._frames: list[_OpenNode] = []
        self._shared: dict[int, tuple[Json, int, int]] = {}  # of anchored nodes: value, count of values, height
        self._aliased = 0
        self._document = -1
        self._noted: set[str] = set()

    def values(self) -> list[Json]:
        """The value of each document."""
        documents = []
        for number, root in enumerate(self._tree.roots):
            self._document = number
            self._begin(root)
            documents.append(self._value(root))
        return documents

    def _value(self, root: int) -> Json:
        """Post-order, without recursion."""
        if not self._frames:
            return self._scalar(root)
        while True:
            frame = self._frames[-1]
            child = next(frame.children, None)
            if child is not None and isinstance(frame.value, dict):
                self._key(frame, child)
                child = next(frame.children)
            if child is None:
                self._frames.pop()
                if frame.node in self._tree.anchored:
                    self._shared[frame.node] = (frame.value, frame.count, frame.height)
                if not self._frames:
                    return frame.value
                self._attach(frame.value, frame.count, frame.height)
            elif not self._begin(child):
                self._leaf(child)

    def _begin(self, node: int) -> bool:
        """Open a mapping or sequence; false for all else."""
        for code, offset in self._tree.odd.get(node, ()):
            self._note(code, offset)
        style = self._tree.styles[node]
        if style in MAPPINGS:
            self._frames.append(_OpenNode(node, {}, self._tree.children(node)))
        elif style in SEQUENCES:
            self._frames.append(_OpenNode(node, [], self._tree.children(node)))
        else:
            return False
        return True

    def _leaf(self, node: int) -> None:
        target = self._tree.targets.get(node)
        if target is None:
            self._attach(self._scalar(node), 1, 0)
            return
        value, count, height = self._shared[target]
        self._aliased += count
        if self._aliased > MAX_ALIASED:
            self._note("yaml-bomb", self._tree.starts[node])
            self._attach(self._tree.values[node], 1, 0)
        elif len(self._frames) + height > MAX_DEPTH:
            self._note("too-deep", self._tree.starts[node])
            self._attach(None, 1, 0)
        else:
            self._attach(value, count, height)

    def _scalar(self, node: int) -> Json:
        value = self._tree.values[node]
        if node in self._tree.anchored:
            self._shared[node] = (value, 1, 0)
        return value

    def _key(self, frame: _OpenNode, node: int) -> None:
        frame.key = self._tree.key(node)
        frame.merges = node in self._tree.merges
        if isinstance(frame.value, dict) and frame.key in frame.value and not frame.merges:
            if frame.key not in frame.merged:
                self._note("duplicate-key", self._tree.starts[node])
            frame.merged.discard(frame.key)
        for code, offset in self._tree.odd.get(node, ()):
            self._note(code, offset)
        if node in self._tree.anchored:
            self._shared[node] = (frame.key, 1, 0)

    def _attach(self, value: Json, count: int, height: int) -> None:
        frame = self._frames[-1]
        frame.count += count
        frame.height = max(frame.height, height + 1)
        if isinstance(frame.value, list):
            frame.value.append(value)
        elif not (frame.merges and self._merge(frame, frame.value, value)):
            frame.value[frame.key] = value

    def _merge(self, frame: _OpenNode, into: dict[str, Json], value: Json) -> bool:
        """Add what is merged in and not there yet; false when it is nothing to merge."""
        sources = value if isinstance(value, list) else [value]
        mappings = [source for source in sources if isinstance(source, dict)]
        if len(mappings) < len(sources):
            self._note("yaml-merge", self._tree.starts[frame.node])
            return False
        for source in mappings:
            for key in source.keys() - into.keys():
                into[key] = source[key]
                frame.merged.add(key)
        return True

    def _note(self, code: str, offset: int) -> None:
        if code in _ONCE:
            if code in self._noted:
                return
            self._noted.add(code)
        if len(self.warnings) >= MAX_FINDINGS:
            self.hidden += 1
            return
        pointer = pointers.join("", *(frame.token for frame in self._frames))
        self.warnings.append(SourceWarning(code, offset, self._document, pointer))
