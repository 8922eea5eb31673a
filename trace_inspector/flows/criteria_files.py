"""The criteria of a run: those a person names, else those a result records, else the file beside each golden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trace_inspector.core.criteria import Criteria
from trace_inspector.core.errors import UsageError
from trace_inspector.core.finding import Severity
from trace_inspector.core.values import JsonObject
from trace_inspector.documents.packing import is_file
from trace_inspector.engine.criteria import check, complete, settings_over
from trace_inspector.engine.metric import Metric
from trace_inspector.flows.open_file import open_file

BESIDE = "test_config.json"


@dataclass(frozen=True, slots=True)
class RunCriteria:
    """The checked criteria of each golden file, those of traces without a golden, and what to say about them."""

    by_golden: dict[str, Criteria]
    alone: Criteria
    asked_for: frozenset[str]
    notes: tuple[str, ...] = ()

    def of(self, golden_path: str | None) -> Criteria:
        """The criteria for a golden of that file; None for a trace that has none."""
        return self.alone if golden_path is None else self.by_golden[golden_path]

    @property
    def used(self) -> list[Criteria]:
        return list(self.by_golden.values()) or [self.alone]

    @property
    def source(self) -> str:
        return "; ".join(dict.fromkeys(criteria.source for criteria in self.used))

    @property
    def lines(self) -> tuple[tuple[str, float | None, JsonObject], ...]:
        """Each criterion once: metric, threshold, options."""
        found: list[tuple[str, float | None, JsonObject]] = []
        for criteria in self.used:
            for item in criteria.items:
                line = (item.metric, item.threshold, item.options)
                if line not in found:
                    found.append(line)
        return tuple(found)


def choose_criteria(
    defaults: Mapping[str, Criteria],
    otherwise: Criteria,
    named: Criteria | None,
    only: Sequence[str],
    rules: str,
    metrics: Sequence[Metric],
    recorded: Mapping[str, Criteria],
    rescored: Criteria | None = None,
    added_to: frozenset[str] = frozenset(),
) -> RunCriteria:
    """The criteria of a run, refused with one sentence when they are broken.

    `defaults` are those of each golden file where nobody says anything, `otherwise` those of traces without a golden.
    `recorded` are those that golden files themselves say they were judged by, `rescored` those of the results that
    are the traces; to the golden files `added_to` they are settings of the defaults.
    """
    given = {}
    for path, default in defaults.items():
        stated = recorded.get(path) or rescored
        if stated and path in added_to:
            stated = settings_over(stated, default)
        given[path] = named or stated or criteria_beside(path) or default
    # Traces without a golden are judged as all others are, where there is one way; else by the defaults.
    same = list(given.values())
    alone = named or (same[0] if same and all(criteria == same[0] for criteria in same) else otherwise)
    ready = {path: complete(criteria, metrics, only=only, rules=rules) for path, criteria in given.items()}
    completed = complete(alone, metrics, only=only, rules=rules)
    notes: list[str] = []
    for criteria in [*ready.values(), completed]:
        notes += [note for note in check(criteria, metrics, rules=rules) if note not in notes]
    asked = {item.metric for criteria in [*same, alone] if criteria.asked_for for item in criteria.items}
    return RunCriteria(ready, completed, frozenset(only or asked), tuple(notes))


def read_criteria(path: Path) -> Criteria:
    """The criteria of a file, or one sentence about what is wrong with it."""
    contents = open_file(path).contents
    if contents.criteria is None:
        raise UsageError(
            "this holds no criteria that can be read; an ADK eval configuration is "
            "{“criteria”: {METRIC: THRESHOLD, …}}, each threshold a finite number or an object that has one.",
            path=str(path),
        )
    broken = next((finding for finding in contents.findings if finding.severity is Severity.ERROR), None)
    if broken is not None:
        raise UsageError(broken.message, path=str(path), line=broken.line, column=broken.column)
    return replace(contents.criteria, source=str(path), asked_for=True)


def criteria_beside(golden_path: str) -> Criteria | None:
    """The criteria that ADK itself would use for a golden, when there are any."""
    path = Path(golden_path).parent / BESIDE
    return read_criteria(path) if golden_path and is_file(path) else None
