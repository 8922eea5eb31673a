"""Cases that ran several times, as tables of the page."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.verdict.percent import percent
from trace_inspector.engine.repeats.repeats import Repeats, pass_rates, worst_first
from trace_inspector.engine.repeats.repeats_text import failed_turns, passed_words, spread_lines
from trace_inspector.engine.reports.html_parts import more, row, table, text

_MOST_ROWS = 500


def repeats_block(repeats: Sequence[Repeats]) -> str:
    """pass@k and pass^k, then each case, what fails first; nothing where no case has repeats."""
    if not repeats:
        return ""
    rates = [
        row(str(one.k), percent(one.at_least_once), percent(one.always), f"{one.cases:,}")
        for one in pass_rates(repeats)
    ]
    listed = worst_first(repeats)
    rows = [_row(one) for one in listed[:_MOST_ROWS]]
    return (
        "<h2>Repeats</h2>"
        + table(("k", "pass@k: one of k passes", "pass^k: all of k pass", "cases"), rates)
        + table(("case", "", "passed", "turns that failed", "spread"), rows)
        + more(len(listed) - _MOST_ROWS, of=" of this table")
    )


def _row(repeats: Repeats) -> str:
    return row(
        text(repeats.name, 200),
        '<span class="mark ERROR">flaky</span>' if repeats.is_flaky else "",
        passed_words(repeats),
        "; ".join(failed_turns(repeats)),
        "<br>".join(text(line, 200) for line in spread_lines(repeats)),
    )
