"""`markdown`: the comparison for a review, with nothing in it that a trace could make act."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.engine.reports.markdown import code
from trace_inspector.engine.reports.shown import left_out
from trace_inspector.engine.reports.trace_diff.as_text import row_lines
from trace_inspector.engine.trace_grid.comparison import Differences

_MOST_CHARS = 60_000  # code hosts refuse comments above some 65,000


def write(found: Differences) -> str:
    """The sentences first, then the rows."""
    verdict = found.verdict
    head = [
        f"# {verdict}",
        "",
        *(f"- {code(side.left_path)} against {code(side.right_path)}: {code(side.sentence)}" for side in found.sides),
        *(f"- Note: {code(note)}" for note in found.notes),
        "",
        f"Compared by {code(found.rule.name)}: {found.rule.meaning}.",
        "",
    ]
    return "\n".join([*head, *_fitting(found, _MOST_CHARS - sum(map(len, head)))]).rstrip() + "\n"


def _fitting(found: Differences, room: int) -> Iterator[str]:
    rows = list(row_lines(found))
    for at, line in enumerate(rows):
        shown = f"  - {code(line)}" if line.startswith("    ") else f"- {code(line)}"
        room -= len(shown) + 1
        if room < 0:
            yield f"- {left_out(len(rows) - at, 'line')}"
            return
        yield shown
