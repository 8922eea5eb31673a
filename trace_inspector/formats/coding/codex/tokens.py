"""Tokens of Codex, which counts them from the beginning: what each reply took."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.trace.trace import Event, Usage
from trace_inspector.formats.common.fields import Fields, count_of
from trace_inspector.formats.common.turn_flow import TurnFlow

_KINDS = (
    "input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens", "cache_write_input_tokens",
)  # fmt: skip
_Counts = dict[str, int]


class CumulativeTokens:
    """Makes single counts of counts that add up; a repeated record counts nothing."""

    def __init__(self) -> None:
        self._before: _Counts | None = None

    def next(self, whole: Fields | None, last: Fields | None) -> Usage | None:
        """What was used since the last record; None where nothing was, or nothing is said."""
        counted, stated = _counts(whole), _counts(last)
        before, self._before = self._before, counted or self._before
        if not counted:
            return usage_of(stated)
        if counted == before:
            return None
        if before is None:
            return usage_of(stated or counted)
        single = {kind: counted.get(kind, 0) - before.get(kind, 0) for kind in counted}
        if min(single.values()) < 0:  # it began anew
            return usage_of(stated or counted)
        return usage_of(single)


class ReplyTokens:
    """Gives each count to the reply that it is of: the last one without, or one that is still to come."""

    def __init__(self, flow: TurnFlow) -> None:
        self._flow = flow
        self._waiting: Usage | None = None

    def wait(self, usage: Usage) -> None:
        """A count of a reply that is still to come."""
        self._waiting = usage

    def taken(self) -> Usage | None:
        """The count that waits for a reply, for that reply."""
        usage, self._waiting = self._waiting, None
        return usage

    def spend(self, usage: Usage, instead: Event) -> None:
        """A count of the last reply; where none is without, it is an event by itself."""
        events = self._flow.events
        for index in range(len(events) - 1, -1, -1):
            if events[index].usage is not None:
                break
            if events[index].role == "model":
                events[index] = replace(events[index], usage=usage)
                return
        self._flow.happen(replace(instead, usage=usage))

    def settle(self, instead: Event) -> None:
        """The turn ends: nothing waits any longer."""
        usage = self.taken()
        if usage is not None:
            self.spend(usage, instead)


def usage_of(counts: _Counts) -> Usage | None:
    """Counts as usage: reasoning is a part of the output there, and beside it here."""
    if not counts:
        return None
    prompt, cached, output, thoughts, written = (counts.get(kind) for kind in _KINDS)
    if output is not None and thoughts is not None:
        output = max(output - thoughts, 0)
    return Usage(prompt=prompt, candidates=output, thoughts=thoughts, cached=cached, cache_written=written)


def counts_in(fields: Fields | None) -> Usage | None:
    """Usage of an object with counts of its own."""
    return usage_of(_counts(fields))


def _counts(fields: Fields | None) -> _Counts:
    if fields is None:
        return {}
    found = ((kind, count_of(fields.get(kind))) for kind in _KINDS)
    return {kind: count for kind, count in found if count is not None}
