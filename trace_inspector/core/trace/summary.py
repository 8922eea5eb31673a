"""One line of plain text for things of any size: what a row, a list or a message shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.values.values import Absent, Json, JsonObject

_TRANSFER_TOOL = "transfer_to_agent"
LINE_CHARS = 200  # longer than any row is wide; the whole text stands in Details
_FOLDED = 4  # as many characters may come to one, where white space is folded
_MOST_DEPTH = 60
_SHORT = 10**9  # numbers that are written on any line


def one_line(text: str, limit: int = LINE_CHARS) -> str:
    """White space folded, control and direction characters made visible, cut with an ellipsis at the limit."""
    if len(text) <= limit and text.isprintable() and text == text.strip() and "  " not in text:
        return text  # as most are: of all white space only the space is printable
    head = text[: limit * _FOLDED]
    folded = " ".join(head.split())
    safe = folded if folded.isprintable() else "".join(_printable(folded, index) for index in range(len(folded)))
    return safe if len(safe) <= limit and len(head) == len(text) else safe[: limit - 1] + "…"


def _printable(text: str, index: int) -> str:
    char = text[index]
    return char if char.isprintable() or (char in _JOINERS and _joins(text, index)) else "\N{REPLACEMENT CHARACTER}"


_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def _joins(text: str, index: int) -> bool:
    """Whether what stands here joins letters, or parts of one picture: Persian and emoji are written with it.

    Among letters of English it would only hide a difference.
    """
    around = text[index - 1 : index], text[index + 1 : index + 2]
    seen = all(char.isprintable() and not char.isspace() for char in around if char)
    return all(around) and seen and not "".join(around).isascii()


def compact(value: Json | Absent, limit: int = LINE_CHARS) -> str:
    """The beginning of a value as JSON on one line, with an ellipsis where it goes on."""
    if isinstance(value, Absent):
        return ""
    if type(value) is int and -_SHORT < value < _SHORT:
        return str(value)  # most arguments are such numbers, and a long comparison shows ten thousands
    pieces, chars, most = [], 0, limit * _FOLDED
    for piece in _written(value, most):
        pieces.append(piece)
        chars += len(piece)
        if chars > most:
            break
    return one_line("".join(pieces), limit)


def call_line(call: ToolCall) -> str:
    """A call as one would write it: search(q="parking"); a handing over in words."""
    target = transfer_target(call)
    if target:
        return one_line(f"transfer to {target}")
    if isinstance(call.args, dict):
        shown = ", ".join(f"{name}={value}" for name, value in _arguments(call.args))
        return one_line(f"{one_line(call.name)}({shown})")
    return one_line(f"{one_line(call.name)}({compact(call.args)})")


def transfer_target(call: ToolCall) -> str:
    """The agent that a call hands the conversation to, "" for every other call."""
    if call.name != _TRANSFER_TOOL or not isinstance(call.args, dict) or len(call.args) != 1:
        return ""
    target = call.args.get("agent_name")
    return target if isinstance(target, str) else ""


def argument_spans(call: ToolCall) -> dict[str, tuple[int, int]]:
    """Where in its line each argument's value stands, by the argument's name; what is cut off is left out."""
    if not isinstance(call.args, dict) or transfer_target(call):
        return {}
    end = len(call_line(call))
    position = len(one_line(call.name)) + 1
    spans: dict[str, tuple[int, int]] = {}
    for whole_name, (name, value) in zip(call.args, _arguments(call.args), strict=False):
        start = position + len(name) + 1
        position = start + len(value) + 2
        if start < end:
            spans[whole_name] = (start, min(start + len(value), end))
    return spans


def _arguments(args: JsonObject) -> list[tuple[str, str]]:
    """Names and values, each already in the form that a line shows."""
    return [(one_line(name, 60), compact(value, 60)) for name, value in islice(args.items(), 12)]


def result_line(result: ToolResult) -> str:
    """What a tool answered, in short."""
    return one_line(f"error: {compact(result.value)}" if result.is_error else compact(result.value) or "no result")


def label_of(part: Part) -> str:
    """One line for any part."""
    match part:
        case Text():
            return f"“{one_line(part.text)}”"
        case Thought():
            words = len(part.text.split())
            return f"thought, {words} {'word' if words == 1 else 'words'}"
        case ToolCall():
            return call_line(part)
        case ToolResult():
            return f"{part.name}: {result_line(part)}"
        case Transfer():
            return f"transfer to {one_line(part.target)}"
        case Media():
            size = f", {part.size_bytes} bytes" if part.size_bytes is not None else ""
            return one_line(f"{part.mime_type or 'media'}{size}")
        case Code():
            return one_line(f"{'code result' if part.is_result else 'code'}: {part.text}")
        case Unknown():
            return one_line(f"{part.kind}: {compact(part.raw)}")


def _written(value: Json, most: int, depth: int = 0) -> Iterator[str]:
    """A value as JSON, piece by piece: a caller that has enough of a 20-MB result stops there."""
    if isinstance(value, str):
        # Without its last quotation mark a text is the beginning of a longer one.
        yield json.dumps(value, ensure_ascii=False) if len(value) <= most else _begun(value[: most + 1])
    elif isinstance(value, (list, dict)) and depth >= _MOST_DEPTH:
        yield "…"
    elif isinstance(value, list):
        yield "["
        for index, item in enumerate(value):
            if index:
                yield ", "
            yield from _written(item, most, depth + 1)
        yield "]"
    elif isinstance(value, dict):
        yield "{"
        for index, (key, item) in enumerate(value.items()):
            yield f'{", " if index else ""}{_begun(key[:most])}": '
            yield from _written(item, most, depth + 1)
        yield "}"
    else:
        yield json.dumps(value)


def _begun(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[:-1]
