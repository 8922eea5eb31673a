"""The modules of the window that need no Qt, to be imported before it.

Qt's binding reads the source of every module that is imported after it, to see whether that uses Qt, which takes a
tenth of the start.
"""

from __future__ import annotations

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
