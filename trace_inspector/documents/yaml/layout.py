"""Where a node of YAML stands among its siblings: its dash, its line, its indentation."""

from __future__ import annotations

import re

from msgspec import Struct

from trace_inspector.core.errors import EditError
from trace_inspector.core.values import pointer as pointers
from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.yaml.places import keys_and_values
from trace_inspector.documents.yaml.reader import content_start
from trace_inspector.documents.yaml.shared import alias_message, merge_message
from trace_inspector.documents.yaml.tree import MAPPINGS, SEQUENCES, Style, Tree

_BLANK_LINES = re.compile(rb"(?:[ \t]*\r?\n)*+")
_SPACE = re.compile(rb"[ \t\r\n]*+")


class NodeSpot(Struct, frozen=True):
    """What a pointer leads to. `node` is None where only the parent is there."""

    parent: int | None
    key: int | None
    node: int | None


class YamlLayout(Struct, frozen=True):
    """A tree and the bytes it was read from."""

    body: Body
    tree: Tree

    def spot(self, pointer: str) -> NodeSpot:
        """The node of a pointer and what it stands in; EditError where a pointer leads through an alias."""
        tokens = pointers.split(pointer)
        node: int | None = None
        if len(self.tree.roots) == 1:
            node = self.tree.roots[0]
        elif tokens:
            node = _node_at(self.tree.roots, tokens.pop(0))
        parent = key = None
        for depth, token in enumerate(tokens):
            if node is None:
                break
            parent = self._open(node, pointer)
            key, node = self._child(parent, token, pointer)
            if node is None and depth + 1 < len(tokens):
                parent = None
        return NodeSpot(parent, key, node)

    def _open(self, node: int, pointer: str) -> int:
        if self.tree.styles[node] == Style.ALIAS:
            raise EditError(alias_message(self.body, self.tree, node, pointer))
        return node

    def _child(self, parent: int, token: str, pointer: str) -> tuple[int | None, int | None]:
        if self.tree.styles[parent] in SEQUENCES:
            return None, _node_at(list(self.tree.children(parent)), token)
        if self.tree.styles[parent] not in MAPPINGS:
            return None, None
        own = [(key, value) for key, value in self.tree.pairs(parent) if self.tree.key(key) == token]
        if own:
            return own[-1]
        if merged := keys_and_values(self.tree, parent, {token}).get(token):
            raise EditError(merge_message(self.body, self.tree, parent, merged[1], pointer))
        return None, None

    def line_start(self, offset: int) -> int:
        """Where the line of an offset begins."""
        return max(self.body.data.rfind(b"\n", 0, offset) + 1, self.body.start)

    def next_line(self, offset: int) -> int:
        """Where the line after that of an offset begins; the end of the text when there is none."""
        return self.body.data.find(b"\n", offset) + 1 or len(self.body.data)

    def is_first(self, offset: int) -> bool:
        """Whether only white space stands before an offset in its line."""
        return not self.body.data[self.line_start(offset) : offset].strip()

    def past_space(self, offset: int) -> int:
        """The next offset that is no white space."""
        match = _SPACE.match(self.body.data, offset)
        return match.end() if match else offset

    def begin(self, node: int) -> int:
        """Where a node begins behind its anchor and its tag."""
        return content_start(self.body.data, self.tree.starts[node], len(self.body.data))

    def outer(self, node: int) -> int:
        """Where a node begins with its anchor."""
        start = self.tree.starts[node]
        return self.body.data.rfind(b"&", self.body.start, start) if node in self.tree.anchored else start

    def after(self, node: int) -> int:
        """The line on which the next entry goes: below a node, and below the blank lines it keeps."""
        last = self.tree.skips[node] - 1
        offset = self.next_line(self.tree.ends[node])
        if self.tree.styles[last] != Style.BLOCK:
            return offset
        header = self.body.data[self.begin(last) : self.next_line(self.begin(last))]
        blank = _BLANK_LINES.match(self.body.data, offset)
        return blank.end() if blank and b"+" in header.split(b"#")[0] else offset

    def indent(self, node: int) -> str:
        """The white space before each entry of a block mapping or sequence."""
        begin = self.begin(node)
        return " " * (begin - self.line_start(begin))

    def dash(self, sequence: int, index: int) -> int:
        """Where the dash of an item stands."""
        if index == 0:
            return self.begin(sequence)
        items = list(self.tree.children(sequence))
        pattern = re.compile(rb"(?<=\n)%s-(?=[ \t\r\n]|\Z)" % self.indent(sequence).encode())
        match = pattern.search(self.body.data, self.tree.ends[items[index - 1]])
        if match is None:
            raise EditError("The dash of this item was not found. Edit the file by hand.")
        return match.end() - 1


def _node_at(nodes: list[int], token: str) -> int | None:
    index = pointers.index_of(token)
    return nodes[index] if index is not None and index < len(nodes) else None
