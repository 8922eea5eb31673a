"""`markdown`: the comparison of two runs for a review, with nothing in it that a trace could make act."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.reports.markdown import code
from trace_inspector.engine.reports.visible_text import left_out
from trace_inspector.engine.run_comparison.as_text import TOLD, certainty_lines, counts_line, figure_lines
from trace_inspector.engine.run_comparison.case_text import case_summary
from trace_inspector.engine.run_comparison.comparison import RunsCompared

_MOST_CHARS = 60_000  # code hosts refuse comments above some 65,000
_SENTENCE_CHARS = 60  # what is left for saying how many lines do not fit


# By this line, which nobody sees, a workflow finds the comment that it wrote before, to write it anew.
MARKER = "<!-- trace-inspector:compare-runs -->"


def write_comment(compared: RunsCompared) -> str:
    """The same as a comment of a pull request, which is found again by its first line."""
    return f"{MARKER}\n{write(compared)}"


def write(compared: RunsCompared) -> str:
    """The counts first, then notes, cases and figures."""
    head = [
        f"# {counts_line(compared.runs)}",
        "",
        f"{code(compared.base)} against {code(compared.new)}",
        *(f"\n{line}." for line in certainty_lines(compared.runs)),
        *_fitting([f"\nNote: {code(note)}" for note in compared.notes], _MOST_CHARS // 4, "\n", "note"),
        "",
        *_fitting([f"- {code(line)}" for line in figure_lines(compared)], _MOST_CHARS // 4, "- ", "figure"),
        "",
    ]
    room = _MOST_CHARS - sum(len(line) + 1 for line in head)
    return "\n".join([*head, *_fitting(list(_cases(compared)), room, "- ", "case")]).rstrip() + "\n"


def _cases(compared: RunsCompared) -> Iterator[str]:
    for change in TOLD:
        for case, seconds in compared.timed:
            if case.change is change:
                yield f"- **{change.value}** {code(one_line(case.name))}: {code(case_summary(case, seconds))}"


def _fitting(lines: list[str], room: int, lead: str, thing: str) -> Iterator[str]:
    room -= _SENTENCE_CHARS
    for index, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            yield f"{lead}{left_out(len(lines) - index, thing)}"
            return
        yield line
