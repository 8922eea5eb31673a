"""Rubrics of a golden in its editor: those of the case and of the turn in one list, with the last verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange, Rubrics
from trace_inspector.core.trace.rubric import Rubric, rubric_in
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.unique_id import unique_id
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RubricVerdict, TurnVerdict
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.field import GoldenField, Kind
from trace_inspector.models.golden.format_limits import why_not
from trace_inspector.models.golden.live_status import Now

MOST_PASTED = 500
_MOST_CHARS = 200_000
Edit = Callable[[list[Rubric]], list[Rubric]]


class PlacedRubric(Struct, frozen=True):
    """A rubric and its index among those of its turn, or of the case."""

    rubric: Rubric
    of_turn: bool
    index: int


def owned(context: GoldenContext) -> list[PlacedRubric]:
    """The rubrics of the case, then those of the turn."""
    of_turn = context.turn.rubrics if context.turn is not None else ()
    listed = [PlacedRubric(rubric, of_turn=False, index=index) for index, rubric in enumerate(context.case.rubrics)]
    return [*listed, *(PlacedRubric(rubric, of_turn=True, index=index) for index, rubric in enumerate(of_turn))]


def edited(case: Case, index: int | None, edits: Sequence[tuple[bool, Edit]]) -> list[GoldenChange]:
    """The changes for edits of the lists; the flag of an edit says whether it is about the turn's list."""
    changes: list[GoldenChange] = []
    for of_turn, edit in edits:
        turn = case.turns[index] if of_turn and index is not None and index < len(case.turns) else None
        if turn is None and of_turn:
            continue
        before = turn.rubrics if turn is not None else case.rubrics
        after = tuple(edit([*before]))
        if after != before:
            changes.append(Rubrics(turn.place if turn is not None else case.place, after))
    return changes


_PUT: Mapping[str, Callable[[Rubric, str], Rubric]] = {
    "id": lambda rubric, value: replace(rubric, id=value),
    "text": lambda rubric, value: replace(rubric, text=value),
    "type": lambda rubric, value: replace(rubric, type=value or None),
    "group": lambda rubric, value: replace(rubric, group=value),
    "description": lambda rubric, value: replace(rubric, description=value or None),
    "importance": lambda rubric, value: replace(rubric, importance=value),
}


def put(index: int, name: str, value: str) -> Edit:
    """Set the id, text, type, group, description or importance of a rubric."""

    def edit(rubrics: list[Rubric]) -> list[Rubric]:
        if index < len(rubrics):
            rubrics[index] = _PUT[name](rubrics[index], value)
        return rubrics

    return edit


def without(index: int) -> Edit:
    """Remove a rubric."""
    return lambda rubrics: [rubric for number, rubric in enumerate(rubrics) if number != index]


def moved(index: int, to: int) -> Edit:
    """Move a rubric."""

    def edit(rubrics: list[Rubric]) -> list[Rubric]:
        if index < len(rubrics) and to < len(rubrics):
            rubrics.insert(to, rubrics.pop(index))
        return rubrics

    return edit


def added(new: Iterable[Rubric]) -> Edit:
    """Add rubrics, each with a unique id."""
    coming = list(new)

    def edit(rubrics: list[Rubric]) -> list[Rubric]:
        for rubric in coming:
            taken = {other.id for other in rubrics}
            rubrics.append(replace(rubric, id=unique_id(rubric.id or f"rubric_{len(rubrics) + 1}", taken), place=""))
        return rubrics

    return edit


def usual_type(rubrics: Iterable[Rubric]) -> str | None:
    """The type that all rubrics have: a new one needs it too, to be read by the criterion that reads these."""
    types = {rubric.type for rubric in rubrics}
    return types.pop() if len(types) == 1 else None


# What formats store of rubrics


def _probed(name: str, probe: str, *, of_turn: bool = False) -> GoldenField:
    def value(case: Case) -> Json | Absent:
        listed = case.turns[0].rubrics if of_turn and case.turns else () if of_turn else case.rubrics
        return getattr(listed[0], name) or ABSENT if listed else ABSENT

    def change(case: Case, probe_value: Json | Absent) -> Sequence[GoldenChange]:
        rubric = _PUT[name](Rubric("r1", "Is polite."), probe_value if isinstance(probe_value, str) else "")
        if of_turn and not case.turns:
            return []
        return [Rubrics(case.turns[0].place if of_turn else case.place, (rubric,))]

    return GoldenField(f"rubric-{name}{'-turn' * of_turn}", name, Kind.LINE, "", value, change, probe)


_OF_CASE, _OF_TURN = _probed("text", "Is brief."), _probed("text", "Is brief.", of_turn=True)
_PROBES = {
    name: _probed(name, probe)
    for name, probe in (
        ("id", "polite"), ("type", "TONE"), ("group", "tone"), ("description", "Tone"), ("importance", "HIGH"),
    )
}  # fmt: skip


def why_no_rubrics(context: GoldenContext, *, of_turn: bool) -> str:
    """Why the format has no rubrics for the case, or for a turn; "" when it has."""
    probe = _OF_TURN if of_turn else _OF_CASE
    return why_not(context.file.format, probe, scenario=context.case.scenario is not None)


def kept_fields(context: GoldenContext) -> frozenset[str]:
    """The fields that a format stores of a rubric beside its text."""
    scenario = context.case.scenario is not None
    return frozenset(
        name for name, probe in _PROBES.items() if not why_not(context.file.format, probe, scenario=scenario)
    )


# Verdicts


class LastVerdict(Struct, frozen=True):
    """The last verdict on a rubric, and whether the golden changed since."""

    verdict: RubricVerdict
    stale: bool = False

    @property
    def now(self) -> Now:
        """The verdict in a few words."""
        if self.verdict.score is None:
            return Now("stale" if self.stale else "none", tr("undecided"))
        word = tr("yes") if self.verdict.score >= 1 else tr("no")
        agreeing = sum(vote == self.verdict.score for vote in self.verdict.votes)
        if len(self.verdict.votes) > 1:
            word = tr("{0}, {1} of {2}").format(word, agreeing, len(self.verdict.votes))
        return Now("stale" if self.stale else "passed" if self.verdict.score >= 1 else "failed", word)


class RubricVerdicts(Struct):
    """Verdicts on rubrics of one golden; those that an edit made stale are remembered until another run."""

    _of: tuple[object, object] = (None, None)
    _by_text: dict[str, RubricVerdict] = field(default_factory=dict)
    _by_id: dict[str, RubricVerdict] = field(default_factory=dict)
    _fresh: set[int] = field(default_factory=set)

    def note(self, context: GoldenContext) -> None:
        """Take over the verdicts on a golden."""
        run = context.shown.value
        if self._of != (id(run), context.identity):
            self._of = (id(run), context.identity)
            self._by_text, self._by_id = {}, {}
        self._fresh = set()
        for verdict in _rubrics_in(context.turn_verdict, context.case_verdict):
            self._fresh.add(id(verdict))
            if verdict.text:
                self._by_text[_words(verdict.text)] = verdict
            self._by_id[verdict.rubric_id] = verdict

    def on(self, rubric: Rubric) -> LastVerdict | None:
        """The last verdict on a rubric, by its text, else by its id; None where there is none."""
        verdict = self._by_text.get(_words(rubric.text)) or self._by_id.get(rubric.id)
        if verdict is None:
            return None
        other = bool(verdict.text) and _words(verdict.text) != _words(rubric.text)
        return LastVerdict(verdict, stale=other or id(verdict) not in self._fresh)


def _rubrics_in(*verdicts: TurnVerdict | CaseVerdict | None) -> Iterator[RubricVerdict]:
    """The rubric verdicts of the turn, then those of the case on other rubrics."""
    seen: set[str] = set()
    for verdict in verdicts:
        metrics: Sequence[MetricVerdict] = verdict.metrics if verdict is not None else ()
        judged = [rubric for metric in metrics for rubric in metric.rubrics]
        yield from (rubric for rubric in judged if rubric.rubric_id not in seen)
        seen.update(rubric.rubric_id for rubric in judged)


def _words(text: str) -> str:
    return " ".join(text.split()).casefold()


# Pasted ones


def pasted(text: str) -> tuple[Rubric, ...]:
    """Rubrics from pasted text: JSON as ADK has it, else one a line, or an id, a tab and the text."""
    if len(text) > _MOST_CHARS:
        return ()
    try:
        value = parse_exactly(text)
    except (json.JSONDecodeError, ValueError, RecursionError):
        value = None
    listed = value.get("rubrics") if isinstance(value, dict) else value
    if isinstance(listed, list):
        return tuple(rubric for item in listed[:MOST_PASTED] if (rubric := rubric_in(item)) is not None)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return tuple(_from_line(line) for line in lines[:MOST_PASTED])


def _from_line(line: str) -> Rubric:
    first, tab, rest = line.partition("\t")
    return Rubric(first.strip(), rest.strip()) if tab and rest.strip() else Rubric("", line)
