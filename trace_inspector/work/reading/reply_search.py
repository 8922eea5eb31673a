"""Searches the stored judge replies in a child, as there may be many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from trace_inspector.work.processes.child import Channel, Progress

_TELL_EVERY = 200


class Sought(Protocol):
    """What is looked for."""

    def find(self, text: str) -> tuple[int, int] | None:
        """The first match in a text. TimeoutError when that takes too long."""


class ReplyFound(Struct, frozen=True):
    """The reply with that number among those asked for; where in its text it was found."""

    number: int
    text: str
    start: int
    end: int


def look_through(channel: Channel, digests: Sequence[str], sought: Sought) -> None:
    """In the child: send the stored replies with these digests that match."""
    from trace_inspector.flows.judges.stored_calls import stored_calls

    with stored_calls() as calls:
        for number, digest in enumerate(digests):
            if number % _TELL_EVERY == 0:
                channel.send(Progress(number, len(digests), f"{number:,} of {len(digests):,}"))
            call = calls.get(digest) if calls is not None else None
            span = _first_match(sought, call.reply or "") if call is not None else None
            if call is not None and call.reply and span:
                channel.send(ReplyFound(number, *_around(call.reply, *span)))


def _around(text: str, start: int, end: int) -> tuple[str, int, int]:
    """No more of a long reply than an excerpt needs."""
    first = max(0, start - 500)
    return text[first : end + 500], start - first, end - first


def _first_match(sought: Sought, text: str) -> tuple[int, int] | None:
    try:
        return sought.find(text)
    except TimeoutError:
        return None
