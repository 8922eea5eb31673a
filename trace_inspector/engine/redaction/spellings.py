"""The encodings in which a text may occur again: in JSON, HTML, URLs, on one line, as base64."""

from __future__ import annotations

import base64
import json
from html import escape
from urllib.parse import quote, quote_plus

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.json_numbers import has_lone_surrogate
from trace_inspector.core.values.pointer import join
from trace_inspector.engine.reports.visible_text import visible

SHORTEST = 4  # characters; shorter texts are redacted in place only, as they occur everywhere by chance
_LEVELS = 3  # of JSON in strings of JSON
_SHORTEST_ENCODED = 8
_FIRST = (0, 2, 3)  # characters of base64 that depend on preceding bytes, by the number of these bytes


def spellings(text: str) -> set[str]:
    """All encodings of a text that are long enough to search for, including the text itself."""
    if text.isascii() and text.isalnum():
        return {text} | _in_base64(text)
    spelled = {text, visible(text), _on_one_line(text), join("", text)[1:]}
    for plain in (True, False):
        written = text
        for _level in range(_LEVELS):
            written = json.dumps(written, ensure_ascii=plain)[1:-1]
            spelled |= {written, _on_one_line(written)}
    spelled |= {escape(spelling) for spelling in spelled}
    if not has_lone_surrogate(text):
        spelled |= {quote(text), quote(text, safe=""), quote_plus(text, safe="")}
    return {spelling for spelling in spelled if len(spelling) >= SHORTEST} | _in_base64(text)


def _on_one_line(text: str) -> str:
    return one_line(text, len(text) + 1)


def _in_base64(text: str) -> set[str]:
    """What depends on the text alone in the base64 of a longer one, at each of the three possible alignments."""
    data = text.encode("utf-8", "surrogatepass")
    encoded = set()
    for before, first in enumerate(_FIRST):
        written = base64.b64encode(bytes(before) + data).decode("ascii")
        own = written[first : -(1 + written.count("=")) if written.endswith("=") else None]
        encoded |= {own, own.translate(str.maketrans("+/", "-_"))}
    return {text_in_base64 for text_in_base64 in encoded if len(text_in_base64) >= _SHORTEST_ENCODED}
