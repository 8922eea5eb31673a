"""One file per format: how to read it into core, write core back. FORMATS is the one list, a row a format.

A row says how its format is recognised, and imports what reads it when that is needed.
"""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats import (
    adk,
    adk_ports,
    agent_eval,
    agents,
    atif,
    ces,
    chat,
    coding,
    eval_tools,
    langgraph,
    scrapi,
    spans,
    vertex,
)
from trace_inspector.formats.ces.result.wrapping import mixed, replied
from trace_inspector.formats.common.document_lists import wrapped
from trace_inspector.formats.common.format import Format

FORMATS: tuple[Format, ...] = (
    *adk.FORMATS,
    *adk_ports.FORMATS,
    *spans.FORMATS,
    *vertex.FORMATS,
    *ces.FORMATS,
    *scrapi.FORMATS,
    *agent_eval.FORMATS,
    *atif.FORMATS,
    *chat.FORMATS,
    *langgraph.FORMATS,
    *eval_tools.FORMATS,
    *coding.FORMATS,
    *agents.FORMATS,
)
BY_NAME = {known.name: known for known in FORMATS}


def recognise(value: Json) -> Format | None:
    """The format that is surest of a document, or of those in a reply or a list, or None."""
    return replied(value, _surest) or _surest(value) or wrapped(value, _surest) or mixed(value, _surest)


def system_of(name: str) -> str:
    """Whose files the format of that name has, "" where there is none of it."""
    row = BY_NAME.get(name)
    return row.system if row is not None else ""


def _surest(value: Json) -> Format | None:
    score, surest = max(((row.recognise(value), row) for row in FORMATS), key=lambda pair: pair[0])
    return surest if score > 0 else None
