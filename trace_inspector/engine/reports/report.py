"""What a report is, and the words for verdicts that reports share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import Generic, ParamSpec

from msgspec import Struct

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.figures import share_text
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Overruled,
    Status,
    TurnVerdict,
)
from trace_inspector.engine.reports.sources import Sources

Subject = ParamSpec("Subject")  # what it is about
_NOTHING = Sources()
_TITLE_CHARS = 80
_GREAT = 1000  # from there on without decimals
BROKEN = (Status.FAILED, Status.ERROR)
_SIGN = {Status.PASSED: "✓", Status.FAILED: "✗", Status.ERROR: "!", Status.INFORMATIONAL: "i"}


class Report(Struct, Generic[Subject], frozen=True):
    """A row of REPORTS: a kind of file about a run, about the differences of files, or about two runs.

    `name` is what commands call it, `file_name` what is proposed for its file.
    """

    name: str
    file_name: str
    media_type: str
    write: Callable[Subject, str]


def by_name(reports: Iterable[Report[Subject]]) -> dict[str, Report[Subject]]:
    """Reports by what commands call them."""
    return {report.name: report for report in reports}


def case_names(cases: Sequence[CaseVerdict], sources: Sources = _NOTHING) -> list[str]:
    """A name for each case: its title with its id, or its id; with the file and the trace where two are the same."""
    return names_apart([(_called(case, sources), *of_trace(case)) for case in cases])


def of_trace(case: CaseVerdict) -> tuple[str, str]:
    """What tells cases of one name apart: the name of the file, and the trace."""
    return PurePath(case.trace_path).name, case.trace_id or ""


def names_apart(named: Sequence[tuple[str, str, str]]) -> list[str]:
    """The names of cases; with the file, then with the trace, where two are the same."""
    names = [name for name, _file, _trace in named]
    for more in ([file for _name, file, _trace in named], [trace for _name, _file, trace in named]):
        counts = Counter(names)
        names = [
            f"{name} ({own})" if counts[name] > 1 and own else name for name, own in zip(names, more, strict=True)
        ]
    return names


def _called(case: CaseVerdict, sources: Sources) -> str:
    golden, trace = sources.case_of(case), sources.trace_of(case)
    title = one_line((golden.title if golden else "") or (trace.case_title if trace else ""), _TITLE_CHARS)
    if not title or title == case.case_id:
        return case.case_id
    return f"{title} ({case.case_id})" if case.case_id else title


def tally(cases: Sequence[CaseVerdict]) -> str:
    """How many cases there are, and how they ended."""
    counts = Counter(case.status for case in cases)
    total = ", ".join(f"{count} {words(status)}" for status, count in counts.most_common())
    return f"{len(cases)} {'case' if len(cases) == 1 else 'cases'}: {total or 'none'}"


def words(status: Status) -> str:
    """A status as people say it."""
    return status.value.lower().replace("_", " ")


def sign(status: Status) -> str:
    """One character for a status."""
    return _SIGN.get(status, "–")


def score_text(verdict: MetricVerdict) -> str:
    """A score in few digits, with a decimal point; a dash for none."""
    return "–" if verdict.score is None else f"{verdict.score:.4g}"


def rounded_score(verdict: MetricVerdict) -> str:
    """The same for people: a share with two decimals, as in the window, and no powers of ten."""
    from trace_inspector.engine.metrics import metric_named

    score, metric = verdict.score, metric_named(verdict.metric)
    if score is None:
        return "–"
    if metric.range is not None if metric else abs(score) <= 1:
        return share_text(score)
    return f"{score:,.0f}" if _GREAT <= abs(score) < math.inf else score_text(verdict)


def marked_score(verdict: MetricVerdict, text: Callable[[MetricVerdict], str] = score_text) -> str:
    """A score with the sign of its status, one dash where there is neither; a star where a person overruled it."""
    star = ("*",) if verdict.overruled else ()
    return " ".join(dict.fromkeys((sign(verdict.status), text(verdict), *star)))


def was(overruled: Overruled | None) -> str:
    """What stood where a person said otherwise, and why; "" where nobody did."""
    if overruled is None:
        return ""
    if overruled.follows:
        return f"follows from a verdict that a person overruled; it was {words(overruled.status)}"
    note = f": {overruled.note}" if overruled.note else ""
    return f"overruled by a person (before: {words(overruled.status)}){note}"


def turn_name(turn: TurnVerdict) -> str:
    """The turn in words, counted from 1."""
    if turn.index is None:
        return f"missing turn {(turn.golden_index or 0) + 1}"
    return f"extra turn {turn.index + 1}" if _is_extra(turn) else f"turn {turn.index + 1}"


def why(case: CaseVerdict) -> list[str]:
    """One sentence for everything that failed or broke, turn by turn; then what kept criteria from deciding."""
    sentences = [case.reason] if case.reason and case.status is not Status.PASSED else []
    sentences += [f"{turn_name(turn)}: {turn_sentence(turn)}" for turn in case.turns if turn.status in BROKEN]
    if not sentences:
        sentences = [
            f"{verdict.metric}: {verdict.reason}"
            for verdict in case.metrics
            if verdict.reason and verdict.status in (Status.FAILED, Status.ERROR, Status.NOT_EVALUATED)
        ]
    return sentences


def turn_sentence(turn: TurnVerdict, text: Callable[[MetricVerdict], str] = score_text) -> str:
    """Why a turn failed."""
    if turn.overruled:
        return was(turn.overruled)
    if turn.reason:
        return turn.reason
    return "; ".join(
        f"{verdict.metric} {text(verdict)}{f' ({verdict.reason})' if verdict.reason else ''}"
        for verdict in turn.metrics
        if verdict.status in BROKEN
    )


def _is_extra(turn: TurnVerdict) -> bool:
    return turn.golden_index is None and bool(turn.reason)
