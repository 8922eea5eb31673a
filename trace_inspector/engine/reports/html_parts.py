"""The small parts of the page: text, marks, tables. All text goes through `text`; nothing else reaches the page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.reports.report import marked_score, sign, words
from trace_inspector.engine.reports.shown import cut, left_out, split_odd, visible

MOST_CHARS = 2_000  # of one text; an answer may be longer, but its page should not


def text(said: str, limit: int = MOST_CHARS) -> str:
    """Text from traces: escaped, odd characters spelled out, kept from turning the direction of what is around it."""
    return f"<bdi>{bare(cut(said, limit))}</bdi>"


def bare(said: str) -> str:
    """The same without its own direction, for parts of a text that stand together."""
    return "".join(
        f'<span class="odd">{escape(visible(piece))}</span>' if number % 2 else escape(piece)
        for number, piece in enumerate(split_odd(said))
    )


def mark(status: Status) -> str:
    """A status with its sign, in words."""
    return f'<span class="mark {status.value}">{sign(status)} {words(status)}</span>'


def score(verdict: MetricVerdict | None) -> str:
    """A score with the sign of its status."""
    if verdict is None:
        return ""
    status = verdict.status
    return f'<span class="{status.value}" title="{words(status)}">{marked_score(verdict)}</span>'


def table(titles: Iterable[str], rows: Iterable[str]) -> str:
    """A table that may be wider than the page; nothing when there are no rows. Titles are our own words."""
    body = "".join(rows)
    if not body:
        return ""
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def more(count: int, thing: str = "", of: str = "") -> str:
    """A line about what there was no room for."""
    said = left_out(count, thing, of)
    return f'<p class="note">{said}.</p>' if said else ""


def row(*cells: str) -> str:
    """A row of ready cells."""
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
