"""In the child in which goldens are edited: saving them, and saying beforehand what that comes to."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from trace_inspector.core.errors import ChangedOnDiskError
from trace_inspector.core.finding import Finding, Severity
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.editing.places import with_places
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.renewal import renewal
from trace_inspector.formats.common.format import Format, Source
from trace_inspector.work.golden.requests import Ahead, Clash, Forecast, Save, Stand

MOST_FINDINGS = 100


def save(session: EditSession, asked: Save, note: Callable[[str], object]) -> Clash | None:
    """Save; what stands in the way where somebody else wrote the file meanwhile."""
    try:
        session.save(Path(asked.path) if asked.path else None, force=asked.force, note=note)
    except ChangedOnDiskError as problem:
        return Clash(asked.file, str(problem))
    return None


def with_saved(stand: Stand, saved: Document) -> Stand:
    """The same, with what lies on disk."""
    digest = hashlib.sha256(saved.data).hexdigest()
    member = saved.packing.record if saved.packing is not None else None
    stamp = member.contents if member is not None else saved.stamp
    return replace(stand, path=str(saved.path), digest=digest, stamp=stamp)


def forecast(session: EditSession, known: Format, asked: Ahead) -> Forecast:
    """What the file's own system may refuse, by the rules of its format, and what becomes new under another name."""
    document = session.state.document
    items = known.read(Source(document.value, document.path.name))
    told = [one for one in items if isinstance(one, Finding) and one.severity is not Severity.INFO]
    first = tuple(with_places(document, tuple(told[:MOST_FINDINGS])))
    removed = renewal(session.saved, document, Path(asked.path)) if asked.path else ()
    renewed = {one.pointer.rpartition("/")[0] for one in removed}
    return Forecast(asked.file, known.system, first, len(told), len(renewed))
