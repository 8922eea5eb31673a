"""Check every reported verdict against its own parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.audit.audit import audit
from trace_inspector.engine.repeats.repeats import Key, name_of
from trace_inspector.flows.opening.given_files import Given, open_given


class AuditedVerdict(Struct, frozen=True):
    """A reported verdict and its contradictions."""

    path: str
    verdict: CaseVerdict
    contradictions: tuple[Contradiction, ...]

    @property
    def name(self) -> str:
        """The name of the case, else of the trace."""
        verdict = self.verdict
        key: Key = (verdict.suite_id, verdict.case_id, verdict.candidate, verdict.persona, "", "")
        return name_of(key) or verdict.trace_id or "no name"


def audit_files(paths: Iterable[Path]) -> tuple[AuditedVerdict, ...]:
    """All verdicts in files and folders. Goldens in any of them give the expected number of turns."""
    given = open_given(paths)
    goldens = _Goldens(given)
    return tuple(audited for file in given for audited in _audited(file, goldens))


def _audited(given: Given, goldens: _Goldens) -> Iterator[AuditedVerdict]:
    places = {(trace.place, trace.id): [turn.place for turn in trace.turns] for trace in given.contents.traces}
    for verdict in given.contents.reported:
        turns = places.get((verdict.trace_place, verdict.trace_id or ""), [])
        contradictions = audit(verdict, goldens.of(given.path, verdict), len(turns))
        yield AuditedVerdict(
            given.path, verdict, tuple(_placed(contradiction, verdict, turns) for contradiction in contradictions)
        )


def _placed(contradiction: Contradiction, verdict: CaseVerdict, turns: Sequence[str]) -> Contradiction:
    """A contradiction with its place: that of the part, else of the turn, else of the whole result."""
    of_turn = turns[contradiction.turn] if contradiction.turn is not None and contradiction.turn < len(turns) else ""
    return replace(contradiction, place=contradiction.place or of_turn or verdict.trace_place)


class _Goldens:
    """Scripted cases by name; a name that several cases have is not used."""

    def __init__(self, given: Sequence[Given]) -> None:
        self._of_results: dict[tuple[str, str], list[Case]] = defaultdict(list)
        self._of_suites: dict[str, list[Case]] = defaultdict(list)
        for file in given:
            for case in (case for suite in file.contents.suites for case in suite.cases):
                if file.contents.reported:
                    self._of_results[file.path, case.id].append(case)
                else:
                    self._of_suites[case.id].append(case)

    def of(self, path: str, verdict: CaseVerdict) -> Case | None:
        """The golden of a verdict: from a suite, else from its own file."""
        suites = self._of_suites.get(verdict.case_id, [])
        for listed in (suites, self._of_results.get((path, verdict.case_id), [])):
            if len(listed) == 1:
                return listed[0]
        return None
