"""Join results with the conversations that they name, which may be in other input files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Item, collect
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.flows.opening.given_files import Given
from trace_inspector.flows.opening.open_file import BytesRead, Recognised, stream_file

if TYPE_CHECKING:
    from trace_inspector.formats.ces.result.result_join import Conversations

_RESULTS, _CONVERSATIONS = "ces-result", "ces-conversation"
_NAMED = frozenset({_RESULTS, _CONVERSATIONS, "ces-evaluation", "ces-app"})
_StreamItem: TypeAlias = "Recognised | BytesRead | Item"


class FilesTogether(Struct):
    """The input files of one command; a result gets the conversations that it names in any of them.

    The other files are searched once, when the first result needs it.
    """

    paths: Sequence[Path]
    _others: dict[Path, tuple[tuple[Trace, ...], frozenset[str]]] | None = None

    def stream(self, path: Path) -> Iterator[_StreamItem]:
        """A file as it is read; results come once all of the file is read, where there are other files."""
        items = stream_file(path)
        for item in items:
            yield item
            if isinstance(item, Recognised) and item.format == _RESULTS and len(self.paths) > 1:
                yield from self._completed(path, list(items))

    def _completed(self, path: Path, items: Sequence[_StreamItem]) -> Iterator[_StreamItem]:
        """Results with their conversations, without goldens that a given evaluation has as well."""
        from trace_inspector.formats.ces.result.result_join import conversations_of, joined, without

        own = collect(_RESULTS, _items(items)).traces
        if self._others is None:
            self._others = {other: _named_in(other) for other in self.paths}
        beside = [content for other, content in self._others.items() if other != path]
        own_conversations = conversations_of(own)
        others = without(conversations_of(chain(own, *(traces for traces, _ in beside))), own_conversations)
        stated = frozenset(chain.from_iterable(ids for _, ids in beside))
        repeated = {item.golden_place for item in items if isinstance(item, CaseVerdict)}
        traces = iter(own)
        for item in items:
            if isinstance(item, Trace):
                yield joined(next(traces), others, elsewhere=True)
            elif isinstance(item, Suite) and item.cases:
                remaining = tuple(case for case in item.cases if case.place not in repeated or case.id not in stated)
                yield from [replace(item, cases=remaining)] if remaining else []
            elif not isinstance(item, Turn):
                yield item


def _named_in(path: Path) -> tuple[tuple[Trace, ...], frozenset[str]]:
    """The conversations that a result may name, and the ids of evaluations; none from unreadable files."""
    items = stream_file(path)
    try:
        format_name = next((item.format for item in items if isinstance(item, Recognised)), "")
        contents = collect(format_name, _items(items) if format_name in _NAMED else ())
    except InspectorError:
        return (), frozenset()
    ids = (case.id for suite in contents.suites for case in suite.cases if format_name != _RESULTS)
    return tuple(trace for trace in contents.traces if trace.case_id is None), frozenset(ids)


def _items(items: Iterable[_StreamItem]) -> Iterator[Item]:
    return (item for item in items if not isinstance(item, Recognised | BytesRead))


def with_conversations(given: Sequence[Given]) -> tuple[Given, ...]:
    """The files with results joined; a conversation that a result names is not judged a second time by itself.

    A file that is only outlined stays as it is: its traces are read again one by one.
    """
    meant = [not file.outlined and file.contents.format in (_RESULTS, _CONVERSATIONS) for file in given]
    if not any(meant):
        return tuple(given)
    from trace_inspector.formats.ces.result.result_join import conversations_of, names_in

    traces = [file.contents.traces if joins else () for file, joins in zip(given, meant, strict=True)]
    if not any(names_in(trace) for file_traces in traces for trace in file_traces):
        return tuple(given)
    conversations = [conversations_of(file_traces) for file_traces in traces]
    every = conversations_of(trace for file_traces in traces for trace in file_traces)
    named = {name for file_traces in traces for trace in file_traces for name in names_in(trace)}
    named_ids = {trace.session_id for name in named if (trace := every.find(name)) is not None}
    return tuple(
        _joined(file, own, every, named_ids) if joins else file
        for file, own, joins in zip(given, conversations, meant, strict=True)
    )


def _joined(given: Given, own: Conversations, every: Conversations, named_ids: set[str | None]) -> Given:
    from trace_inspector.formats.ces.result.result_join import joined, without

    others = without(every, own)
    traces = tuple(
        # First with conversations of the same file, whose places are valid there.
        joined(joined(trace, own, elsewhere=False), others, elsewhere=True)
        for trace in given.contents.traces
        if trace.case_id is not None or trace.session_id not in named_ids
    )
    return replace(given, contents=replace(given.contents, traces=traces))
