"""JSON that stands in strings, as different programs write it, made by hypothesis."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from hypothesis import strategies as st

from tests.documents.json_texts import texts
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Json

Spell = Callable[[str], str]


def ascii_only(text: str) -> str:
    return json.dumps(text)


def raw(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def slashed(text: str) -> str:
    return json.dumps(text).replace("/", "\\/")


def for_html(text: str) -> str:
    """As Go writes strings."""
    return re.sub("[<>&\u2028]", lambda found: f"\\u{ord(found[0]):04x}", raw(text))


def in_capitals(text: str) -> str:
    """As .NET writes strings: quotation marks by their number, too."""
    inside = json.dumps(text)[1:-1].replace('\\"', "\\u0022")
    return '"' + re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found[0][2:].upper(), inside) + '"'


SPELLINGS: tuple[Spell, ...] = (ascii_only, raw, slashed, for_html, in_capitals)
# Shows how a string is spelt, whatever else stands in it.
ANCHOR = '{"shows": "é/<>&\u2028\\"😀", "it": %s}'


def shown_levels(spell: Spell) -> st.SearchStrategy[tuple[str, str]]:
    """A document with JSON in strings, three deep at most, and the pointer of the innermost text."""

    def wrapped(inner: tuple[str, str]) -> tuple[str, str]:
        return f'{{"at": [0, {spell(ANCHOR % inner[0])}], "é": 1}}', f"/at/1/it{inner[1]}"

    def deepened(count: int) -> st.SearchStrategy[tuple[str, str]]:
        found = texts().map(lambda text: (text, ""))
        for _ in range(count):
            found = found.map(wrapped)
        return found

    return st.integers(1, 3).flatmap(deepened)


def nested_texts() -> st.SearchStrategy[str]:
    """Documents some of whose strings hold JSON, each spelt in its own way; the whole may be one string."""
    spelt = st.sampled_from(SPELLINGS)
    frames = st.sampled_from(("%s", "[1, %s]", '{"a": %s, "b": "x"}', '{"b": 0,\n "a" :[%s]}'))
    return st.recursive(
        texts(),
        lambda inner: st.builds(lambda frame, spell, text: frame % spell(text), frames, spelt, inner),
        max_leaves=3,
    )


def held(text: str) -> Json:
    """The value of a text that is JSON with something inside; else the text."""
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    if isinstance(value, str):
        inner = held(value)
        return text if isinstance(inner, str) else inner
    return value if isinstance(value, dict | list) else text


def seen_through(value: Json) -> Json:
    """A value with the strings that hold JSON as what they hold."""
    if isinstance(value, str) and not isinstance(inner := held(value), str):
        return seen_through(inner)
    if isinstance(value, dict):
        return {key: seen_through(child) for key, child in value.items()}
    return [seen_through(child) for child in value] if isinstance(value, list) else value


def pointers_through(value: Json, pointer: str = "") -> Iterator[str]:
    """The pointer of every value, also inside strings."""
    yield pointer
    value = held(value) if isinstance(value, str) else value
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for token, child in children:
        yield from pointers_through(child, pointers.join(pointer, token))


def with_value(value: Json, pointer: str, new: Json) -> Json:
    """A value seen through, with another one at a pointer."""
    value = seen_through(value)
    *parents, last = pointers.split(pointer) or [""]
    if not pointer:
        return seen_through(new)
    around = pointers.resolve(value, pointers.join("", *parents))
    if isinstance(around, dict):
        around[last] = seen_through(new)
    elif isinstance(around, list):
        around[int(last)] = seen_through(new)
    return value
