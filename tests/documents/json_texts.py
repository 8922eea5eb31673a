"""JSON texts as they may really be spelt, made by hypothesis."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator

from hypothesis import strategies as st

from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Json

NUMBERS = (
    "0",
    "-0",
    "-0.0",
    "1.0",
    "0.10",
    "1e5",
    "1E+05",
    "1e400",
    "-1e-400",
    "9007199254740993",
    "340282366920938463463374607431768211455",
    "0.1000000000000000055511151231257827",
)
SPACES = ("", "", "", " ", "\n", "\r\n", "\t", "\n  ", "\r\n\t\t", " \n ")

_CODECS: tuple[tuple[bytes, str], ...] = (
    (b"", "utf-8"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def encodings() -> st.SearchStrategy[Callable[[str], bytes]]:
    """Ways to turn a text into the bytes of a file."""
    return st.sampled_from([lambda text, mark=mark, name=name: mark + text.encode(name) for mark, name in _CODECS])


def texts(*, duplicates: bool = True) -> st.SearchStrategy[str]:
    """Strict JSON of any shape, with any spacing; keys may occur twice."""
    space = st.sampled_from(SPACES)
    values = st.recursive(
        st.sampled_from(("true", "false", "null", *NUMBERS)) | strings(),
        lambda inner: (
            st.builds(_array, space, st.lists(st.tuples(space, inner, space), max_size=4))
            | st.builds(_object, space, _members(inner, space, duplicates=duplicates))
        ),
        max_leaves=12,
    )
    return st.builds("{}{}{}".format, space, values, space)


def strings() -> st.SearchStrategy[str]:
    """String tokens: plain, escaped, and escaped where nobody needs it."""
    letters = st.sampled_from('k/é😀:"\\\n') | st.characters(codec="utf-8")
    content = st.text(letters, max_size=8)
    return st.builds(_string, content, st.booleans(), st.booleans())


def _string(text: str, only_ascii: bool, strangely: bool) -> str:
    token = json.dumps(text, ensure_ascii=only_ascii)
    return token.replace("/", "\\/").replace("k", "\\u006b") if strangely else token


def _members(
    inner: st.SearchStrategy[str], space: st.SearchStrategy[str], *, duplicates: bool
) -> st.SearchStrategy[list[tuple[str, str, str, str, str, str]]]:
    keys = st.sampled_from(('"a"', '"b"', '"\\u0062"', '":"', '"x/~"', '""', '"é"', '"0"', '"\\\\"')) | strings()
    member = st.tuples(space, keys, space, space, inner, space)
    return st.lists(member, max_size=4, unique_by=None if duplicates else lambda one: str(json.loads(one[1])))


def _array(space: str, items: list[tuple[str, str, str]]) -> str:
    return "[" + (",".join(map("".join, items)) or space) + "]"


def _object(space: str, members: list[tuple[str, str, str, str, str, str]]) -> str:
    written = [f"{before}{key}{left}:{right}{value}{after}" for before, key, left, right, value, after in members]
    return "{" + (",".join(written) or space) + "}"


def all_pointers(value: Json, pointer: str = "") -> Iterator[str]:
    """The pointer of every value inside a value, its own first."""
    yield pointer
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for token, child in children:
        yield from all_pointers(child, pointers.join(pointer, token))
