"""`markdown`: the comparison for a review, with nothing in it that a trace could make act."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.engine.reports.markdown import code
from trace_inspector.engine.reports.trace_diff.as_text import row_lines
from trace_inspector.engine.reports.visible_text import left_out
from trace_inspector.engine.trace_grid.comparison import Differences

_MOST_CHARS = 60_000  # code hosts refuse comments above some 65,000


def write(differences: Differences) -> str:
    """The sentences first, then the rows."""
    verdict = differences.verdict
    head = [
        f"# {verdict}",
        "",
        *(
            f"- {code(side.left_path)} against {code(side.right_path)}: {code(side.sentence)}"
            for side in differences.sides
        ),
        *(f"- Note: {code(note)}" for note in differences.notes),
        "",
        f"Compared by {code(differences.rule.name)}: {differences.rule.meaning}.",
        "",
    ]
    return "\n".join([*head, *_fitting(differences, _MOST_CHARS - sum(map(len, head)))]).rstrip() + "\n"


def _fitting(differences: Differences, room: int) -> Iterator[str]:
    rows = list(row_lines(differences))
    for index, line in enumerate(rows):
        shown = f"  - {code(line)}" if line.startswith("    ") else f"- {code(line)}"
        room -= len(shown) + 1
        if room < 0:
            yield f"- {left_out(len(rows) - index, 'line')}"
            return
        yield shown
