"""YAML texts in many styles, each with the value it holds, made by hypothesis."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

from hypothesis import strategies as st

from trace_inspector.core.values.values import Json

_PLAIN = re.compile(r"[a-zé][a-zé0-9 ]*[a-zé0-9]")
_COMMENTS = ("", "", "", "  # why", " # - x: y", "  # é & *")


def documents() -> st.SearchStrategy[tuple[str, Json]]:
    """A text and its value; the root is a mapping or a list."""
    return st.builds(_document, st.integers(0, 2**32), _values())


def _values() -> st.SearchStrategy[Json]:
    letters = st.sampled_from("ab1 :#-'\"\\é😀\n\t,[]{}&*!|>%@`\u2028")
    texts = st.sampled_from(("a", "two words", "", "null", "1", "- x", "line\nbreak\n", "y", "<<")) | st.text(
        letters, max_size=6
    )
    scalars: st.SearchStrategy[Json] = (
        st.none() | st.booleans() | st.sampled_from((0, -7, 2**70, 1.5, 1e300)) | texts.map(str)
    )
    inner: st.SearchStrategy[Json] = st.recursive(scalars, _collections, max_leaves=10)
    return _collections(inner)


def _collections(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    keys = st.sampled_from(("a", "b", "key", "two words", "", "x/~", "é", "1", "true", "- x", "#", "a: b"))
    lists: st.SearchStrategy[Json] = st.lists(inner, max_size=4).map(list)
    return lists | st.dictionaries(keys, inner, max_size=4)


def _document(seed: int, value: Json) -> tuple[str, Json]:
    chance = random.Random(seed)
    before = chance.choice(("", "", "# top\n", "---\n", "%YAML 1.2\n---\n", "\n"))
    is_block = bool(value) and chance.random() < 0.9
    text = "".join(_block(chance, value, "")) if is_block else _flow(chance, value) + "\n"
    after = chance.choice(("", "", "# end\n", "...\n", "\n\n"))
    text = before + text + after
    if not after and chance.random() < 0.3 and not text.endswith("\n\n") and "|" not in text:
        text = text[:-1]
    return (text.replace("\n", "\r\n") if chance.random() < 0.2 and "|" not in text else text), value


def _block(chance: random.Random, value: Json, indent: str) -> Iterator[str]:
    """The lines of a mapping or list, each entry with its own way of writing."""
    deeper = indent + chance.choice((" ", "  ", "    "))
    if isinstance(value, dict):
        # A list may stand below its key without a deeper indentation.
        list_indent = chance.choice((indent, deeper))
        for key, child in value.items():
            yield from _between(chance, indent)
            yield indent + _key(chance, key) + ":"
            yield from _child(chance, child, list_indent if isinstance(child, list) else deeper, indent)
    elif isinstance(value, list):
        for child in value:
            yield from _between(chance, indent)
            yield indent + "-"
            if child and isinstance(child, dict | list) and chance.random() < 0.5:
                lines = "".join(_block(chance, child, indent + "  ")).lstrip("\n")
                if not lines.lstrip(" ").startswith("#"):
                    yield " " + lines.removeprefix(indent + "  ")
                    continue
            yield from _child(chance, child, deeper, indent)


def _between(chance: random.Random, indent: str) -> Iterator[str]:
    if chance.random() < 0.1:
        yield indent + "# - a: comment\n"


def _child(chance: random.Random, value: Json, deeper: str, indent: str) -> Iterator[str]:
    if value and isinstance(value, dict | list) and chance.random() < 0.7:
        yield chance.choice(_COMMENTS) + "\n"
        yield from _block(chance, value, deeper)
    elif isinstance(value, str) and _fits_a_block(value) and chance.random() < 0.5:
        yield " |\n" + "".join(f"{indent}   {line}\n" for line in value.splitlines())
    elif value is None and chance.random() < 0.5:
        yield chance.choice(_COMMENTS) + "\n"
    else:
        yield " " + _flow(chance, value) + chance.choice(_COMMENTS) + "\n"


def _fits_a_block(text: str) -> bool:
    lines = text.split("\n")
    return len(lines) > 1 and lines[-1] == "" and all(line.isalpha() and line.isascii() for line in lines[:-1])


def _key(chance: random.Random, key: str) -> str:
    return _string(chance, key)


def _string(chance: random.Random, text: str) -> str:
    ways = [json.dumps(text), json.dumps(text, ensure_ascii=False)]
    if "\n" not in text and "\t" not in text:
        ways.append("'" + text.replace("'", "''") + "'")
    if _PLAIN.fullmatch(text) and text not in ("null", "true"):
        ways += [text, text, text]
    return chance.choice(ways)


def _flow(chance: random.Random, value: Json) -> str:
    if isinstance(value, str):
        return _string(chance, value)
    space = chance.choice(("", " ", "\n     "))
    if isinstance(value, list):
        return "[" + ",".join(space + _flow(chance, child) for child in value) + chance.choice(("", " ")) + "]"
    if isinstance(value, dict):
        pairs = (f"{space}{_string(chance, key)}: {_flow(chance, child)}" for key, child in value.items())
        return "{" + ",".join(pairs) + chance.choice(("", " ")) + "}"
    return chance.choice(("~", "null")) if value is None else json.dumps(value)
