"""From events of the parser to a tree of nodes. The parser is libyaml's: 8 MB a second, where pure Python makes 0.3.

Nothing is constructed from a tag, nothing recurses, and what is nested too deep is stepped over.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from typing import Protocol

from trace_inspector.core.values.values import Json
from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.text.warnings import MAX_DEPTH
from trace_inspector.documents.yaml.scalars import is_known_collection, plain_value, tagged_value
from trace_inspector.documents.yaml.tree import BLOCKS, MAPPINGS, Problem, Style, Tree

_PRIVATE = 0xE000  # bytes come first, then the backslash of an escape that is none of the parser's business
_BACKSLASH = chr(_PRIVATE + 0x100)
_PLAIN = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x7F))
_TABLE = "".join(chr(byte if byte in _PLAIN else _PRIVATE + byte) for byte in range(256))
_BYTES = codecs.charmap_build(_TABLE)

_CHUNK = 1 << 16
_RUN = re.compile("[\ue000-\ue0ff]+")
# Surrogates, and the private area itself: what the parser would refuse, and what would look like a byte afterwards.
_ESCAPE = r"(?:u|U0000)(?:[dD][89a-fA-F]|[eE][01])[0-9a-fA-F]{2}"
_HIDDEN = re.compile(r"(?<!\\)((?:\\\\)*)\\(?=" + _ESCAPE + ")")
_ESCAPED = re.compile(_BACKSLASH + "(?:u|U0000)([0-9a-fA-F]{4})")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Source:
    """A stream for the parser. Chunks end with a line, so that no escape is cut."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data = data
        self._offset = start

    def read(self, _size: int = -1) -> str:
        """The next characters, as many as the bytes they stand for."""
        start = self._offset
        self._offset = self._data.find(b"\n", start + _CHUNK) + 1 or len(self._data)
        text, _ = codecs.charmap_decode(self._data[start : self._offset], "strict", _TABLE)
        return _HIDDEN.sub(r"\1" + _BACKSLASH, text) if "\\" in text else text


def restored(text: str, errors: str, *, is_quoted: bool) -> str:
    """What a text of the parser really says; only double quotation marks make escapes of escapes."""
    if text.isascii():
        return text
    text = _RUN.sub(lambda run: codecs.charmap_encode(run[0], "strict", _BYTES)[0].decode("utf-8", errors), text)
    if _BACKSLASH not in text:
        return text
    if not is_quoted:
        return text.replace(_BACKSLASH, "\\")
    text = _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), text)
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


_TICKS = 4096  # events between two progress points
# The parser takes time quadratic in the depth, so it is stopped at a depth that no real file has.
_HOPELESS_DEPTH = 1000


class _Mark(Protocol):
    index: int


class _Event(Protocol):
    """What is used of an event; each kind has some of it."""

    start_mark: _Mark
    end_mark: _Mark
    anchor: str | None
    tag: str | None
    value: str
    style: str | None
    flow_style: bool


_STYLES = {"'": Style.SINGLE, '"': Style.DOUBLE, "|": Style.BLOCK, ">": Style.BLOCK}
_COLLECTIONS = {
    ("SequenceStartEvent", True): Style.FLOW_SEQUENCE,
    ("SequenceStartEvent", False): Style.BLOCK_SEQUENCE,
    ("MappingStartEvent", True): Style.FLOW_MAPPING,
    ("MappingStartEvent", False): Style.BLOCK_MAPPING,
}
_ENDS = frozenset({"SequenceEndEvent", "MappingEndEvent"})
_PROPERTY = re.compile(rb"(?:!<[^>\r\n]*>|[&!][^ \t\r\n,\[\]{}]*+)(?:[ \t\r\n]++(?:#[^\r\n]*+)?)*+")
_BLANK_LINES = re.compile(rb"(?:\r\n|\r|\n)[ \t\r\n]*\Z")


def content_start(data: bytes, start: int, end: int) -> int:
    """Where a node begins behind its anchor and its tag."""
    while (match := _PROPERTY.match(data, start, end)) is not None:
        start = match.end()
    return start


class YamlReader:
    """One pass over a body. `tree` holds what was read up to the first fault of syntax."""

    def __init__(self, body: Body, tick: Callable[[], None]) -> None:
        self.tree = Tree()
        self._body = body
        self._tick = tick
        self._open: list[int] = []
        self._counts: list[int] = [0]  # how many children the documents, and the open nodes, have so far
        self._anchors: dict[str, int] = {}
        self._keys: dict[str, str] = {}
        self._skipped = 0
        self._end = body.start  # of the last node

    def read(self) -> Tree:
        """The tree of all documents."""
        for number, event in enumerate(self._events()):
            if number % _TICKS == 0:
                self._tick()
            kind = type(event).__name__
            if len(self._open) + self._skipped > _HOPELESS_DEPTH:
                self.tree.problem = Problem(self._end, f"values are nested deeper than {_HOPELESS_DEPTH:,}")
                break
            if self._skipped:
                self._step_over(kind, event)
            elif kind == "ScalarEvent":
                self._scalar(event)
            elif kind == "AliasEvent":
                self._alias(event)
            elif kind in _ENDS:
                self._close(event.end_mark.index + self._body.start)
            elif kind == "DocumentStartEvent":
                self._anchors.clear()
            elif style := _COLLECTIONS.get((kind, getattr(event, "flow_style", False))):
                self._begin(style, event)
        while self._open:
            self._close(self._end)
        return self.tree

    def _events(self) -> Iterator[_Event]:
        import yaml

        try:
            # Wheels bring the fast parser along; where somebody built without it, the slow one gives the same events.
            loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
            yield from yaml.parse(Source(self._body.data, self._body.start), Loader=loader)
        except yaml.MarkedYAMLError as problem:
            mark = problem.problem_mark or problem.context_mark
            offset = min(mark.index + self._body.start, len(self._body.data)) if mark else self._end
            self.tree.problem = Problem(offset, str(problem.problem or problem.context))

    def _scalar(self, event: _Event) -> None:
        start, end = event.start_mark.index + self._body.start, event.end_mark.index + self._body.start
        style = _STYLES.get(event.style or "") or (Style.PLAIN if event.value else Style.EMPTY)
        text = restored(event.value, self._body.encoding.errors, is_quoted=style is Style.DOUBLE)
        if style is Style.BLOCK:
            end = self._block_end(start, end)
        elif start == end and self._is_value() and self._body.data[end - 1 : end] != b":":
            start = end = self._end  # a key without a colon
        if event.tag is not None:
            value, code = tagged_value(event.tag, text)
        elif style in (Style.PLAIN, Style.EMPTY):
            value, code = plain_value(text)
        else:
            value, code = text, ""
        node = self._add(style, start, end, value, event)
        if code:
            self.tree.note(node, code, start)
        if self._is_value():  # the one after this, so this was a key
            self._name(node, text, is_merge=style is Style.PLAIN and text == "<<" and event.tag is None)

    def _name(self, node: int, text: str, *, is_merge: bool) -> None:
        value = self.tree.values[node]
        if is_merge:
            self.tree.merges.add(node)
        if isinstance(value, str):
            self.tree.values[node] = self._keys.setdefault(value, value)
        else:
            self.tree.keys[node] = text
            self.tree.note(node, "yaml-key", self.tree.starts[node])

    def _alias(self, event: _Event) -> None:
        name = event.anchor or ""
        start, end = event.start_mark.index + self._body.start, event.end_mark.index + self._body.start
        node = self._add(Style.ALIAS, start, end, "*" + name)
        target = self._anchors.get(name)
        if target is None:
            self.tree.note(node, "yaml-unknown-alias", start)
        elif target in self._open:
            self.tree.note(node, "yaml-circle", start)
        else:
            self.tree.targets[node] = target
        if self._is_value():
            self._name_alias(node, target)

    def _name_alias(self, node: int, target: int | None) -> None:
        value = self.tree.values[self.tree.followed(node)]
        if target is None or not isinstance(value, str) or self.tree.styles[target] == Style.ALIAS:
            self.tree.keys[node] = str(self.tree.values[node])
            self.tree.note(node, "yaml-key", self.tree.starts[node])

    def _begin(self, style: Style, event: _Event) -> None:
        if len(self._open) >= MAX_DEPTH:
            start = event.start_mark.index + self._body.start
            self.tree.note(self._add(Style.TOO_DEEP, start, start, None), "too-deep", start)
            self._skipped = 1
            return
        start, end = event.start_mark.index + self._body.start, event.end_mark.index + self._body.start
        node = self._add(style, start, max(end, start + 1), None, event)
        if event.tag is not None and not is_known_collection(event.tag):
            self.tree.note(node, "yaml-tag", start)
        self._open.append(node)
        self._counts.append(0)

    def _step_over(self, kind: str, event: _Event) -> None:
        if kind in _ENDS:
            self._skipped -= 1
            if not self._skipped:
                self._end = self.tree.ends[-1] = event.end_mark.index + self._body.start
        elif kind not in ("ScalarEvent", "AliasEvent"):
            self._skipped += 1

    def _close(self, end: int) -> None:
        node = self._open[-1]
        style, first = self.tree.styles[node], self.tree.starts[node]
        if style in MAPPINGS and self._counts[-1] % 2:  # the file ends behind a key
            self._add(Style.EMPTY, self._end, self._end, None)
        self._open.pop()
        self._counts.pop()
        is_bracketed = self._body.data[content_start(self._body.data, first, end)] in b"[{"
        if style not in BLOCKS and is_bracketed:
            self._end = end
        self.tree.ends[node] = self._end = max(self._end, first)
        self.tree.skips[node] = len(self.tree.styles)
        if self._is_value():
            self.tree.keys[node] = self._body.decode(first, self._end)
            self.tree.note(node, "yaml-key", first)

    def _add(self, style: Style, start: int, end: int, value: Json, event: _Event | None = None) -> int:
        tree, node = self.tree, len(self.tree.styles)
        if event is not None and event.anchor is not None:
            self._anchors[event.anchor] = node
            tree.anchored.add(node)
            if event.tag is None:
                limit = end if style < Style.FLOW_SEQUENCE else len(self._body.data)
                start = content_start(self._body.data, start, limit)
        if not self._open:
            tree.roots.append(node)
        tree.styles.append(style)
        tree.starts.append(start)
        tree.ends.append(end)
        tree.skips.append(node + 1)
        tree.values.append(value)
        self._counts[-1] += 1
        if style not in MAPPINGS:
            self._end = end
        return node

    def _is_value(self) -> bool:
        """Whether the next node is the value of a key."""
        return bool(self._open) and self.tree.styles[self._open[-1]] in MAPPINGS and self._counts[-1] % 2 == 1

    def _block_end(self, start: int, end: int) -> int:
        """A block scalar ends with its last line that is not blank."""
        blank = _BLANK_LINES.search(self._body.data, start, end)
        return blank.start() if blank else end
