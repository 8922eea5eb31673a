"""From the names of two runs to what changed between them: kept runs, files of results, folders of those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trace_inspector.core.errors import UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.core.values import Json
from trace_inspector.core.verdict import CaseVerdict
from trace_inspector.engine.between_runs.compared_runs import compare_runs
from trace_inspector.engine.between_runs.comparison import RunsCompared
from trace_inspector.engine.between_runs.measured import TurnFigures, figures_in, figures_of, measured, median_seconds
from trace_inspector.engine.metric import metric_for
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.repeats import DECIDED
from trace_inspector.engine.reports.sources import Key, trace_key
from trace_inspector.flows.given_files import open_given
from trace_inspector.flows.golden_digests import Named, digest_for, digests_in
from trace_inspector.flows.input_notes import input_notes
from trace_inspector.flows.kept_figures import figures_of_kept
from trace_inspector.flows.run_keeping import kept_run, runs_named

_NAMED = 3
# What of a run's configuration makes its verdicts mean something else, with words for people.
_MEANING = {"rules": "rules", "judge": "judge"}


@dataclass(frozen=True, slots=True)
class _Side:
    """One run: what people call it, its verdicts, and how it was made where that is known."""

    name: str
    cases: tuple[CaseVerdict, ...]
    configuration: Mapping[str, Json] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)  # the SHA-256 of each file of goldens, by path
    goldens: Mapping[Named, str] = field(default_factory=dict)  # a digest of each
    told: Mapping[Key, Mapping[int, TurnFigures]] = field(default_factory=dict)  # what traces tell of their turns
    inputs: tuple[str, ...] = ()  # the files or the folder that it was about
    notes: tuple[str, ...] = ()  # on files that are broken

    def figures(self, verdict: CaseVerdict) -> tuple[TurnFigures, ...]:
        """What the turns of a case took."""
        return figures_of(verdict, self.told.get(trace_key(verdict)))


def compare_named(base: str, new: str) -> RunsCompared:
    """Two runs by their names: a file or folder of results, else a kept run by its id or its name."""
    before, after = _side(base), _side(new)
    found = compare_runs(before.cases, after.cases, lambda one, other: _why_apart(before, after, one, other))
    figures = {id(verdict): side.figures(verdict) for side in (before, after) for verdict in side.cases}
    told = measured(found.cases, lambda verdict: figures[id(verdict)])
    seconds = tuple((_median(case.base, figures), _median(case.new, figures)) for case in found.cases)
    inputs = before.inputs + after.inputs
    return RunsCompared(base, new, found, told, tuple(_notes(before, after)), seconds, inputs)


def _median(verdicts: Sequence[CaseVerdict], figures: Mapping[int, tuple[TurnFigures, ...]]) -> float | None:
    return median_seconds(figures[id(verdict)] for verdict in verdicts)


def _side(name: str) -> _Side:
    path = Path(name)
    if not path.exists():
        return _kept(name)
    given = open_given([path])
    cases = tuple(replace(verdict, trace_path=one.path) for one in given for verdict in one.contents.reported)
    if not cases:
        sentence = "There are no verdicts in it. Name a file of results, a folder of those, or a run."
        raise UsageError(sentence, path=name)
    notes = tuple(input_notes((one.path, one.contents) for one in given))
    told = {(one.path, trace.place, trace.id): figures_in(trace) for one in given for trace in one.contents.traces}
    return _Side(name, cases, told=told, inputs=(name,), notes=notes)


def _kept(name: str) -> _Side:
    ids = runs_named(name)
    if len(ids) != 1:
        many = f"{len(ids):,} runs are" if ids else "There is no file and no run"
        raise UsageError(f"{many} named “{one_line(name, 80)}”. “Runs” in the window lists them.")
    kept = kept_run(ids[0])
    if kept is None:
        raise UsageError(f"Run “{one_line(name, 80)}” cannot be read any more.")
    listed = kept.configuration.get("goldens")
    files = {path: digest for path, digest in kept.inputs.items() if isinstance(listed, list) and path in listed}
    digests, told = digests_in(kept.configuration), figures_of_kept(kept)
    return _Side(name, kept.shown.cases, kept.configuration, files, digests, told, tuple(kept.inputs))


def _why_apart(before: _Side, after: _Side, one: CaseVerdict, other: CaseVerdict) -> str:
    """What verdicts alone do not tell: another golden, or another judge of what a judge decided."""
    digests = digest_for(one, before.goldens), digest_for(other, after.goldens)
    if None not in digests and digests[0] != digests[1]:
        return "its golden was changed between the runs"
    if _differs(before, after, "judge") and (_is_judged(one) or _is_judged(other)):
        return f"another judge: {_shown(before, 'judge')} and {_shown(after, 'judge')}"
    return ""


def _is_judged(verdict: CaseVerdict) -> bool:
    """Whether a judge had a say in the verdict."""
    return any(
        metric.status in DECIDED and (known := metric_for(metric.metric, METRICS)) is not None and known.asks
        for metric in verdict.metrics
    )


def _notes(base: _Side, new: _Side) -> list[str]:
    """What else was not the same in both runs: it may explain a change that the agent did not make."""
    notes = list(dict.fromkeys((*base.notes, *new.notes)))
    notes += [
        f"The {words} was another: {_shown(base, key)} and {_shown(new, key)}."
        for key, words in _MEANING.items()
        if _differs(base, new, key)
    ]
    changed = [path for path in base.files if path in new.files and base.files[path] != new.files[path]]
    if base.goldens and new.goldens:
        return notes  # of each case is known whether it was changed
    return [*notes, *(f"{Path(path).name} was edited between the runs." for path in changed[:_NAMED])]


def _differs(base: _Side, new: _Side, key: str) -> bool:
    known = bool(base.configuration and new.configuration)
    return known and base.configuration.get(key) != new.configuration.get(key)


def _shown(side: _Side, key: str) -> str:
    return one_line(str(side.configuration.get(key) or "none"), 60)
