"""Apply steps between two values as edits of the document that holds them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.values.json_numbers import formatted
from trace_inspector.core.values.pointer import index_of, join, resolve
from trace_inspector.core.values.value_edits import Add, Put, ValueStep, after_step, edits_of
from trace_inspector.core.values.value_paths import with_value
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.editing.places import place_in, with_place_cache
from trace_inspector.documents.editing.splice import patched, plan
from trace_inspector.documents.json.dialect import Dialect, dialect_of, with_dialect
from trace_inspector.documents.text.encoding import body_of
from trace_inspector.documents.text.patch import Patch, difference, in_order

_BLANK = re.compile(rb"[ \t]*+")


def after_steps(
    document: Document, steps: Sequence[ValueStep], listed: str | None = None
) -> tuple[Document, list[Patch]]:
    """The document after the steps in order, and the patches that were applied.

    Within items of the list at the pointer `listed`, places come from a cache, however large the document is.
    """
    if listed is not None:
        document = with_place_cache(document, listed)
    document = with_dialect(document)
    spell = _Speller(document, dialect_of(document))
    patches = []
    for is_within, stretch in groupby(steps, lambda step: _item(step, listed) is not None):
        some = tuple(stretch)
        made = _in_items(document, some, spell, listed or "") if is_within else None
        document, made_patches = made or _one_by_one(document, some, spell)
        patches += made_patches
    return document, patches


def _one_by_one(
    document: Document, steps: Sequence[ValueStep], spell: _Speller, root: str = ""
) -> tuple[Document, list[Patch]]:
    """Apply steps to a document that stands at a pointer of a larger one."""
    patches = []
    for step in steps:
        there = replace(step, pointer=step.pointer[len(root) :])
        (edit,) = (replace(edit, pointer=there.pointer) for edit in edits_of((step,), spell.text))
        patch = plan(document, edit, spell.dialect)
        document = patched(document, patch, value=after_step(document.value, there))
        patches.append(patch)
    return document, patches


def _in_items(
    document: Document, steps: Sequence[ValueStep], spell: _Speller, listed: str
) -> tuple[Document, list[Patch]] | None:
    """Change each item as a document of its own, and put the file together once.

    None where the places are not cached or an item cannot be changed alone: the whole document then gives the reason.
    """
    marks, container = document.place_cache, resolve(document.value, listed)
    if marks is None or marks.pointer != listed or not isinstance(container, list):
        return None
    steps_by_item = defaultdict[int, list[ValueStep]](list)
    for step in steps:
        steps_by_item[_item(step, listed) or 0].append(step)
    items, patches = list(container), list[Patch]()
    growth, looked, indentation = 0, 0, b""
    for index in sorted(steps_by_item):
        if index >= len(marks.starts):
            return None
        start, end = marks.starts[index], marks.ends[index]
        indentation, looked = _indentation(document.data, looked, start, indentation), start
        item = replace(document, data=indentation + document.data[start:end], value=items[index], place_cache=None)
        if body_of(item.data).data is not item.data:  # alone, its encoding would be detected as another one
            return None
        try:
            changed, made = _one_by_one(item, steps_by_item[index], spell, join(listed, index))
        except EditError:
            return None
        for cut in in_order(made) or in_order([difference(item.data, changed.data)]) or ():
            patches.append(Patch(cut.start + start - len(indentation) + growth, cut.old, cut.new))
            growth += cut.growth
        items[index] = changed.value
    return patched(document, *patches, value=with_value(document.value, listed, items)), patches


def _item(step: ValueStep, listed: str | None) -> int | None:
    """The index of the list item that a step changes from within; None for any other step."""
    if listed is None or not step.pointer.startswith(f"{listed}/"):
        return None
    token, below, _rest = step.pointer[len(listed) + 1 :].partition("/")
    return index_of(token) if below else None


def _indentation(data: bytes, looked: int, start: int, before: bytes) -> bytes:
    """The indentation of the line that an offset is on; `before` where no line begins after `looked`."""
    line = data.rfind(b"\n", looked, start) + 1
    blank = _BLANK.match(data, line, start) if line else None
    return blank.group() if blank else before


class _Speller(Struct, frozen=True):
    """Formats new values in the style of the document; a value that only moves keeps its text."""

    document: Document
    dialect: Dialect

    def text(self, step: Put | Add) -> str:
        """The text of a value to insert."""
        origin = step.moved_from if isinstance(step, Add) else ""
        if origin:
            body = body_of(self.document.data)
            place = place_in(self.document, body, origin)
            if place is not None:
                return body.decode(place.start, place.end)
        depth = len(step.pointer.split("/")) - 1
        return formatted(step.value, self.dialect.layout, depth)
