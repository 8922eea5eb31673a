"""Replies to a person's own prompt: which value each gives, and what several of them make."""

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.engine.judges.questions.own_prompt import PromptParameters
from trace_inspector.engine.scoring.patterns import first_groups, is_found

_SHOWN_CHARS: Final = 40
_MOST_CHARS: Final = 100_000
_NUMBER = re.compile(r"[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][+-]?\d{1,3})?", re.ASCII)
_FENCED = re.compile(r"\A\s*```[a-z]*\s*\n(.*?)```\s*\Z", re.DOTALL)


class Vote(Struct, frozen=True):
    """The value of one reply; None with a phrase why there is none."""

    value: float | None
    why: str = ""


def read_vote(reply: str, options: PromptParameters) -> Vote:
    """The value in a reply. One outside the range is no value."""
    stated = _stated(reply, options)
    if isinstance(stated, Vote):
        return stated
    value = _number(stated, options)
    if value is None:
        return Vote(None, f"“{compact(stated, _SHOWN_CHARS)}” is not a value")
    low, high = options.limits
    if not low <= value <= high:
        return Vote(None, f"{value:g} lies outside the range [{low:g}, {high:g}]")
    return Vote(value)


def combined(votes: Sequence[Vote], how: str) -> float | None:
    """The median, or the value given most often, of two equally often the lower; None without any."""
    values = [vote.value for vote in votes if vote.value is not None]
    if not values:
        return None
    if how == "median":
        return statistics.median(values)
    counts = Counter(values)
    return min(value for value, count in counts.items() if count == max(counts.values()))


def speaks_like_reply(text: str, options: PromptParameters) -> bool:
    """Whether a judged text itself contains what a reply is read by."""
    if options.pattern:
        try:
            return is_found(options.pattern, text)
        except TimeoutError:
            return True
    return bool(options.field) and f'"{options.field.rsplit(".", 1)[-1]}"' in text


def _stated(reply: str, options: PromptParameters) -> Json | Vote:
    if len(reply) > _MOST_CHARS:
        return Vote(None, "it is too long")
    if options.pattern:
        return _by_pattern(reply, options.pattern)
    if not options.field:
        return reply
    value = object_in(reply)
    if not isinstance(value, dict):
        return Vote(None, "there is no JSON object in it")
    for name in options.field.split("."):
        value = value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
    return Vote(None, f"it has no “{one_line(options.field, _SHOWN_CHARS)}”") if isinstance(value, Absent) else value


def _by_pattern(reply: str, pattern: str) -> str | Vote:
    """The match of the pattern. Several different matches are no value."""
    try:
        values = set(first_groups(pattern, reply))
    except TimeoutError:
        return Vote(None, "the pattern takes too long on it")
    if len(values) == 1:
        return values.pop()
    return Vote(None, "the pattern finds different values in it" if values else "the pattern finds nothing in it")


def object_in(reply: str) -> Json | Absent:
    """The JSON of a reply: all of it, the content of a fence, or the last complete object in it."""
    fenced = _FENCED.match(reply)
    text = fenced.group(1) if fenced else reply
    decoder = json.JSONDecoder()
    last_object: Json | Absent = ABSENT
    start = text.find("{")
    while start >= 0:
        try:
            last_object, end = decoder.raw_decode(text, start)
        except ValueError:
            end = start + 1
        except RecursionError:
            return last_object
        start = text.find("{", end)
    return last_object


def _number(stated: Json, options: PromptParameters) -> float | None:
    if isinstance(stated, str):
        word = stated.strip().lower()
        if word in options.scale:
            return options.scale[word]
        return float(word) if _NUMBER.fullmatch(word) else None
    if isinstance(stated, bool):
        word = "true" if stated else "false"
        return options.scale.get(word, float(stated))
    return float(stated) if isinstance(stated, int | float) and abs(stated) < 1e300 else None
