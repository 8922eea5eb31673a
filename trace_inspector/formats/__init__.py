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
    evidence,
    langgraph,
    results,
    scrapi,
    spans,
    vertex,
)
from trace_inspector.formats.ces.result.wrapping import mixed, replied
from trace_inspector.formats.common.document_lists import wrapped
from trace_inspector.formats.common.format import Format
from trace_inspector.formats.common.recogniser import most_of

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
    *evidence.FORMATS,
    *results.FORMATS,
)
BY_NAME = {known.name: known for known in FORMATS}
# Who may be surest comes first: in a folder of many files that are alike most others need not look at any of them.
_BY_MOST = sorted(
    ((most_of(row.recognise), at, row) for at, row in enumerate(FORMATS)), key=lambda known: (-known[0], known[1])
)


def recognise(value: Json) -> Format | None:
    """The format that is surest of a document, or of those in a reply or a list, or None."""
    return replied(value, _surest) or _surest(value) or wrapped(value, _surest) or mixed(value, _surest)


def system_of(name: str) -> str:
    """Whose files the format of that name has, "" where there is none of it."""
    row = BY_NAME.get(name)
    return row.system if row is not None else ""


def _surest(value: Json) -> Format | None:
    """The format with the highest confidence, of several with the same the first; who cannot win is not asked."""
    best, place, surest = 0, len(FORMATS), None
    for most, at, row in _BY_MOST:
        if (most, -at) < (best, -place):
            break
        score = row.recognise(value)
        if (score, -at) > (best, -place):
            best, place, surest = score, at, row
    return surest if best > 0 else None
