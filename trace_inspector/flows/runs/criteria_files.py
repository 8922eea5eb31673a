"""The criteria of a run: those a person names, else those of a result, else the file beside each golden."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.finding import Severity
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.case_key import CaseKey
from trace_inspector.documents.packing.packing import is_file
from trace_inspector.engine.criteria.criteria import check, complete, settings_over
from trace_inspector.engine.scoring.metric import Metric
from trace_inspector.flows.opening.open_file import open_file

BESIDE = "test_config.json"
RECORDED = "what each result records"


Line: TypeAlias = "tuple[str, float | None, JsonObject]"  # metric, threshold, options
_GoldenKey: TypeAlias = "tuple[str, str, str]"  # file, place, case


class RunCriteria(Struct, frozen=True):
    """The checked criteria of each golden file and of traces without a golden, with notes.

    `by_case`: cases with other criteria than their file, because a result keeps its own when it is judged again.
    `used`: all criteria that apply to some case, each once.
    """

    by_golden: dict[str, Criteria]
    alone: Criteria
    asked_for: frozenset[str]
    notes: tuple[str, ...] = ()
    by_case: dict[CaseKey, Criteria] = field(default_factory=dict)
    used: tuple[Criteria, ...] = ()

    def of(self, case: CaseKey) -> Criteria:
        """The criteria of one case with its trace."""
        golden_path = case[0]
        return self.by_case.get(case) or (self.by_golden.get(golden_path) if golden_path else None) or self.alone

    @property
    def source(self) -> str:
        return "; ".join(dict.fromkeys(criteria.source for criteria in self.used))

    @property
    def lines(self) -> tuple[Line, ...]:
        """Each criterion once."""
        distinct: list[Line] = []
        for criteria in self.used:
            distinct += [line for line in lines_of(criteria) if line not in distinct]
        return tuple(distinct)


def lines_of(criteria: Criteria) -> tuple[Line, ...]:
    """Criteria as a run stores them."""
    return tuple((item.metric, item.threshold, item.options) for item in criteria.items)


class Stated(Struct, frozen=True):
    """The criteria that files state.

    `by_golden`: of golden files; `by_case`: of single goldens in files of results; `rescored`: of the results that
    are judged again, where these agree.
    """

    by_golden: Mapping[str, Criteria] = field(default_factory=dict)
    by_case: Mapping[_GoldenKey, tuple[Criterion, ...]] = field(default_factory=dict)
    rescored: Criteria | None = None


class Defaults(Struct, frozen=True):
    """The criteria where none are stated: for each golden file, and for traces without a golden.

    In the golden files `added_to`, stated criteria only change settings of the defaults.
    """

    by_golden: Mapping[str, Criteria]
    otherwise: Criteria
    added_to: frozenset[str] = frozenset()


class CriteriaChooser:
    """Chooses the criteria of each pair of case and trace; broken criteria are an error."""

    def __init__(
        self,
        defaults: Defaults,
        stated: Stated,
        named: Criteria | None,
        only: Sequence[str],
        rules: str,
        metrics: Sequence[Metric],
        informed_by: frozenset[str] = frozenset(),
    ) -> None:
        self._informed_by = informed_by
        self._defaults, self._stated, self._named = defaults, stated, named
        self._only, self._rules, self._metrics = only, rules, metrics
        self._notes: list[str] = []
        self._used: dict[int, Criteria] = {}  # by identity
        self._unusual: dict[CaseKey, Criteria] = {}
        self._ready: dict[tuple[str, str], Criteria] = {}  # by golden file and what is stated
        given = {path: self._of_file(path) for path in defaults.by_golden}
        # Traces without a golden are judged by the criteria of all others where these agree, else by the defaults.
        same = list(given.values())
        self._as_stated = {path: _spelled(criteria.items) for path, criteria in given.items()}
        alone = named or (same[0] if len({*self._as_stated.values()}) == 1 else defaults.otherwise)
        self._by_golden = {path: self._completed(criteria) for path, criteria in given.items()}
        self._alone = self._completed(alone)
        asked = {item.metric for criteria in [*same, alone] if criteria.asked_for for item in criteria.items}
        self._asked_for = frozenset(only or asked)

    def pick(self, case: CaseKey, own: tuple[Criterion, ...] = ()) -> Criteria:
        """The criteria of a case; `own`: those of the result that is judged again."""
        path = case[0]
        if not path:
            criteria = self._alone
        else:
            stated = own or self._stated.by_case.get((path, case[1] or "", case[3] or ""), ())
            criteria = self._by_result(path, stated) if stated and not self._named else self._by_golden[path]
        self._used[id(criteria)] = criteria
        if criteria is not (self._by_golden[path] if path else self._alone):
            self._unusual[case] = criteria
        else:
            self._unusual.pop(case, None)
        return criteria

    def chosen(self) -> RunCriteria:
        """The criteria picked so far, for the whole run."""
        return RunCriteria(
            self._by_golden,
            self._alone,
            self._asked_for,
            tuple(self._notes),
            self._unusual,
            tuple(self._used.values()) or tuple(self._by_golden.values()) or (self._alone,),
        )

    def _of_file(self, path: str) -> Criteria:
        stated = self._stated.rescored or self._stated.by_golden.get(path)
        if stated:
            stated = self._with_defaults(path, stated)
        return self._named or stated or criteria_beside(path) or self._defaults.by_golden[path]

    def _by_result(self, path: str, stated: tuple[Criterion, ...]) -> Criteria:
        """The criteria that a result states, completed once for all results that state the same."""
        merged = self._with_defaults(path, Criteria(stated, RECORDED))
        spelled = _spelled(merged.items)
        if spelled == self._as_stated[path]:
            return self._by_golden[path]
        key = path, spelled
        if key not in self._ready:
            self._ready[key] = self._completed(merged)
        return self._ready[key]

    def _with_defaults(self, path: str, stated: Criteria) -> Criteria:
        if path not in self._defaults.added_to:
            return stated
        return settings_over(stated, self._defaults.by_golden[path])

    def _completed(self, criteria: Criteria) -> Criteria:
        completed = complete(
            criteria, self._metrics, only=self._only, rules=self._rules, informed_by=self._informed_by
        )
        notes = check(completed, self._metrics, rules=self._rules)
        self._notes += [note for note in notes if note not in self._notes]
        return completed


def criteria_by_case(contents: Contents) -> dict[tuple[str, str], tuple[Criterion, ...]]:
    """The criteria of the cases in a file of results, by place and id of the case.

    Where a case was judged several times by different criteria, the first count.
    """
    runs: dict[tuple[str, str], tuple[Criterion, ...]] = {}
    for trace in contents.traces:
        if trace.criteria and trace.case_id is not None:
            runs.setdefault((trace.suite_id or "", trace.case_id), trace.criteria)
    by_case: dict[tuple[str, str], tuple[Criterion, ...]] = {}
    for case in (case for suite in contents.suites for case in suite.cases) if runs else ():
        own = runs.get((case.suite_id, case.id)) or runs.get(("", case.id))
        if own:
            by_case[case.place, case.id] = own
    return by_case


def _spelled(items: Iterable[Criterion]) -> str:
    """Criteria as text, to compare them."""
    return json.dumps([(item.metric, item.threshold, item.options) for item in items], sort_keys=True, default=str)


def read_criteria(path: Path) -> Criteria:
    """Read the criteria of a file; UsageError when it has none or they are broken."""
    contents = open_file(path).contents
    if contents.criteria is None:
        raise UsageError(
            "this file contains no criteria that can be read; an ADK eval configuration is "
            "{“criteria”: {METRIC: THRESHOLD, …}}, each threshold a finite number or an object that has one.",
            path=str(path),
        )
    broken = next((finding for finding in contents.findings if finding.severity is Severity.ERROR), None)
    if broken is not None:
        raise UsageError(broken.message, path=str(path), line=broken.line, column=broken.column)
    return replace(contents.criteria, source=str(path), asked_for=True)


def criteria_beside(golden_path: str) -> Criteria | None:
    """The criteria that ADK itself would use for a golden, if any."""
    path = Path(golden_path).parent / BESIDE
    return read_criteria(path) if golden_path and is_file(path) else None


# Endpoints that criteria ask for: a file never decides where calls go, a person may allow it.
def endpoint_notes(
    criteria: Iterable[tuple[str, float | None, JsonObject]], allowed: Collection[str]
) -> tuple[str, ...]:
    """A sentence for every endpoint in criteria that is not allowed."""
    named = [(metric, url) for metric, _threshold, options in criteria if (url := _stated(options))]
    return tuple(
        f"{metric}: the base URL “{one_line(url, 120)}” is ignored, because a file may not choose where calls are "
        f"sent; --allow-endpoint {one_line(url, 120)} accepts it"
        for metric, url in named
        if url not in allowed
    )


def _stated(options: JsonObject) -> str:
    judge = _first_object(options, "judge_model_options", "judgeModelOptions")
    if not judge:
        return ""
    from trace_inspector.engine.judges.questions.questions import without_endpoint

    return without_endpoint(_first_object(judge, "judge_model_config", "judgeModelConfig"))[1]


def _first_object(options: JsonObject, *names: str) -> JsonObject:
    values: list[Json] = [options[name] for name in names if name in options]
    first = values[0] if values else None
    return first if isinstance(first, dict) else {}
