"""One file per format: how to read it into core, write core back. FORMATS is the one list, a row a format.

A row says how its format is recognised, and imports what reads it when that is needed. Formats of plugins are asked
for by functions: they are looked for where none of ours will do.
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
GUESSED = 50  # of what ours are no surer than this, plugins are asked as well
BY_NAME = {known.name: known for known in FORMATS}
# Who may be surest comes first: in a folder of many files that are alike most others need not look at any of them.
_BY_MOST = sorted(
    ((most_of(row.recognise), at, row) for at, row in enumerate(FORMATS)), key=lambda known: (-known[0], known[1])
)


def recognise(value: Json) -> Format | None:
    """The format that is surest of a document, or of those in a reply or a list, or None."""
    known = replied(value, _surest) or _surest(value) or wrapped(value, _surest) or mixed(value, _surest)
    sure = known.recognise(value) if known is not None else 0
    if known is not None and not 0 < sure <= GUESSED:  # 0 for one within others
        return known
    from trace_inspector.formats.plugins.plugin_formats import surest_plugin

    return surest_plugin(value, sure) or known


def format_named(name: str) -> Format | None:
    """The format of that name: one of ours, else one of a plugin."""
    if name in BY_NAME or not name:
        return BY_NAME.get(name)
    from trace_inspector.formats.plugins.plugin_formats import plugin_format

    return plugin_format(name)


def all_formats() -> tuple[Format, ...]:
    """Ours and those of plugins."""
    from trace_inspector.formats.plugins.plugin_formats import plugin_formats

    return (*FORMATS, *plugin_formats())


def broken_recognisers(value: Json) -> tuple[str, ...]:
    """The plugins that failed when they were asked about a document that nobody recognised, each in a sentence."""
    from trace_inspector.formats.plugins.plugin_formats import failures

    return failures(value)


def system_of(name: str) -> str:
    """Whose files the format of that name has, "" where there is none of it."""
    row = format_named(name)
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
