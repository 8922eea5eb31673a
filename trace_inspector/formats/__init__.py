"""One file per format: how to recognise it, read it into core, write core back. FORMATS is the one list."""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats.adk.eval_set import eval_config as adk_eval_config
from trace_inspector.formats.adk.eval_set import eval_set as adk_eval_set
from trace_inspector.formats.adk.eval_set import legacy as adk_legacy
from trace_inspector.formats.adk.result import eval_result as adk_eval_result
from trace_inspector.formats.adk.session import session as adk_session
from trace_inspector.formats.adk.session import session_db as adk_session_db
from trace_inspector.formats.agent_eval import format as agent_eval
from trace_inspector.formats.agent_eval import summary as agent_eval_summary
from trace_inspector.formats.ces.app import app as ces_app
from trace_inspector.formats.ces.app import resource as ces_resource
from trace_inspector.formats.ces.common import expectation as ces_expectation
from trace_inspector.formats.ces.evaluation import dataset as ces_dataset
from trace_inspector.formats.ces.evaluation import evaluation as ces_evaluation
from trace_inspector.formats.ces.evaluation import evaluation_csv as ces_evaluation_csv
from trace_inspector.formats.ces.result import conversation as ces_conversation
from trace_inspector.formats.ces.result import result as ces_result
from trace_inspector.formats.ces.result.wrapping import mixed, replied
from trace_inspector.formats.ces.run import run as ces_run
from trace_inspector.formats.ces.run import run_request as ces_run_request
from trace_inspector.formats.common.document_lists import wrapped
from trace_inspector.formats.common.format import Format
from trace_inspector.formats.scrapi import format as scrapi
from trace_inspector.formats.scrapi import result as scrapi_result
from trace_inspector.formats.spans import adk_debug_trace, jaeger, otlp
from trace_inspector.formats.spans import dumps as span_dumps
from trace_inspector.formats.vertex.item import dataset as vertex_dataset
from trace_inspector.formats.vertex.item import item as vertex_item
from trace_inspector.formats.vertex.result import result as vertex_result

FORMATS: tuple[Format, ...] = (
    adk_eval_set.FORMAT,
    adk_legacy.FORMAT,
    adk_session.FORMAT,
    adk_session_db.FORMAT,
    adk_eval_config.FORMAT,
    adk_eval_result.FORMAT,
    adk_debug_trace.FORMAT,
    otlp.FORMAT,
    jaeger.FORMAT,
    span_dumps.FORMAT,
    vertex_item.FORMAT,
    vertex_dataset.FORMAT,
    vertex_result.FORMAT,
    ces_app.FORMAT,
    ces_resource.FORMAT,
    ces_result.FORMAT,
    ces_run.FORMAT,
    ces_run_request.FORMAT,
    ces_conversation.FORMAT,
    ces_evaluation.FORMAT,
    ces_evaluation_csv.FORMAT,
    ces_dataset.FORMAT,
    ces_expectation.FORMAT,
    scrapi.FORMAT,
    scrapi_result.FORMAT,
    agent_eval.FORMAT,
    agent_eval_summary.FORMAT,
)


def recognise(value: Json) -> Format | None:
    """The format that is surest of a document, or of those in a reply or a list, or None."""
    return replied(value, _surest) or _surest(value) or wrapped(value, _surest) or mixed(value, _surest)


def system_of(name: str) -> str:
    """Whose files the format of that name has, "" where there is none of it."""
    return next((known.system for known in FORMATS if known.name == name), "")


def _surest(value: Json) -> Format | None:
    score, found = max(((known.recognise(value), known) for known in FORMATS), key=lambda pair: pair[0])
    return found if score > 0 else None
