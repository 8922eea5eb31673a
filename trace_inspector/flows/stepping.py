"""Steps from one value to another as edits of the document that holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trace_inspector.core.spelled import laid_out
from trace_inspector.core.value_edits import Add, Put, Step, after_step, edits_of
from trace_inspector.documents.dialect import Dialect, dialect_of, with_dialect
from trace_inspector.documents.document import Document
from trace_inspector.documents.encoding import body_of
from trace_inspector.documents.patch import Patch
from trace_inspector.documents.places import place_in, with_landmarks
from trace_inspector.documents.splice import patched, plan


def stepped(document: Document, steps: Sequence[Step], listed: str | None = None) -> tuple[Document, list[Patch]]:
    """The document after steps made one after the other, and the patches that led there.

    In the items of the list that is named places are found at once, however large the document is.
    """
    if listed is not None:
        document = with_landmarks(document, listed)
    document = with_dialect(document)
    dialect = dialect_of(document)
    spell = _Speller(document, dialect)
    patches = []
    for step in steps:
        (edit,) = edits_of((step,), spell.text)
        patch = plan(document, edit, dialect)
        document = patched(document, patch, value=after_step(document.value, step))
        patches.append(patch)
    return document, patches


@dataclass(frozen=True, slots=True)
class _Speller:
    """Spells new values as the document spells its own; what only moves keeps its very text."""

    document: Document
    dialect: Dialect

    def text(self, step: Put | Add) -> str:
        """The text of what comes in."""
        origin = step.moved_from if isinstance(step, Add) else ""
        if origin:
            body = body_of(self.document.data)
            place = place_in(self.document, body, origin)
            if place is not None:
                return body.decode(place.start, place.end)
        depth = len(step.pointer.split("/")) - 1
        return laid_out(step.value, self.dialect.layout, depth)
