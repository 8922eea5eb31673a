"""What one document holds: the typed view that formats give and everything above reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Span, Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict


class Holds(Struct, frozen=True):
    """What a file holds that is neither case nor trace, by name and number."""

    what: str
    count: int


class ReadProgress(Struct, frozen=True):
    """How much of a large file is read."""

    done_bytes: int
    all_bytes: int


class Kept(Struct, frozen=True):
    """So many traces at the beginning, with their turns, are the very same as those of the reading before."""

    traces: int


# A reader yields items as it goes, so that the first turns of a large file show while the rest is read.
# A Trace without turns opens a trace; the Turns that follow belong to it, and a CaseVerdict is about the last one,
# or about a golden before it where it names no trace.
Item: TypeAlias = Suite | Trace | Turn | Criteria | CaseVerdict | Finding | Holds | ReadProgress | Kept


SEVERAL = "several"  # the format of what several files hold together
EVIDENCE = "evidence"  # its verdicts are shown as they were reported: over placeholders none is computed
RESULTS = "results"  # the same: they hold the beginning of what was said
REPORTED_ONLY = frozenset({EVIDENCE, RESULTS})
EVIDENCE_KEY = "trace_inspector_evidence"  # what an evidence pack is recognised by


class Contents(Struct, frozen=True):
    """Suites, traces, criteria and findings of one document. `format` is "" when nobody recognised it.

    `reported` are verdicts that the file itself states.
    """

    format: str
    suites: tuple[Suite, ...] = ()
    traces: Sequence[Trace] = ()
    criteria: Criteria | None = None
    holds: dict[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    reported: tuple[CaseVerdict, ...] = ()


def collect(format_name: str, items: Iterable[Item]) -> Contents:
    """Everything a reader yields, put together."""
    suites: list[Suite] = []
    traces: list[tuple[Trace, list[Turn], list[Span]]] = []
    criteria: Criteria | None = None
    holds: dict[str, int] = {}
    findings: list[Finding] = []
    reported: list[CaseVerdict] = []
    turns: list[Turn] = []
    for item in items:
        match item:
            case Trace(goes_on=None):
                turns, spans = list(item.turns), list(item.spans)
                traces.append((item, turns, spans))
            case Trace(goes_on=int(number)):
                _trace, turns, spans = traces[number]
                spans.extend(item.spans)
                traces[number] = (replace(item, goes_on=None), turns, spans)
            case Turn():
                turns.append(item)
            case Suite():
                suites.append(item)
            case Criteria():
                criteria = item
            case CaseVerdict():
                reported.append(item)
            case Finding():
                findings.append(item)
            case Holds():
                holds[item.what] = item.count
    whole = tuple(replace(trace, turns=tuple(turns), spans=tuple(spans)) for trace, turns, spans in traces)
    return Contents(format_name, tuple(suites), whole, criteria, holds, tuple(findings), tuple(reported))
