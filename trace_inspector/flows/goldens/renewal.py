"""Edits for a copy under another name, where a service lets nobody change the original resources."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.core.values.edit import Edit
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.formats import recognise


def renewal(before: Document, after: Document, path: Path | None) -> tuple[Edit, ...]:
    """The edits that turn edited resources into new ones; none where the file keeps its name."""
    if path is None or real_path(path) == real_path(before.path) or before.data == after.data:
        return ()
    file_format = recognise(after.value) or recognise(before.value)
    return (
        file_format.renewed(before.value, after.value)
        if file_format is not None and file_format.renewed is not None
        else ()
    )
