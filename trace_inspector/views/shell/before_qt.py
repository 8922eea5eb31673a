"""The modules of the window that need no Qt, to be imported before it; then Qt, kept from reading the others.

Qt's binding reads the source of every module that is imported after it, and keeps it, to see whether that uses Qt:
only there need it switch spellings of Qt off that another module has switched on. That takes a tenth of the start.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

import trace_inspector.core.values.relocate
import trace_inspector.core.verdict.stale
import trace_inspector.documents.saving.draft_journal
import trace_inspector.models.base.edited_file
import trace_inspector.models.runs.pending
import trace_inspector.models.search.filter_language
import trace_inspector.models.search.whole_texts
import trace_inspector.store.open_windows
import trace_inspector.work.golden.bulk_requests
import trace_inspector.work.golden.service
import trace_inspector.work.processes.request_child
import trace_inspector.work.reading.excerpts
import trace_inspector.work.reading.linting
import trace_inspector.work.reading.reopening
import trace_inspector.work.runs.comparison
import trace_inspector.work.runs.proposing
import trace_inspector.work.runs.reporting  # noqa: F401

# isort: split
import PySide6.QtCore  # noqa: F401

_LOOK = "_mod_uses_pyside"


def _not_at_ours(look: Callable[[ModuleType], bool]) -> Callable[[ModuleType], bool]:
    """Ours are switched back without a look, those that use no Qt too."""
    return lambda module: module.__name__.partition(".")[0] == "trace_inspector" or look(module)


_features = sys.modules.get("shibokensupport.feature")
if hasattr(_features, _LOOK):  # in the versions that pyproject.toml allows; another one starts more slowly
    setattr(_features, _LOOK, _not_at_ours(getattr(_features, _LOOK)))
