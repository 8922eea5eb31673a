"""One of two runs that are compared: its verdicts, and what is known of how it was made."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.reports.sources import Key, trace_key
from trace_inspector.engine.run_comparison.latency_and_tokens import TurnFigures, figures_of
from trace_inspector.engine.run_comparison.other_options import Stated
from trace_inspector.flows.runs.golden_digests import Named

ANY_FILE = ""
_NOTHING: Stated = {}


class ComparedRun(Struct, frozen=True):
    """One run: what people call it, its verdicts, and how it was made where that is known."""

    name: str
    cases: tuple[CaseVerdict, ...]
    configuration: Mapping[str, Json] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)  # the SHA-256 of each file of goldens, by path
    goldens: Mapping[Named, str] = field(default_factory=dict)  # a digest of each
    turn_figures: Mapping[Key, Mapping[int, TurnFigures]] = field(
        default_factory=dict
    )  # what traces tell of their turns
    criteria: Mapping[str, Stated] = field(default_factory=dict)  # of each file of results, or of all
    inputs: tuple[str, ...] = ()  # the files or the folder that it was about
    notes: tuple[str, ...] = ()  # on files that are broken
    files_apart: bool = False  # traces of a case in several files are not its repeats

    def figures(self, verdict: CaseVerdict) -> tuple[TurnFigures, ...]:
        """What the turns of a case took."""
        return figures_of(verdict, self.turn_figures.get(trace_key(verdict)))

    def stated(self, verdict: CaseVerdict) -> Stated:
        """What is known of the options of its criteria."""
        return self.criteria.get(verdict.trace_path) or self.criteria.get(ANY_FILE, _NOTHING)
