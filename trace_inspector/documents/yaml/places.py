"""Where the values of a YAML file stand. What an alias stands for is found where its anchor is."""

from __future__ import annotations

from collections.abc import Container

from trace_inspector.core.values.pointer import index_of
from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.text.requested_places import Place, Watch, looks_inside
from trace_inspector.documents.yaml.reader import YamlReader
from trace_inspector.documents.yaml.tree import MAPPINGS, SEQUENCES, Tree


def yaml_tree(body: Body) -> Tree:
    """The nodes of a body."""
    return YamlReader(body, lambda: None).read()


def fill_in_yaml(body: Body, watch: Watch) -> None:
    """Fill in a tree of requested places, as offsets into the body."""
    fill_in_tree(yaml_tree(body), body, watch)


def fill_in_tree(tree: Tree, body: Body, watch: Watch) -> None:
    """The same for nodes that are read already."""
    if len(tree.roots) > 1:
        watch.place = Place(body.start, body.start, len(body.data))
        stack = _elements(tree, tree.roots, watch)
    else:
        stack = [(root, tree.starts[root], watch) for root in tree.roots]
    while stack:
        node, member, child = stack.pop()
        child.place = Place(member, tree.starts[node], tree.ends[node])
        inside = tree.followed(node)
        if not looks_inside(child):
            continue
        if tree.styles[inside] in SEQUENCES:
            stack.extend(_elements(tree, list(tree.children(inside)), child))
        elif tree.styles[inside] in MAPPINGS:
            stack.extend(_members(tree, inside, child))


_Visits = list[tuple[int, int, Watch]]


def _elements(tree: Tree, nodes: list[int], watch: Watch) -> _Visits:
    if watch.members is not None:
        watch.members.extend(Place(tree.starts[node], tree.starts[node], tree.ends[node]) for node in nodes)
    requested = ((index_of(token), child) for token, child in watch.children.items())
    return [
        (nodes[index], tree.starts[nodes[index]], child)
        for index, child in requested
        if index is not None and index < len(nodes)
    ]


def _members(tree: Tree, node: int, watch: Watch) -> _Visits:
    if watch.members is not None:
        watch.members.extend(
            Place(tree.starts[key], tree.starts[value], tree.ends[value]) for key, value in tree.pairs(node)
        )
    by_name = keys_and_values(tree, node, watch.children.keys())
    return [(value, tree.starts[key], watch.children[name]) for name, (key, value) in by_name.items()]


def keys_and_values(tree: Tree, node: int, names: Container[str]) -> dict[str, tuple[int, int]]:
    """The keys of some names in a mapping and what is merged into it, each with its value."""
    result: dict[str, tuple[int, int]] = {}
    stack, seen = [node], {node}
    while stack:
        mapping = stack.pop()
        own: dict[str, tuple[int, int]] = {}
        merged: list[int] = []
        for key, value in tree.pairs(mapping):
            sources = merge_sources(tree, value) if key in tree.merges else []
            merged += [source for source in sources if source not in seen]
            if not sources and (name := tree.key(key)) in names:
                own[name] = (key, value)
        result = own | result
        seen.update(merged)
        stack += reversed(merged)
    return result


def merge_sources(tree: Tree, value: int) -> list[int]:
    """The mappings that a merge key names; none when it names anything else."""
    value = tree.followed(value)
    sources = [value]
    if tree.styles[value] in SEQUENCES:
        sources = [tree.followed(source) for source in tree.children(value)]
    return sources if all(tree.styles[source] in MAPPINGS for source in sources) else []
