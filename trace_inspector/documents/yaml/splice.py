"""An edit of a YAML file as a change of bytes. What it would change besides is looked at before anybody sees it."""

from __future__ import annotations

import re

from trace_inspector.core.errors import EditError
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.edit import Edit, Insert, Remove, Set
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.json.dialect import Dialect
from trace_inspector.documents.json.json_text import check_json, is_json
from trace_inspector.documents.text.encoding import Body, body_of
from trace_inspector.documents.yaml.check import check_change
from trace_inspector.documents.yaml.layout import NodeSpot, YamlLayout
from trace_inspector.documents.yaml.places import yaml_tree
from trace_inspector.documents.yaml.scalars import plain_value
from trace_inspector.documents.yaml.shared import shared_message
from trace_inspector.documents.yaml.tree import BLOCKS, MAPPINGS, SEQUENCES, Style

Change = tuple[int, int, str]  # offsets into the body, and the text that goes between them

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_GAP = re.compile(rb"[ \t]*,[ \t]*(?:\r?\n[ \t]*)?")
_COLON = re.compile(rb"[ \t]*:[ \t\r\n]*")


def yaml_change(document: Document, edit: Edit) -> Change:
    """The change that an edit means; EditError when it does not fit, or when other values would change with it."""
    body = body_of(document.data)
    layout = YamlLayout(body, yaml_tree(body))
    if layout.tree.problem:
        line = body.data.count(b"\n", 0, layout.tree.problem.offset) + 1
        raise EditError(
            f"The YAML cannot be read from line {line} on: {layout.tree.problem.sentence}. Correct it first."
        )
    spot = layout.spot(edit.pointer)
    match edit:
        case Set():
            change = _set(layout, edit, spot)
        case Insert():
            change = _insert(layout, edit, spot)
        case Remove():
            change = _remove(layout, edit, spot)
    check_change(
        document, body, edit, change, lambda: shared_message(body, layout.tree, spot.parent, spot.node, edit.pointer)
    )
    return change


def _set(layout: YamlLayout, edit: Set, spot: NodeSpot) -> Change:
    if edit.pointer == "" and len(layout.tree.roots) > 1:
        raise EditError("Several YAML documents have no single value to set. Set one of them: “/0”.")
    if spot.node is None:
        raise EditError(f"There is nothing at “{edit.pointer}”. Check the pointer, or insert the value.")
    return _replaced(layout, spot, spot.node, edit.text)


def _replaced(layout: YamlLayout, spot: NodeSpot, node: int, text: str) -> Change:
    data, tree = layout.body.data, layout.tree
    start, end = tree.starts[node], tree.ends[node]
    before = data[start - 1 : start] if start > layout.body.start else b"\n"
    if not text:
        return (start - 1 if before in (b" ", b"\t") else start), end, ""
    if start == end and before not in (b" ", b"\t", b"\n"):
        has_colon = before == b":" or spot.key is None
        return start, end, (" " if has_colon else ": ") + text
    if tree.styles[node] in BLOCKS and spot.key is not None and is_json(text):
        gap = _COLON.fullmatch(data, tree.ends[spot.key], start)
        if gap:
            return data.index(b":", gap.start()) + 1, end, " " + text
        return start, end, " " + text
    return start, end, text


def _insert(layout: YamlLayout, edit: Insert, spot: NodeSpot) -> Change:
    if edit.pointer == "":
        raise EditError("The whole document is already there. Set it instead.")
    check_json(edit.text)
    if spot.parent is None:
        _refuse_documents(layout, edit.pointer)
        raise EditError(f"There is nothing around “{edit.pointer}” to insert into. Check the pointer.")
    token = pointers.split(edit.pointer)[-1]
    style = layout.tree.styles[spot.parent]
    if style in SEQUENCES:
        index = _index(len(list(layout.tree.children(spot.parent))), token)
        insert = _flow_insert if style == Style.FLOW_SEQUENCE else _item_insert
        return insert(layout, spot.parent, index, edit.text)
    if style not in MAPPINGS:
        raise EditError(f"What is around “{edit.pointer}” is neither an object nor an array. Check the pointer.")
    if spot.node is not None:
        raise EditError(f"“{edit.pointer}” exists already. Change it instead.")
    text = f"{_key(layout, spot.parent, token)}: {edit.text}"
    if style == Style.FLOW_MAPPING:
        return _flow_insert(layout, spot.parent, len(list(layout.tree.pairs(spot.parent))), text)
    return _line_after(layout, spot.parent, text)


def _refuse_documents(layout: YamlLayout, pointer: str) -> None:
    if len(layout.tree.roots) > 1 and len(pointers.split(pointer)) == 1:
        raise EditError("Documents of a YAML file can be set, but not added or removed. Edit the file by hand.")


def _index(count: int, token: str) -> int:
    index = count if token == "-" else pointers.index_of(token)
    if index is None or index > count:
        raise EditError(f"“{token}” is no place in this list: it must be 0 to {count}, or “-” for the end.")
    return index


def _key(layout: YamlLayout, mapping: int, token: str) -> str:
    """A key in the way of the one before it, in quotation marks where it needs them."""
    last = list(layout.tree.children(mapping))[-2:-1]
    is_plain = not last or layout.tree.styles[last[0]] == Style.PLAIN
    if is_plain and _PLAIN_KEY.fullmatch(token) and plain_value(token) == (token, ""):
        return token
    return Dialect().string(token)


def _newline(body: Body) -> str:
    return "\r\n" if b"\r\n" in body.data[: 1 << 16] else "\n"


def _line_after(layout: YamlLayout, node: int, text: str) -> Change:
    """A line of its own below a block, in its indentation."""
    offset, newline = layout.after(node), _newline(layout.body)
    line = layout.indent(node) + text
    return (
        (offset, offset, line + newline)
        if layout.body.data.endswith(b"\n", 0, offset)
        else (offset, offset, newline + line)
    )


def _item_insert(layout: YamlLayout, sequence: int, index: int, text: str) -> Change:
    if index == len(list(layout.tree.children(sequence))):
        return _line_after(layout, sequence, "- " + text)
    dash = layout.dash(sequence, index)
    return dash, dash, f"- {text}{_newline(layout.body)}{layout.indent(sequence)}"


def _members(layout: YamlLayout, node: int) -> list[tuple[int, int]]:
    """Where the members of a flow collection begin and end."""
    tree = layout.tree
    if layout.body.data[layout.begin(node)] not in b"[{":
        raise EditError("This mapping has no brackets of its own. Set it as a whole.")
    if tree.styles[node] in SEQUENCES:
        return [(layout.outer(child), tree.ends[child]) for child in tree.children(node)]
    return [(layout.outer(key), tree.ends[value]) for key, value in tree.pairs(node)]


def _flow_insert(layout: YamlLayout, node: int, index: int, text: str) -> Change:
    members = _members(layout, node)
    if not members:
        offset = layout.begin(node) + 1
        return offset, offset, text
    between = layout.body.data[members[-2][1] : members[-1][0]] if len(members) > 1 else b""
    gap = between.decode() if _GAP.fullmatch(between) else ", "
    if index == len(members):
        return members[-1][1], members[-1][1], gap + text
    return members[index][0], members[index][0], text + gap


def _remove(layout: YamlLayout, edit: Remove, spot: NodeSpot) -> Change:
    if edit.pointer == "":
        raise EditError("The whole document cannot be removed. Delete the file instead.")
    if spot.node is None:
        raise EditError(f"There is nothing at “{edit.pointer}”. Check the pointer.")
    if spot.parent is None:
        _refuse_documents(layout, edit.pointer)
        raise EditError("The whole document cannot be removed. Delete the file instead.")
    tree = layout.tree
    entries = (
        [key for key, _ in tree.pairs(spot.parent)] if spot.key is not None else list(tree.children(spot.parent))
    )
    index = entries.index(spot.node if spot.key is None else spot.key)
    if tree.styles[spot.parent] not in BLOCKS:
        return _flow_removal(layout, _members(layout, spot.parent), index)
    if len(entries) == 1:
        around = layout.spot(pointers.join("", *pointers.split(edit.pointer)[:-1]))
        return _replaced(layout, around, spot.parent, "[]" if spot.key is None else "{}")
    start = layout.dash(spot.parent, index) if spot.key is None else layout.outer(entries[index])
    return _block_removal(layout, start, tree.ends[spot.node])


def _flow_removal(layout: YamlLayout, members: list[tuple[int, int]], index: int) -> Change:
    start, end = members[index]
    if index + 1 < len(members):
        after = members[index + 1][0]
        gap = _GAP.match(layout.body.data, end, after)
        return start, gap.end() if gap else after, ""
    if index and b"#" not in layout.body.data[members[index - 1][1] : start]:
        start = members[index - 1][1]
    return start, end, ""


def _block_removal(layout: YamlLayout, start: int, end: int) -> Change:
    """The lines of an entry; where it shares its first line with what is around it, up to the next entry."""
    after = layout.next_line(end)
    if not layout.is_first(start):
        return start, layout.past_space(after), ""
    start = layout.line_start(start)
    if not layout.body.data.endswith(b"\n", 0, after):  # the file ends without a line end, and still does
        start -= 2 if layout.body.data.endswith(b"\r\n", 0, start) else 1
    return start, after, ""
