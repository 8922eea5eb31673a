"""Change values of a file on disk, save it, and report which lines changed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.values.edit import Edit
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.editing.splice import patched, plan
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.saving.changed_lines import ChangedLine, changed_lines
from trace_inspector.documents.saving.saving import save
from trace_inspector.documents.text.patch import Patch


class EditReport(Struct, frozen=True):
    """The document as it was saved, and the lines that changed, each with its number, old and new text.

    `notes` are remarks of the save.
    """

    document: Document
    lines: tuple[ChangedLine, ...]
    notes: tuple[str, ...] = ()


def edit_file(path: Path, edits: Iterable[Edit], out: Path | None = None) -> EditReport:
    """Apply edits one after the other and save once, to `out` or in place. If one fails, nothing is written."""
    before = read(path)
    after, patches = edited(before, edits)
    notes: list[str] = []
    saved = save(after, out, note=notes.append) if out or after.data != before.data else after
    return EditReport(saved, changed_lines(before, after, patches), tuple(notes))


def edited(document: Document, edits: Iterable[Edit]) -> tuple[Document, tuple[Patch, ...]]:
    """The document after the edits in order, and the patches that were applied."""
    patches = []
    for edit in edits:
        patch = plan(document, edit)
        document = patched(document, patch)
        patches.append(patch)
    return document, tuple(patches)
