"""One line for an event as a whole: for one with several parts, while they are folded, and for one with none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Event


def parts_line(parts: Sequence[Part]) -> str:
    """Several parts in a few words: how many of each kind, and the names of what is called."""
    counts = Counter(_KINDS[type(part)] for part in parts)
    kinds = [kind if count == 1 else f"{count} {kind}s" for kind, count in counts.items()]
    names = dict.fromkeys(part.name for part in parts if isinstance(part, ToolCall))
    return one_line(", ".join(kinds) + (f": {', '.join(islice(names, 6))}" if names else ""))


def quiet_line(event: Event) -> str:
    """An event without parts: what it says instead."""
    names = [extra.name for extra in event.extras]
    return one_line(", ".join(names)) if names else "model call"


_KINDS: dict[type[Part], str] = {
    Text: "text",
    Thought: "thought",
    ToolCall: "call",
    ToolResult: "result",
    Media: "attachment",
    Code: "piece of code",
    Transfer: "transfer",
    Unknown: "other part",
}
