"""Scores that different versions of a metric gave: they are never held against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.run_comparison.compared_case import BASELINE, CANDIDATE

_NOT_COMPARABLE = "scores of different versions of a metric are not comparable"
_NAME_CHARS = 80


def same_version(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict], metric: str) -> bool:
    """Whether one version of a metric gave all its scores of a case."""
    return len(_versions(base, metric) | _versions(new, metric)) <= 1


def why_other_version(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict], metrics: Iterable[str]) -> str:
    """The first of these metrics that was of another version; "" where none was."""
    name = next((name for name in metrics if not same_version(base, new, name)), None)
    if name is None:
        return ""
    both = f"{_shown(_versions(base, name))} and {_shown(_versions(new, name))}"
    return f"another version of {one_line(name, _NAME_CHARS)}: {both}; {_NOT_COMPARABLE}"


def version_notes(base: Sequence[CaseVerdict], new: Sequence[CaseVerdict]) -> Iterator[str]:
    """A sentence about each metric of both runs that is not of one version."""
    before, after = _all_versions(base), _all_versions(new)
    for name in before:
        if name in after and len(before[name] | after[name]) > 1:
            sides = (f"{_shown(before[name])} in the {BASELINE}", f"{_shown(after[name])} in the {CANDIDATE}")
            yield f"{one_line(name, _NAME_CHARS)} is of version {' and '.join(sides)}: {_NOT_COMPARABLE}."


def _versions(verdicts: Sequence[CaseVerdict], metric: str) -> set[int]:
    return _all_versions(verdicts).get(metric, set())


def _all_versions(verdicts: Iterable[CaseVerdict]) -> dict[str, set[int]]:
    """By metric, of all its scores; what gave none has nothing to compare."""
    versions: dict[str, set[int]] = {}
    for verdict in verdicts:
        for metric in verdict.metrics:
            if metric.score is not None:
                versions.setdefault(metric.metric, set()).add(metric.version)
    return versions


def _shown(versions: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(versions)))
