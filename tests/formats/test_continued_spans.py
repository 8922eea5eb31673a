"""Lines of OTLP that are still written: what stays is counted, and what comes costs what follows it."""

from __future__ import annotations

import json

from tests.helpers.sent_spans import request, turn_spans
from trace_inspector.core.rows.contents import Kept
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Json
from trace_inspector.formats.spans.continued_spans import ContinuedSpans


class Told:
    """A reading that goes on, asked by somebody who has all that was told before."""

    def __init__(self) -> None:
        self._spans = ContinuedSpans()
        self._lines = self._known = 0

    def after(self, *turns: tuple[int, str, int]) -> tuple[int, list[str]]:
        """How many conversations were kept, and those that are told, after turns of a trace each."""
        lines: list[Json] = [
            json.loads(request(turn_spans(trace, conversation, "?", "!", at_ms=at_ms)))
            for trace, conversation, at_ms in turns
        ]
        self._spans.take(lines, self._lines)
        self._lines += len(lines)
        items = list(self._spans.items(self._known))
        kept = sum(item.traces for item in items if isinstance(item, Kept))
        told = [item.id for item in items if isinstance(item, Trace)]
        self._known = kept + len(told)
        return kept, told


def test_conversations_before_the_first_with_news_are_only_counted() -> None:
    told = Told()
    assert told.after((1, "a", 0), (2, "b", 100), (3, "c", 200)) == (0, ["a", "b", "c"])
    assert told.after() == (3, [])
    assert told.after((4, "d", 300)) == (3, ["d"])
    assert told.after((5, "c", 400)) == (2, ["c", "d"])
    assert told.after((1, "a", 0)) == (0, ["a", "b", "c", "d"])  # came once more, to the first of all
    assert told.after((6, "e", 500)) == (4, ["e"])


def test_who_has_nothing_is_told_everything() -> None:
    told = Told()
    told.after((1, "a", 0), (2, "b", 100))
    told._known = 0
    assert told.after() == (0, ["a", "b"])
