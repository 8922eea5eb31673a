"""Why a value of YAML that stands in several places cannot be edited in one: by which anchor, and where that is."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.summary import one_line
from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.yaml.reader import content_start
from trace_inspector.documents.yaml.tree import SEQUENCES, Style, Tree

_NAME = 60  # chars of an anchor's


def alias_message(body: Body, tree: Tree, alias: int, pointer: str) -> str:
    """What a pointer names is below an alias."""
    name, here = _name(tree, alias), _line(body, tree.starts[alias])
    if alias not in tree.targets:
        return f"“*{name}” in line {here} stands for nothing that was read. Mend it by hand."
    there = _anchor_line(body, tree, tree.targets[alias], tree.values[alias])
    return (
        f"“{pointer}” is there by “*{name}” in line {here}; it is written behind “&{name}” in line {there}. "
        f"Edit it there by hand, or write it out in line {here}."
    )


def merge_message(body: Body, tree: Tree, mapping: int, value: int, pointer: str) -> str:
    """What a pointer names is not of a mapping itself, but merged into it."""
    sources = list(_merged(tree, mapping))
    alias = next(
        (source for source in sources if tree.followed(source) <= value < tree.skips[tree.followed(source)]),
        sources[0],
    )
    line = _line(body, tree.starts[value])
    if tree.styles[alias] != Style.ALIAS:
        return f"“{pointer}” is there by a merge key (“<<”); it is written in line {line}. Edit it there by hand."
    name, here = _name(tree, alias), _line(body, tree.starts[alias])
    return (
        f"“{pointer}” is there by “<<: *{name}” in line {here}; it is written in line {line}. "
        "Edit it there by hand, or give this mapping a key of its own."
    )


def shared_message(body: Body, tree: Tree, parent: int | None, node: int | None, pointer: str) -> str:
    """What a pointer names stands behind an anchor that aliases use; "" where it does not."""
    edited = parent if node is None else node
    around = [
        target for target in tree.targets.values() if edited is not None and target <= edited < tree.skips[target]
    ]
    if not around:
        return ""
    anchor = max(around)
    aliases = [alias for alias, target in tree.targets.items() if target == anchor]
    name, there = _name(tree, aliases[0]), _anchor_line(body, tree, anchor, tree.values[aliases[0]])
    more = f" and {len(aliases) - 1:,} more" if len(aliases) > 1 else ""
    return (
        f"“{pointer}” stands behind “&{name}” in line {there}, and would change wherever “*{name}” stands, too: "
        f"in line {_line(body, tree.starts[aliases[0]])}{more}. Edit the file by hand."
    )


def _merged(tree: Tree, mapping: int) -> Iterator[int]:
    """What is merged into a mapping: aliases, or mappings that stand there."""
    for key, value in tree.pairs(mapping):
        if key in tree.merges:
            yield from tree.children(value) if tree.styles[value] in SEQUENCES else (value,)


def _name(tree: Tree, alias: int) -> str:
    return one_line(str(tree.values[alias])[1:], _NAME)


def _anchor_line(body: Body, tree: Tree, node: int, alias: object) -> int:
    """The line of the anchor itself: what it stands for may begin lines below."""
    begin = content_start(body.data, tree.starts[node], len(body.data))
    mark = b"&" + str(alias)[1:].encode("utf-8", "surrogatepass")
    offset = body.data.rfind(mark, body.start, begin)
    return _line(body, offset if offset >= 0 else begin)


def _line(body: Body, offset: int) -> int:
    return body.data.count(b"\n", 0, offset) + 1
