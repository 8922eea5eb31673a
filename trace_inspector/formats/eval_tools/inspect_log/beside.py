"""What happened beside the messages of a sample of Inspect: each event of these kinds as one of the turn."""

from __future__ import annotations

import json
from collections.abc import Callable

from trace_inspector.core.trace.parts import Text, Unknown
from trace_inspector.core.trace.trace import Event
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.common.fields import Fields, or_null
from trace_inspector.formats.common.times import seconds_of

_AGENT = "assistant"
_SYSTEM = "system"
_LONGEST = 4_000  # of what a log tells aside; the whole stands in Raw


def event_beside(kind: str, event: Fields) -> Event | None:
    """The event that a record of one of these kinds becomes; None where it says nothing."""
    return BESIDE[kind](event)


def limit_reached(words: str, kind: str, time_s: float | None, place: str) -> Event:
    """That a sample was stopped at a limit, as why its turn ended."""
    return Event(_AGENT, (Text(words, place),), _SYSTEM, time_s=time_s, finish_reason=f"{kind} limit", place=place)


def failed(words: str, time_s: float | None, place: str) -> Event:
    """That a sample failed."""
    return Event(_AGENT, (), _SYSTEM, time_s=time_s, error=words, place=place)


def words_of(value: Json) -> str:
    """A value as one would read it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def time_of(event: Fields, name: str = "timestamp") -> float | None:
    """A time that an event states."""
    value = event.get(name)
    return None if value is ABSENT else seconds_of(or_null(value))


def lasted(event: Fields) -> float | None:
    """How long something took that states when it was completed."""
    begun, ended = time_of(event), time_of(event, "completed")
    return max(0.0, round(ended - begun, 6)) if begun is not None and ended is not None else None


def _sandbox(event: Fields) -> Event:
    action = event.text("action") or "action"
    done = event.text("cmd") or event.text("file") or ""
    result = event.get("result")
    code = f" → {result}" if isinstance(result, int) and not isinstance(result, bool) else ""
    return _told(event, "sandbox", f"{action}: {done}{code}", ("input", "output", "options"))


def _info(event: Fields) -> Event | None:
    data, author = or_null(event.get("data")), event.text("source") or "info"
    if isinstance(data, str):
        return _told(event, author, data, ()) if data else None
    if data is None:
        return None
    return Event(author, (Unknown("info", data, event.pointer("data")),), _SYSTEM, time_of(event), place=event.place)


def _logger(event: Fields) -> Event | None:
    message = event.object("message")
    if message is None or message.text("message") is None:
        return None
    words = f"{message.text('level') or 'log'}: {message.text('message')}"
    return _told(event, message.text("name") or "logger", words, ())


def _approval(event: Fields) -> Event | None:
    decision = event.text("decision")
    if decision is None:
        return None
    call = event.object("call") or Fields({}, event.place)
    what = f"{call.text('function') or 'a call'}: {decision}"
    why = event.text("explanation")
    beside = ("message", "call", "modified", "stage")
    return _told(event, event.text("approver") or "approver", f"{what} ({why})" if why else what, beside)


def _input(event: Fields) -> Event | None:
    """What a person typed while the sample ran, with what they were shown."""
    words = event.text("input")
    parts = (Text(words, event.pointer("input")),) if words else ()
    return Event("user", parts, "user", time_of(event), place=event.place) if parts else None


def _sample_limit(event: Fields) -> Event:
    kind = event.text("type") or "sample"
    words = event.text("message") or f"The sample was stopped at its limit ({kind})."
    return limit_reached(words, kind, time_of(event), event.place)


def _compaction(event: Fields) -> Event:
    before, after = event.number("tokens_before"), event.number("tokens_after")
    sizes = f": {before:,.0f} tokens before, {after:,.0f} after" if before is not None and after is not None else ""
    return _told(event, _AGENT, f"The history was compacted{sizes}.", ("source",))


def _interrupt(event: Fields) -> Event:
    during = event.text("interrupted")
    where = f" during {during}" if during else ""
    return _told(event, _AGENT, f"Interrupted{where} ({event.text('source') or 'no source is stated'}).", ())


def _store(event: Fields) -> Event | None:
    """What was noted in the store of the sample, by its keys."""
    noted = {
        (change.text("path") or "").removeprefix("/"): or_null(change.get("value"))
        for change in event.objects("changes")
    }
    return Event(_AGENT, (), _SYSTEM, time_of(event), state_delta=noted, place=event.place) if noted else None


def _told(event: Fields, author: str, words: str, beside: tuple[str, ...]) -> Event:
    stated = [Extra(name, or_null(event.get(name)), event.pointer(name)) for name in beside]
    return Event(
        author,
        (Text(words_of(words), event.place),),
        _SYSTEM,
        time_of(event),
        lasted(event),
        extras=tuple(extra for extra in stated if extra.value not in (None, "", {})),
        place=event.place,
    )


BESIDE: dict[str, Callable[[Fields], Event | None]] = {
    "sandbox": _sandbox,
    "info": _info,
    "logger": _logger,
    "approval": _approval,
    "input": _input,
    "sample_limit": _sample_limit,
    "compaction": _compaction,
    "interrupt": _interrupt,
    "store": _store,
}
