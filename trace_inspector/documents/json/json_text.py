"""Whether a text is one JSON value, before it is spliced into a document."""

from __future__ import annotations

from trace_inspector.core.errors import EditError
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.json.tolerant import TolerantReader

# Legal JSON that only the tolerant reader reads.
LEGAL = frozenset({"lone-surrogate", "huge-number", "duplicate-key", "too-deep"})
_SHOWN = 40


def is_json(text: str) -> bool:
    """Whether a text is exactly one value of strict JSON."""
    return _problem(text) is None


def check_json(text: str) -> None:
    """Refuse a text that is not exactly one value."""
    if (problem := _problem(text)) is not None:
        shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
        raise EditError(f"“{shown}” is not one JSON value ({problem}). Text needs double quotation marks around it.")


def _problem(text: str) -> str | None:
    """What keeps a text from being one value, in words; None when nothing does."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        fast_value(data)
    except ValueError:
        pass
    else:
        return None
    reader = TolerantReader(data, lambda: None)
    count = len(reader.values(0, len(data)))
    for warning in reader.warnings:
        if warning.code not in LEGAL:
            return warning.code.replace("-", " ") + f" at byte {warning.offset + 1}"
    if reader.hidden:
        return "more is odd about it than can be judged"
    if count != 1:
        return f"it holds {count or 'no'} values"
    return None
