"""Differences between two runs that make their verdicts not comparable."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.core.golden.golden_digest import is_another
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.repeats.repeats import DECIDED
from trace_inspector.engine.run_comparison.extra_turns import extra_turns_in, why_other_turns
from trace_inspector.engine.run_comparison.metric_versions import version_notes
from trace_inspector.engine.run_comparison.other_options import OtherOptions, Stated
from trace_inspector.engine.scoring.metric import metric_for
from trace_inspector.flows.runs.compared_run import ComparedRun
from trace_inspector.flows.runs.golden_digests import digest_for

_NAMED = 3
# Keys of the configuration that change the meaning of verdicts, with words for people.
_MEANING = {"rules": "rules", "judge": "judge", "grounding_model": "grounding model"}


class Comparability:
    """Whether two verdicts are comparable: the same golden, the same judge where one decided, the same options."""

    def __init__(self, before: ComparedRun, after: ComparedRun) -> None:
        self._before, self._after = before, after
        self._turns = [extra_turns_in(side.cases, side.configuration) for side in (before, after)]
        self._options: dict[tuple[int, int], OtherOptions] = {}

    def why(self, base_verdict: CaseVerdict, new_verdict: CaseVerdict) -> str:
        """Why two verdicts on a case are not comparable; "" where they are."""
        before, after = self._before, self._after
        if is_another(digest_for(base_verdict, before.goldens), digest_for(new_verdict, after.goldens)):
            return "its golden was changed between the runs"
        if _differs(before, after, "judge") and (_is_judged(base_verdict) or _is_judged(new_verdict)):
            return f"different judges: {_shown(before, 'judge')} and {_shown(after, 'judge')}"
        options = self._of(before.stated(base_verdict), after.stated(new_verdict))
        return options.why_apart(base_verdict, new_verdict) or why_other_turns(
            base_verdict, new_verdict, *self._turns
        )

    def notes(self) -> list[str]:
        """Other differences of the runs, once all verdicts have been compared."""
        votes = (note for options in self._options.values() for note in options.notes())
        versions = version_notes(self._before.cases, self._after.cases)
        return [*_notes(self._before, self._after), *versions, *dict.fromkeys(votes)]

    def _of(self, before: Stated, after: Stated) -> OtherOptions:
        """Files that state the same share one object (`flows.runs.compare_stored`)."""
        return self._options.setdefault((id(before), id(after)), OtherOptions(before, after))


def _is_judged(verdict: CaseVerdict) -> bool:
    """Whether a judge decided a part of the verdict."""
    return any(
        metric.status in DECIDED
        and (definition := metric_for(metric.metric, METRICS)) is not None
        and definition.asks
        for metric in verdict.metrics
    )


def _notes(base: ComparedRun, new: ComparedRun) -> list[str]:
    """Other differences of the runs, which may explain a change that the agent did not cause."""
    notes = list(dict.fromkeys((*base.notes, *new.notes)))
    notes += [
        f"The {words} differed: {_shown(base, key)} and {_shown(new, key)}."
        for key, words in _MEANING.items()
        if _differs(base, new, key)
    ]
    changed = [path for path in base.files if path in new.files and base.files[path] != new.files[path]]
    if base.goldens and new.goldens:
        return notes  # changes of goldens are known by case
    return [*notes, *(f"{Path(path).name} was edited between the runs." for path in changed[:_NAMED])]


def _differs(base: ComparedRun, new: ComparedRun, key: str) -> bool:
    are_stated = bool(base.configuration and new.configuration)
    return are_stated and base.configuration.get(key) != new.configuration.get(key)


def _shown(side: ComparedRun, key: str) -> str:
    return one_line(str(side.configuration.get(key) or "none"), 60)
