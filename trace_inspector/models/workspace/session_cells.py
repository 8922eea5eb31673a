"""What the rows of a coding agent's folder and of its sessions say."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import Qt

from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.figures import count_text, when_text
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.session_rows import SessionFolder, SessionRow

_BETWEEN = " · "
_MINUTES = len("2026-11-30 05:08")  # of a time; the tip has its seconds


def folder_cell(folder: SessionFolder, role: int) -> Any:
    """A cell of the folder itself."""
    if role == Qt.ItemDataRole.DisplayRole:
        return folder.name
    if role == Role.ICON:
        return "folder"
    if role == Role.NUMBER:
        return folder.number
    if role == Role.CAPTION:
        return _sessions(folder)
    if role == Qt.ItemDataRole.ToolTipRole:
        return "\n".join([str(folder.path), *_folder_facts(folder)])
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return ", ".join([folder.name, *_folder_facts(folder)])
    return None


def session_cell(row: SessionRow, role: int) -> Any:
    """A cell of a session that is not open."""
    if role == Qt.ItemDataRole.DisplayRole:
        return row.title
    if role == Role.ICON:
        return session_icon(row)
    if role == Role.NUMBER:
        return row.number
    if role == Role.CAPTION:
        return tr("could not be read") if row.trouble else ""
    if role == Role.FAILING:
        return bool(row.trouble)
    if role == Role.SECOND_LINE:
        return second_line(row)
    if role == Qt.ItemDataRole.ToolTipRole:
        return "\n".join(filter(None, (str(row.outline.path), row.trouble, *session_facts(row), tr("Not read yet."))))
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return ", ".join(filter(None, (row.title, *session_facts(row), row.trouble, tr("not read yet"))))
    return None


def session_icon(row: SessionRow) -> str:
    """Sub-agents are told from sessions also where they do not stand below one."""
    return "agent" if row.outline.parent else "trace"


def second_line(row: SessionRow) -> str:
    """When it began, its size and model, and its turns and tokens once they are counted."""
    outline, counts = row.outline, row.counts
    if row.trouble:
        return ""
    if not outline.format:
        words = tr("is empty") if not outline.size_bytes else tr("not known by its beginning")
        return _BETWEEN.join(filter(None, (size_text(outline.size_bytes) if outline.size_bytes else "", words)))
    began = when_text(outline.start_s)[:_MINUTES] if outline.start_s is not None else ""
    began = began.removeprefix(time.strftime("%Y-"))
    counted_parts = (
        (counted(counts.turns, "turn"), tr("{0} tokens").format(count_text(row.tokens))) if counts is not None else ()
    )
    return _BETWEEN.join(filter(None, (began, size_text(outline.size_bytes), outline.model, *counted_parts)))


def session_facts(row: SessionRow) -> list[str]:
    """All that is known of it, in words."""
    outline, counts = row.outline, row.counts
    began = when_text(outline.start_s) if outline.start_s is not None else ""
    below = tr("sub-agent of {0}").format(outline.parent) if outline.parent else ""
    facts = [began, outline.model, size_text(outline.size_bytes), below]
    if counts is not None:
        tokens = tr("{0} tokens in, {1} out").format(f"{counts.input_tokens:,}", f"{counts.output_tokens:,}")
        facts += [counted(counts.turns, "turn"), counted(counts.calls, "call"), tokens]
    return [_BETWEEN.join(filter(None, facts))]


def size_text(size_bytes: int) -> str:
    """The size of a file: 840 B, 35 kB, 1.9 MB, 2.1 GB."""
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if size_bytes >= unit:
            return f"{size_bytes / unit:,.1f} {name}"
    return f"{size_bytes / 1e3:,.0f} kB" if size_bytes >= 1e3 else f"{size_bytes} B"


def _sessions(folder: SessionFolder) -> str:
    if folder.listing and len(folder.by_path) < folder.total:
        return tr("{0} of {1} listed").format(f"{len(folder.by_path):,}", f"{folder.total:,}")
    return counted(len(folder.by_path) - folder.agents, "session")


def _folder_facts(folder: SessionFolder) -> list[str]:
    agents = counted(folder.agents, "sub-agent") if folder.agents else ""
    facts = [_sessions(folder), agents, size_text(folder.size_bytes)]
    read = tr("{0} of {1} files are read.").format(f"{len(folder.open_files):,}", f"{len(folder.by_path):,}")
    beside = (
        tr("{0} that their program keeps beside them are not listed.").format(counted(folder.others, "file"))
        if folder.others
        else ""
    )
    return [_BETWEEN.join(filter(None, facts)), *filter(None, (read, beside))]
