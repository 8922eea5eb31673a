"""From the names of two runs to what changed between them: kept runs, files of results, folders of those."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trace_inspector.core.errors import UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.core.values import Json
from trace_inspector.core.verdict import CaseVerdict
from trace_inspector.engine.between_runs.compared_runs import ComparedRuns, compare_runs
from trace_inspector.flows.given_files import open_given
from trace_inspector.flows.run_keeping import kept_run, kept_runs

_NAMED = 3
# What of a run's configuration makes its verdicts mean something else, with words for people.
_MEANING = {"rules": "rules", "judge": "judge"}


@dataclass(frozen=True, slots=True)
class RunSide:
    """One run: what people call it, its verdicts, and how it was made where that is known."""

    name: str
    cases: tuple[CaseVerdict, ...]
    configuration: Mapping[str, Json]
    goldens: Mapping[str, str]  # the SHA-256 of each file of goldens, by path


@dataclass(frozen=True, slots=True)
class RunsCompared:
    """Two runs, what became of each case, and what to know before one believes it."""

    base: RunSide
    new: RunSide
    found: ComparedRuns
    notes: tuple[str, ...] = ()


def compare_named(base: str, new: str) -> RunsCompared:
    """Two runs by their names: a file or folder of results, else a kept run by its id or its name."""
    sides = _side(base), _side(new)
    return RunsCompared(*sides, compare_runs(sides[0].cases, sides[1].cases), tuple(_notes(*sides)))


def _side(name: str) -> RunSide:
    path = Path(name)
    if path.exists():
        cases = tuple(verdict for given in open_given([path]) for verdict in given.contents.reported)
        if not cases:
            sentence = "There are no verdicts in it. Name a file of results, a folder of those, or a run."
            raise UsageError(sentence, path=name)
        return RunSide(name, cases, {}, {})
    return _kept(name)


def _kept(name: str) -> RunSide:
    known = kept_runs().lines
    lines = [line for line in known if line.id == name or (line.name and line.name == name)]
    lines = lines or [line for line in known if len(name) >= _NAMED and line.id.startswith(name)]
    if len(lines) != 1:
        many = f"{len(lines)} runs are" if lines else "There is no file and no run"
        raise UsageError(f"{many} named “{one_line(name, 80)}”. “Runs” in the window lists them.")
    kept = kept_run(lines[0].id)
    if kept is None:
        raise UsageError(f"Run “{one_line(name, 80)}” cannot be read any more.")
    listed = kept.configuration.get("goldens")
    goldens = {path: digest for path, digest in kept.inputs.items() if isinstance(listed, list) and path in listed}
    return RunSide(name, kept.shown.cases, kept.configuration, goldens)


def _notes(base: RunSide, new: RunSide) -> list[str]:
    """What else was not the same in both runs: it may explain a change that the agent did not make."""
    notes = [
        f"The {words} was another: {_shown(base, key)} and {_shown(new, key)}."
        for key, words in _MEANING.items()
        if base.configuration and new.configuration and base.configuration.get(key) != new.configuration.get(key)
    ]
    changed = [path for path in base.goldens if path in new.goldens and base.goldens[path] != new.goldens[path]]
    notes += [f"{Path(path).name} was edited between the runs." for path in changed[:_NAMED]]
    return notes


def _shown(side: RunSide, key: str) -> str:
    return one_line(str(side.configuration.get(key) or "none"), 60)
