"""How the time of reading grows when a file doubles, for files that are odd in one way each; 2.0 is linear.

`python -m benchmarks.growth WORD...` measures only those with one of the words in their names. What grows more than
threefold is marked, and the script fails.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from benchmarks.measure import table
from trace_inspector.core.errors import InspectorError
from trace_inspector.flows.opening.open_file import open_file

DOUBLINGS = 2
MOST_GROWTH = 3.0
LEAST_S = 0.15  # what takes less is over before its growth can be told


class Odd(Struct, frozen=True):
    """A kind of file: its name, the first size, and the bytes of a size."""

    name: str
    size: int
    make: Callable[[int], bytes]
    file: str = "x.json"


def main(words: list[str]) -> int:
    """The number of kinds that grow more than in proportion."""
    lines: list[list[str]] = []
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            if words and not any(word in kind.name for word in words):
                continue
            times_s = [
                _taken_s(Path(folder) / kind.file, kind.make(kind.size << step)) for step in range(DOUBLINGS + 1)
            ]
            growth = [after / max(before, 0.005) for before, after in pairwise(times_s)]
            is_over = growth[-1] > MOST_GROWTH and times_s[-1] > LEAST_S
            failed += is_over
            lines.append(
                [
                    kind.name,
                    " → ".join(f"{seconds * 1000:,.0f}" for seconds in times_s) + " ms",
                    f"{growth[-1]:.1f}" + (" !" if is_over else ""),
                ]
            )
    table("Reading files that double", [["kind", "three sizes, processor time", "growth"], *lines])
    return failed


def _taken_s(path: Path, data: bytes) -> float:
    path.write_bytes(data)
    before_s = time.process_time()
    with suppress(InspectorError):  # refused in a sentence, which should take no longer either
        open_file(path)
    return time.process_time() - before_s


def _spans(count: int, parent: Callable[[int], str], name: Callable[[int], str]) -> bytes:
    spans = [
        {
            "traceId": "a" * 32,
            "spanId": name(number),
            "parentSpanId": parent(number),
            "name": "chat",
            "startTimeUnixNano": str(number),
            "endTimeUnixNano": str(2 * count - number),
            "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}],
        }
        for number in range(count)
    ]
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()


def _events(count: int, name: str) -> bytes:
    events = [
        {
            "id": name.format(number),
            "invocation_id": f"i{number}",
            "author": "user",
            "timestamp": number,
            "content": {"parts": [{"text": "x"}], "role": "user"},
        }
        for number in range(count)
    ]
    return json.dumps({"id": "s", "app_name": "a", "user_id": "u", "events": events}).encode()


def _inside(piece: bytes) -> Callable[[int], bytes]:
    return lambda count: b'{"a": "' + piece * count + b'"}'


def _elements(piece: bytes) -> Callable[[int], bytes]:
    return lambda count: b'{"a": [' + piece * count + b"1]}"


def _padded(number: int) -> str:
    return f"{number:016x}"


THOUSAND = 1_000
KINDS = (
    Odd("backslashes", 2_500 * THOUSAND, _inside(b"\\\\")),
    Odd("backslashes, never closed", 1_250 * THOUSAND, lambda count: b'{"a": "' + b"\\" * (2 * count + 1) + b'"}'),
    Odd("backslashes in a key", 1_250 * THOUSAND, lambda count: b'{"' + b"\\\\" * count + b'": 1}'),
    Odd("backslashes before words", 500 * THOUSAND, _inside(b"\\q")),
    Odd("escapes", 500 * THOUSAND, _inside(b"\\u00e9")),
    Odd("lone surrogates", 500 * THOUSAND, _inside(b"\\ud83d")),
    Odd("quotation marks and spaces", 500 * THOUSAND, _inside(b'\\"  ')),
    Odd("one key for all", 50 * THOUSAND, lambda count: b"{" + b'"k": 1, ' * count + b'"k": 1}'),
    Odd("one key twice in each object", 10 * THOUSAND, _elements(b'{"a": 1, "a": 2}, ')),
    Odd("deep arrays", 50 * THOUSAND, lambda count: b'{"a": ' + b"[" * count + b"]" * count + b"}"),
    Odd("deep objects, never closed", 20 * THOUSAND, lambda count: b'{"a":' * count),
    Odd("many deep values", 100, _elements(b'{"a": NaN, "b": ' + b"[" * 290 + b"]" * 290 + b"}, ")),
    Odd("a long integer", 2_000 * THOUSAND, lambda count: b'{"a": ' + b"9" * count + b"}"),
    Odd("numbers that are none", 50 * THOUSAND, _elements(b"NaN, ")),
    Odd("missing commas", 50 * THOUSAND, _elements(b"1 ")),
    Odd("comments", 50 * THOUSAND, _elements(b"1, /* x */\n")),
    Odd("comments that begin", 50 * THOUSAND, _elements(b"/* ")),
    Odd("brackets that match nothing", 20 * THOUSAND, lambda count: b'{"a": ' + b"[}" * count),
    Odd("CRLF", 200 * THOUSAND, _elements(b"1,\r\n")),
    Odd("lines that are odd", 20 * THOUSAND, lambda count: b'{"a": NaN}\n' * count, "x.jsonl"),
    Odd(
        "one long line", 4_000 * THOUSAND, lambda count: b'{"a": NaN, "b": "' + b"x" * count + b'"}\n{}\n', "x.jsonl"
    ),
    Odd("one cell", 500 * THOUSAND, lambda count: b'prompt,b\n1,"' + b'x""\n' * count + b'"\n', "x.csv"),
    Odd("ragged rows", 20 * THOUSAND, lambda count: b"prompt,b\n" + b"1,2,3\n" * count, "x.csv"),
    Odd("many columns", 500, lambda count: b"c," * count + b"c\n" + b"1," * count + b"1\n", "x.csv"),
    Odd(
        "anchors",
        3 * THOUSAND,
        lambda count: b"".join(b"- &a%d x\n- *a%d\n" % (at, at) for at in range(count)),
        "x.yaml",
    ),
    Odd(
        "merges",
        2 * THOUSAND,
        lambda count: b"b: &b {x: 1}\n" + b"".join(b"k%d: {<<: *b}\n" % at for at in range(count)),
        "x.yaml",
    ),
    Odd("indents", 50, lambda count: b"".join(b" " * at + b"a:\n" for at in range(count)), "x.yaml"),
    Odd("one key for all in YAML", 5 * THOUSAND, lambda count: b"k: 1\n" * count, "x.yaml"),
    Odd("tags", 3 * THOUSAND, lambda count: b"- !x 1\n" * count, "x.yaml"),
    Odd("spans", 2 * THOUSAND, lambda count: _spans(count, lambda _number: "", _padded)),
    Odd("spans of one id", 2 * THOUSAND, lambda count: _spans(count, lambda _number: "", lambda _number: "b" * 16)),
    Odd(
        "spans in each other",
        2 * THOUSAND,
        lambda count: _spans(count, lambda at: _padded(at - 1) if at else "", _padded),
    ),
    Odd("events", 3 * THOUSAND, lambda count: _events(count, "e{}")),
    Odd("events of one id", 3 * THOUSAND, lambda count: _events(count, "e")),
)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
