"""`html`: the comparison of two runs as one page that loads nothing and runs nothing."""

from __future__ import annotations

from trace_inspector.engine.reports.html_parts import more, row, table, text
from trace_inspector.engine.reports.html_style import Filter, page, style, switches
from trace_inspector.engine.run_comparison.as_text import TOLD, certainty_lines, counts_line, figure_lines
from trace_inspector.engine.run_comparison.case_text import score_lines, seconds_words, verdicts_words, what_changed
from trace_inspector.engine.run_comparison.compared_case import Change
from trace_inspector.engine.run_comparison.comparison import RunsCompared

_MOST_ROWS = 5_000
_COLOURS = {Change.REGRESSED: "FAILED", Change.IMPROVED: "PASSED"}


def write(compared: RunsCompared) -> str:
    """The counts, figures and notes, then the cases, with a filter for each way to fare."""
    found = compared.found
    filters = [
        Filter("all", f"all {len(found.cases)}"),
        *(
            Filter(_kind(change), f"{change.value} {found.counts[change]}", f".{_kind(change)}")
            for change in Change
            if found.counts[change]
        ),
    ]
    order = (*TOLD, Change.UNCHANGED)
    cases = sorted(compared.timed, key=lambda timed: order.index(timed[0].change))
    rows = [
        row(
            f'<span class="mark {_COLOURS.get(case.change, "SKIPPED")}">{case.change.value}</span>',
            text(case.name, 200),
            verdicts_words(case),
            text(what_changed(case), 400),
            "<br>".join(text(line, 200) for line in score_lines(case)),
            seconds_words(seconds),
        ).replace("<tr>", f'<tr class="case {_kind(case.change)}">', 1)
        for case, seconds in cases[:_MOST_ROWS]
    ]
    left = len(cases) - _MOST_ROWS
    body = [
        "<header>",
        "<h1>Two runs</h1>",
        f"<p>{text(counts_line(found))}</p>",
        f"<p>{text(compared.base)} against {text(compared.new)}</p>",
        *(f"<p>{line}.</p>" for line in certainty_lines(found)),
        *(f'<p class="note">{text(note)}</p>' for note in compared.notes),
        *(f"<p>{text(line)}</p>" for line in figure_lines(compared)),
        switches(filters),
        "</header>",
        "<main>",
        table(("change", "case", "verdict", "what changed", "scores", "time"), rows),
        more(left, "case", " of this table"),
        "</main>",
    ]
    return page("Trace Inspector: two runs", "\n".join(body), style(filters))


def _kind(change: Change) -> str:
    return f"is-{change.value.replace(' ', '-')}"
