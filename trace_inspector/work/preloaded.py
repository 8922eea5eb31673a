"""Imports what nearly every child process needs, once, in the server they are forked from.

Nobody else imports this. What only few need, or takes long to import, is left to them.
"""

from __future__ import annotations

import pydantic_core  # noqa: F401 — reads files of JSON that are not small

import trace_inspector.documents.editing.places
import trace_inspector.documents.protobuf.messages
import trace_inspector.documents.sqlite.tables
import trace_inspector.documents.yaml.places
import trace_inspector.documents.yaml.view
import trace_inspector.documents.zip.member
import trace_inspector.engine.audit.audit
import trace_inspector.engine.ces.call_policy
import trace_inspector.engine.grounding.calculations.calculations
import trace_inspector.engine.grounding.records.check
import trace_inspector.engine.trace_grid.compare
import trace_inspector.flows.judges.call_counter
import trace_inspector.flows.runs.evaluate_files
import trace_inspector.flows.runs.store_run
import trace_inspector.formats.adk.eval_set.case_change
import trace_inspector.formats.adk.eval_set.eval_set_writer
import trace_inspector.formats.ces.result.result_join
import trace_inspector.work.golden.server
import trace_inspector.work.reading.following
import trace_inspector.work.runs.comparing  # noqa: F401
from trace_inspector.engine.criteria.criteria import always_reported
from trace_inspector.engine.criteria.rules import ADK_DEFAULTS
from trace_inspector.engine.metrics import METRICS
from trace_inspector.formats import FORMATS

_JUDGED_BY = frozenset(criterion.metric for criterion in ADK_DEFAULTS.items)
for _file_format in FORMATS:
    _file_format.load()
for _metric in METRICS:
    if _metric.name in _JUDGED_BY or always_reported(_metric):
        _metric.load()
