"""Whether a change of YAML changes what it is meant to, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.core.errors import EditError
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.edit import Edit, Insert, Remove, Set
from trace_inspector.core.values.values import Json, present
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.text.requested_places import watch_for
from trace_inspector.documents.yaml.places import fill_in_tree
from trace_inspector.documents.yaml.reader import YamlReader
from trace_inspector.documents.yaml.tree import Tree
from trace_inspector.documents.yaml.view import YamlView

_REFUSED = "In YAML this would change other values, too, or not be read as it is meant. Edit the file by hand."


def check_change(
    document: Document, body: Body, edit: Edit, change: tuple[int, int, str], shared: Callable[[], str]
) -> None:
    """Read the document as it would be; EditError when anything beside the edited value differs.

    `shared` says with what else the edited value is shared, "" for nothing.
    """
    start, end, text = change
    try:
        new = text.encode("utf-8", body.encoding.errors)
    except UnicodeEncodeError as problem:
        raise EditError("The new text holds half a character. Write it as an escape, like \\ud83d.") from problem
    after = Body(b"".join((body.data[:start], new, body.data[end:])), body.start, body.encoding)
    tree = YamlReader(after, lambda: None).read()
    if tree.problem:
        raise EditError(f"This would no longer be valid YAML: {tree.problem.sentence}. Write it as JSON.")
    values = YamlView(tree).values()
    value: Json = values if len(values) > 1 else values[0] if values else None
    if not _others_agree(document.value, value, edit):
        raise EditError(shared() or _REFUSED)
    if not isinstance(edit, Remove) and not _says(value, tree, after, edit):
        raise EditError(_REFUSED)


def _others_agree(before: Json, after: Json, edit: Edit) -> bool:
    tokens = pointers.split(edit.pointer)
    for depth, token in enumerate(tokens):
        is_last = depth + 1 == len(tokens)
        if isinstance(before, dict) and isinstance(after, dict):
            if _without_key(before, token) != _without_key(after, token):
                return False
            before, after = before.get(token), after.get(token)
        elif isinstance(before, list) and isinstance(after, list):
            index = len(before) if token == "-" else pointers.index_of(token) or 0
            here = before if is_last and isinstance(edit, Insert) else before[:index] + before[index + 1 :]
            there = after if is_last and isinstance(edit, Remove) else after[:index] + after[index + 1 :]
            if here != there:
                return False
            if not is_last:
                before, after = before[index], after[index]
        else:
            return False
    return True


def _without_key(value: dict[str, Json], left_out: str) -> list[tuple[str, Json]]:
    return [(key, child) for key, child in value.items() if key != left_out]


def _says(value: Json, tree: Tree, body: Body, edit: Set | Insert) -> bool:
    """Whether the new text, and no more and no less than it, is read at the place of the edit."""
    pointer = edit.pointer
    if pointer.endswith("/-") and isinstance(around := pointers.resolve(value, pointer[:-2]), list):
        pointer = pointers.join(pointer[:-2], len(around) - 1)
    actual = pointers.resolve(value, pointer)
    watch = watch_for((pointer,))
    fill_in_tree(tree, body, watch)
    place = watch.node_at(pointer).place
    if not present(actual) or place is None or body.decode(place.start, place.end) != edit.text:
        return False
    try:
        meant = fast_value(edit.text.encode("utf-8", "surrogatepass"), unique=False)
    except ValueError:  # YAML's own spelling, or what only the tolerant reader takes
        return True
    return type(actual) is type(meant) and actual == meant
