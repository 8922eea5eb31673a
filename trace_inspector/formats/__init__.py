"""One file per format: how to recognise it, read it into core, write core back. FORMATS is the one list."""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats import (
    adk_debug_trace,
    adk_eval_config,
    adk_eval_result,
    adk_eval_set,
    adk_legacy,
    adk_session,
    adk_session_db,
    agent_eval,
    agent_eval_summary,
    ces_app,
    ces_conversation,
    ces_dataset,
    ces_evaluation,
    ces_evaluation_csv,
    ces_expectation,
    ces_resource,
    ces_result,
    ces_run,
    ces_run_request,
    jaeger,
    otlp,
    scrapi,
    scrapi_result,
    span_dumps,
    vertex_dataset,
    vertex_item,
    vertex_result,
)
from trace_inspector.formats.ces_wrapping import mixed, replied
from trace_inspector.formats.format import Format
from trace_inspector.formats.several import wrapped

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
