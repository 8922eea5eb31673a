"""`markdown`: the run as a table and the reasons, to stand in a review or a job's summary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.repeats.repeats import repeats_of
from trace_inspector.engine.repeats.repeats_text import repeat_lines
from trace_inspector.engine.reports.report import case_names, marked_score, sign, tally, why, words
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.reports.titles import titles_of
from trace_inspector.engine.reports.visible_text import cut, left_out, visible

_MOST_CHARS = 60_000  # code hosts refuse comments above some 65,000
_MOST_LINES = 20  # of one case
_LINE_CHARS = 400


def write(run: RunVerdict, sources: Sources) -> str:
    """The whole run in short; what does not fit is counted."""
    rules = f", rules of {code(run.rules)}" if run.rules else ""
    head = [
        f"# {sign(run.status)} Trace Inspector: {words(run.status)}",
        "",
        f"{tally(run.cases)}. Criteria: {code(run.criteria_source)}{rules}.",
        *(f"\n{code(name)} is of version {version}." for name, version in _later_versions(run)),
        *(f"\nNote: {code(note)}" for note in run.notes),
        *(f"\nJudge: {code(line)}" for line in sources.judges[:_MOST_LINES]),
        "",
    ]
    head += [*(f"- {code(line)}" for line in repeat_lines(repeats_of(run), most=_MOST_LINES)), ""]
    room = _MOST_CHARS - sum(len(line) + 1 for line in head)
    table = list(_fitting(_table(run, sources), room // 2, "case", " of this table"))
    room -= sum(len(line) + 1 for line in table)
    return "\n".join([*head, *table, "", *_fitting(_reasons(run, sources), room, "line")]).rstrip() + "\n"


def code(text: str, limit: int = _LINE_CHARS) -> str:
    """Text from traces as code: no markup, link, picture, mention or HTML in it has any effect."""
    shown = cut(" ".join(visible(text).split()), limit)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}" if shown else ""


def _table(run: RunVerdict, sources: Sources) -> Iterator[str]:
    titles = titles_of(run.cases)
    yield _row("case", "verdict", *map(code, titles.values()))
    yield _row(*("---" for _ in range(len(titles) + 2)))
    for case, name in zip(run.cases, case_names(run.cases, sources), strict=True):
        by_name = {verdict.metric: verdict for verdict in case.metrics}
        yield _row(
            code(name, 120),
            f"{sign(case.status)} {words(case.status)}",
            *(_score(by_name.get(metric)) for metric in titles),
        )


def _row(*cells: str) -> str:
    # A bar ends a cell even in code, and an escaped one does so after a backslash: a drawn line ends nothing.
    return f"| {' | '.join(cell.replace('|', '│') for cell in cells)} |"


def _score(verdict: MetricVerdict | None) -> str:
    return "" if verdict is None else marked_score(verdict)


def _later_versions(run: RunVerdict) -> list[tuple[str, int]]:
    """The metrics whose scores cannot be compared with those of an earlier version."""
    metrics = [metric for case in run.cases for metric in case.metrics if metric.version > 1]
    return sorted({(metric.metric, metric.version) for metric in metrics})


def _reasons(run: RunVerdict, sources: Sources) -> Iterator[str]:
    """Everything that did not pass, what failed first."""
    named = list(zip(run.cases, case_names(run.cases, sources), strict=True))
    for case, name in sorted(
        named, key=lambda case_and_name: case_and_name[0].status not in (Status.FAILED, Status.ERROR)
    ):
        lines = _lines(case)
        if lines:
            yield f"- {sign(case.status)} **{words(case.status)}** {code(name, 120)}"
            yield from (f"  - {code(line)}" for line in lines[:_MOST_LINES])
        if len(lines) > _MOST_LINES:
            yield f"  - and {len(lines) - _MOST_LINES} more"


def _lines(case: CaseVerdict) -> list[str]:
    lines = why(case) if case.status is not Status.PASSED else []
    return [*lines, *case.hides]


def _fitting(lines: Iterator[str], room: int, thing: str, of: str = "") -> Iterator[str]:
    left_over = 0
    for line in lines:
        room -= len(line) + 1
        if room >= 0 and not left_over:
            yield line
        else:
            left_over += 1
    if left_over:
        yield f"\n{left_out(left_over, thing, of)}."
