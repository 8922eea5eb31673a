"""Turns of a conversation that is told message by message, as chats and the logs of coding agents are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.trace.parts import Part, Text, ToolCall, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.extra import Extra

_NEVER_ANSWER = ("tool", "system", "user")  # roles whose words are no answer


class _OpenTurn(Struct):
    """What is known of the turn that is being told."""

    id: str | None
    place: str
    asked: list[Part] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    extras: list[Extra] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    duration_s: float | None = None
    guessed: set[str] = field(default_factory=set)


class TurnFlow:
    """What a user says opens a turn, and all that follows belongs to it; messages in a row are said together.

    The last words of an agent, with no call in them or after them, are the answer. Times of turns are derived from
    those of messages and marked as guessed, unless `last` states the duration.
    """

    def __init__(self) -> None:
        self._count = 0
        self._open: _OpenTurn | None = None

    def ask(
        self, parts: Iterable[Part], *, turn_id: str | None = None, time_s: float | None = None, place: str = ""
    ) -> Iterator[Turn]:
        """A message of the user; gives the turn before, once something has happened in it."""
        if self._open is not None and self._open.events:
            yield from self.finish()
        turn = self._opened(place, turn_id)
        turn.asked.extend(parts)
        _note(turn, time_s)

    def happen(self, event: Event) -> None:
        """Something that an agent, a model or a tool did; before any message of a user it opens a turn by itself."""
        turn = self._opened(event.place)
        turn.events.append(event)
        _note(turn, event.time_s)

    def note(self, time_s: float | None) -> None:
        """A time at which the turn went on, if one is open."""
        if self._open is not None:
            _note(self._open, time_s)

    def add(self, extra: Extra) -> None:
        """Something else that the file says of the turn."""
        self._opened(extra.place).extras.append(extra)

    def last(self, seconds: float) -> None:
        """How long the turn took as the file states it; parts of one turn add up."""
        turn = self._opened("")
        turn.duration_s = (turn.duration_s or 0.0) + seconds

    def guess_border(self) -> None:
        """That the turn begins here is derived, not stated."""
        self._opened("").guessed.add("borders")

    @property
    def events(self) -> list[Event]:
        """What has happened in the turn so far; entries may be replaced by fuller ones."""
        return self._open.events if self._open is not None else []

    @property
    def is_open(self) -> bool:
        """Whether a turn has begun and not ended: outside of one, what happens aside is said of no turn."""
        return self._open is not None

    def finish(self) -> Iterator[Turn]:
        """The turn that is open, if any; the next message begins another."""
        if self._open is None:
            return
        yield _turn(self._count, self._open)
        self._count += 1
        self._open = None

    def _opened(self, place: str, turn_id: str | None = None) -> _OpenTurn:
        if self._open is None:
            self._open = _OpenTurn(turn_id, place)
        return self._open


def _note(turn: _OpenTurn, time_s: float | None) -> None:
    if time_s is not None:
        turn.times.append(time_s)


def _turn(index: int, told: _OpenTurn) -> Turn:
    events, chosen = list(told.events), _answering(told.events)
    answer = None if chosen is None else events[chosen]
    if answer is not None and chosen is not None:
        events[chosen] = replace(answer, parts=tuple(part for part in answer.parts if isinstance(part, Transfer)))
    start_s, took, guessed = min(told.times, default=None), told.duration_s, set(told.guessed)
    if took is None and start_s is not None and (last := max(told.times)) > start_s:
        took = round(last - start_s, 6)
        guessed.add("times")
    return Turn(
        index=index,
        id=told.id,
        user=tuple(told.asked),
        events=tuple(events),
        final_response=None
        if answer is None
        else tuple(part for part in answer.parts if not isinstance(part, Transfer)),
        final_author=answer.author if answer else "",
        final_event=chosen,
        steps=Steps.EVENTS,
        start_s=start_s,
        duration_s=took,
        extras=tuple(told.extras),
        guessed=frozenset(guessed),
        place=told.place,
    )


def _answering(events: list[Event]) -> int | None:
    """The event with the answer: the last with words, unless it asks for a tool or one is asked for later."""
    for index in range(len(events) - 1, -1, -1):
        parts = events[index].parts
        if any(isinstance(part, ToolCall) for part in parts):
            return None
        if events[index].role not in _NEVER_ANSWER and any(isinstance(part, Text) and part.text for part in parts):
            return index
    return None
