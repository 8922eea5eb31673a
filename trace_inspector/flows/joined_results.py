"""Results among the files of a run with the conversations that they name, which may lie in other files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trace_inspector.flows.given_files import Given
from trace_inspector.formats import ces_conversation, ces_result
from trace_inspector.formats.ces_result_join import Conversations, conversations_of, joined, names_in, without

_RESULTS, _CONVERSATIONS = ces_result.FORMAT.name, ces_conversation.FORMAT.name


def with_conversations(given: Sequence[Given]) -> tuple[Given, ...]:
    """The same files; what a result names is judged as that result's, and no second time by itself.

    A file that is only outlined is left as it is: its traces are read again one by one.
    """
    meant = [not one.outlined and one.contents.format in (_RESULTS, _CONVERSATIONS) for one in given]
    traces = [one.contents.traces if joins else () for one, joins in zip(given, meant, strict=True)]
    if not any(names_in(trace) for held in traces for trace in held):
        return tuple(given)
    known = [conversations_of(held) for held in traces]
    every = conversations_of(trace for held in traces for trace in held)
    named = {name for held in traces for trace in held for name in names_in(trace)}
    found = {trace.session_id for name in named if (trace := every.find(name)) is not None}
    return tuple(
        _joined(one, own, every, found) if joins else one for one, own, joins in zip(given, known, meant, strict=True)
    )


def _joined(given: Given, own: Conversations, every: Conversations, found: set[str | None]) -> Given:
    others = without(every, own)
    traces = tuple(
        # First with what lies in the same file, whose places mean something there.
        joined(joined(trace, own, elsewhere=False), others, elsewhere=True)
        for trace in given.contents.traces
        if trace.case_id is not None or trace.session_id not in found
    )
    return replace(given, contents=replace(given.contents, traces=traces))
