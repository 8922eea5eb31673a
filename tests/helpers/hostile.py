"""Values as somebody makes them who wants the window to draw, fetch, stall or break."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Span, SpanKind, Steps, Trace, Turn, Usage

MANY = 10_000
DEEP = 500
NESTED = 90  # twice that many levels: the most that is read
LONG = 5_000_000
HUGE = 20_000_000
MEDIA = 50_000_000
_CONTROLS = "\u202egnp.exe\u2066\x1b[31m\x1b]8;;http://example.invalid\x07link\x00\r\n\t\ud800\ufeff"
_FAR_S = (-1e9, -0.5, 0.0, math.nan, math.inf, -math.inf, 1e-320, 1e18, 1e300)


def markup(bait: Path) -> str:
    """What fetches or draws something wherever it is taken for markup, and turns and hides where it is not."""
    links = '<a href="http://example.invalid/">link</a><script src="http://example.invalid/x.js"></script>'
    drawn = f'<img src="{bait.as_uri()}"><img src="http://example.invalid/x.png"><b>bold</b>&amp;<table><tr><td>'
    style = f"<style>@import url({bait.as_uri()}); * {{ background: url({bait.as_uri()}) }}</style>"
    return f"{drawn}{links}{style}![]({bait.as_uri()}){_CONTROLS}"


def drenched(value: Any, text: str) -> Any:
    """The same value with that text before every text in it, names of fields too."""
    if isinstance(value, enum.Enum):
        return value
    if isinstance(value, Struct):
        return replace(value, **{name: drenched(getattr(value, name), text) for name in value.__struct_fields__})
    if isinstance(value, dict):
        return {drenched(name, text): drenched(each, text) for name, each in value.items()}
    if isinstance(value, tuple):
        return tuple(drenched(each, text) for each in value)
    return f"{text}{value}" if isinstance(value, str) and not value.startswith("/") else value


def _called(value: Any) -> Event:
    return Event("agent", (ToolCall("big", {}, "1"), ToolResult("big", value, "1")))


def _trace(name: str, *events: Event) -> Trace:
    turn = Turn(
        0, user=(Text("Go on."),), events=events, final_response=(Text("Done."),), final_author="agent",
        steps=Steps.EVENTS, start_s=1000.0, duration_s=10.0,
    )  # fmt: skip
    return Trace(name, (turn,), place=f"/{name}")


def _children() -> Trace:
    """Very many calls, all with one id."""
    return _trace("children", *(Event("agent", (ToolCall("same", {"at": at}, "same id"),)) for at in range(MANY)))


def _parts() -> Trace:
    """Very many parts of one event."""
    return _trace("parts", Event("agent", tuple(Text(str(at)) for at in range(MANY))))


def _deep() -> Trace:
    """Spans within spans, and values within values."""
    spans = tuple(
        Span(str(at), f"span {at}", SpanKind.OTHER, str(at - 1) if at else None, 1000.0 + at / 1e3, 1.0 - at / 1e3)
        for at in range(DEEP)
    )
    inner: Any = "bottom"
    for _at in range(NESTED):
        inner = {"in": [inner]}
    one = _trace("deep", _called(inner))
    return replace(one, turns=(replace(one.turns[0], spans=spans),))


def _long() -> Trace:
    """Each text is one line of five million characters."""
    line = "0123456789 <img> " * (LONG // 17)
    word = "x" * LONG
    parts = (Text(line), Thought(word), Code(line, "python"), ToolCall(word, {word: line}), ToolResult("r", line))
    made = _trace("long", *(Event("agent", (part,), state_delta={"key": line}) for part in parts))
    return replace(made, turns=(replace(made.turns[0], user=(Text(line),), final_response=(Text(word),)),))


def _rings() -> Trace:
    """Agents below themselves, spans that are each other's parents, one id for everything."""
    agents = (Agent("a", sub_agents=("b", "a")), Agent("b", sub_agents=("c",)), Agent("c", sub_agents=("a", "c")))
    spans = (
        *(Span("same", f"twin {at}", SpanKind.OTHER, "same", 1000.0, 1.0) for at in range(3)),
        Span("x", "x", SpanKind.AGENT, "y", 1000.0, 1.0),
        Span("y", "y", SpanKind.TOOL, "x", 1000.5, 1.0),
    )
    calls = tuple(ToolCall("twin", {"at": at}, "same") for at in range(3))
    results = tuple(ToolResult("twin", at, "same") for at in range(3))
    parts: tuple[Part, ...] = (*calls, *results)
    made = _trace(
        "rings",
        *(Event(name, (part,), id="same", span_id="x") for name, part in zip("abcabc", parts, strict=True)),
    )
    return replace(made, agents=agents, turns=(replace(made.turns[0], agents=agents, spans=spans),) * 2)


def _times() -> Trace:
    """Clocks that no clock shows."""
    events = tuple(
        Event(
            "agent",
            (Text(f"{start_s} {long_s}"),),
            time_s=start_s,
            duration_s=long_s,
            usage=Usage(-5, candidates=1 << 60),
        )
        for start_s in _FAR_S
        for long_s in _FAR_S
    )
    spans = tuple(
        Span(f"{at}-{which}", "span", SpanKind.OTHER, None, start_s, long_s)
        for at, start_s in enumerate(_FAR_S)
        for which, long_s in enumerate(_FAR_S)
    )
    turns = tuple(
        Turn(at, events=events, spans=spans, steps=Steps.EVENTS, start_s=start_s, duration_s=_FAR_S[-1 - at])
        for at, start_s in enumerate(_FAR_S)
    )
    return Trace("times", turns, place="/times")


def _result() -> Trace:
    """One tool result of 20 MB, of records."""
    return _trace("result", _called({"rows": ["x" * 1_000] * (HUGE // 1_000)}))


def _line() -> Trace:
    """One tool result of 20 MB, of one line."""
    return _trace("line", _called("x" * HUGE))


def _media() -> Trace:
    """A picture of 50 MB within the text of the file."""
    link = "data:image/png;base64," + "A" * MEDIA
    return _trace("media", Event("agent", (Media("image/png", MEDIA, link),)))


# One for each way to be too much. Made when they are asked for: together they are some 200 MB.
STORIES: dict[str, Callable[[], Trace]] = {
    "10,000 children": _children,
    "10,000 parts": _parts,
    "500 spans deep": _deep,
    "5-MB lines": _long,
    "rings": _rings,
    "impossible times": _times,
    "20-MB result": _result,
    "20-MB line": _line,
    "50-MB media": _media,
}
