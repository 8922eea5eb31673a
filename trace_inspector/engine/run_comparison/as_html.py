"""`html`: the comparison of two runs as one page that loads nothing and runs nothing."""

from __future__ import annotations

from trace_inspector.engine.reports.pages import Filter, page
from trace_inspector.engine.run_comparison.as_text import TOLD, certainty_lines, counts_line, figure_lines
from trace_inspector.engine.run_comparison.case_text import score_lines, seconds_words, verdicts_words, what_changed
from trace_inspector.engine.run_comparison.compared_case import Change
from trace_inspector.engine.run_comparison.comparison import RunsCompared

_MOST_ROWS = 5_000
_COLOURS = {Change.REGRESSED: "FAILED", Change.IMPROVED: "PASSED"}


def write(compared: RunsCompared) -> str:
    """The counts, figures and notes, then the cases, with a filter for each way to fare."""
    counts = compared.runs.counts
    filters = [
        Filter("all", f"all {len(compared.runs.cases)}"),
        *(
            Filter(_kind(change), f"{change.value} {counts[change]}", f".{_kind(change)}")
            for change in Change
            if counts[change]
        ),
    ]
    order = (*TOLD, Change.UNCHANGED)
    return page(
        "run_comparison.html",
        title="two runs",
        compared=compared,
        filters=filters,
        cases=sorted(compared.timed, key=lambda timed: order.index(timed[0].change)),
        certainty_lines=certainty_lines,
        colours=_COLOURS,
        counts_line=counts_line,
        figure_lines=figure_lines,
        kind=_kind,
        score_lines=score_lines,
        seconds_words=seconds_words,
        verdicts_words=verdicts_words,
        what_changed=what_changed,
        MOST_ROWS=_MOST_ROWS,
    )


def _kind(change: Change) -> str:
    return f"is-{change.value.replace(' ', '-')}"
