"""Cases doubled, split, put together and moved, and turns moved between them: as what is to stand in their list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case, Session
from trace_inspector.core.golden.golden_change import (
    BeginsWith,
    Calls,
    EndsWith,
    ExpectedCall,
    GoldenChange,
    Named,
    Noted,
    Rubrics,
    Tagged,
    Turns,
)
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.unique_id import unique_id
from trace_inspector.core.values.value_edits import is_below


class ReworkedCase(Struct, frozen=True):
    """A case that stands there, changed. Beside the case itself it is a copy.

    `borrowed` are the numbers of turns, after the first change of turns, that come from another place as they stand.
    """

    place: str
    changes: tuple[GoldenChange, ...] = ()
    borrowed: tuple[tuple[int, str], ...] = ()


ArrangedCase: TypeAlias = str | ReworkedCase


class Arrangement(Struct, frozen=True):
    """The cases of a file as they are to stand, and what people should know of it."""

    cases: tuple[ArrangedCase, ...]
    notes: tuple[str, ...] = ()


def duplicated(cases: Sequence[Case], which: Collection[int]) -> Arrangement:
    """A copy behind each of some cases, under an id of its own."""
    taken = {case.id for case in cases}
    arranged: list[ArrangedCase] = []
    for index, case in enumerate(cases):
        arranged.append(case.place)
        if index in which:
            taken.add(name := unique_id(case.id, taken))
            arranged.append(ReworkedCase(case.place, (Named(name),)))
    return Arrangement(tuple(arranged))


def deleted(cases: Sequence[Case], which: Collection[int]) -> Arrangement:
    """The cases without some."""
    return _with(cases, dict.fromkeys(which, ()))


def moved(cases: Sequence[Case], which: Collection[int], to: int) -> Arrangement:
    """Some cases before another, in the order in which they stand; behind all with the number of cases."""
    places = [case.place for case in cases]
    before = [place for index, place in enumerate(places) if index < to and index not in which]
    behind = [place for index, place in enumerate(places) if index >= to and index not in which]
    return Arrangement((*before, *(places[index] for index in sorted(which)), *behind))


def split(cases: Sequence[Case], which: int, turns: int) -> Arrangement:
    """Two cases of one: its first `turns` turns, and the rest as a copy that keeps all else."""
    case = _scripted(cases[which])
    if not 0 < turns < len(case.turns):
        raise EditError("Both halves need a turn. Split between two turns.")
    name = unique_id(case.id, {other.id for other in cases})
    first: list[GoldenChange] = [Turns(case.turns[:turns])]
    rest: list[GoldenChange] = [Named(name), Turns(case.turns[turns:])]
    notes = [f"“{name}” begins as “{case.id}” does: what the turns before it leave in the session is not known."]
    if case.session is not None and any(is_below(case.session.place, turn.place) for turn in case.turns[:turns]):
        rest.append(BeginsWith(Session(state=case.session.state)))
    if case.final_state is not None:
        first.append(EndsWith(None))
        notes.append(f"The expected final state stays with “{name}” alone.")
    if case.rubrics or case.expectations:
        notes.append("What is expected of the whole conversation is expected of both.")
    halves = ReworkedCase(case.place, tuple(first)), ReworkedCase(case.place, tuple(rest))
    return _with(cases, {which: halves}, *notes)


def joined(cases: Sequence[Case], which: Sequence[int]) -> Arrangement:
    """One case of several: the turns one after the other in the first of them, which keeps its id and its session."""
    first, *others = (_scripted(cases[index]) for index in which)
    if not others or not first.turns:
        raise EditError("Choose two cases with turns, or more.")
    turns = [(part, turn) for part in (first, *others) for turn in part.turns]
    case = _with_turns(first, turns)
    changes = list(case.changes)
    final = others[-1].final_state
    if final != first.final_state:
        changes.append(EndsWith(final))
    tags = tuple(dict.fromkeys(tag for part in (first, *others) for tag in part.tags))
    if tags != first.tags:
        changes.append(Tagged(tags))
    known_texts = {rubric.text for rubric in first.rubrics}
    rubrics = {rubric.text: replace(rubric, place="") for part in others for rubric in part.rubrics}
    new = [rubric for text, rubric in rubrics.items() if text not in known_texts]
    if new:
        changes.append(Rubrics(first.place, (*first.rubrics, *new)))
    gone = dict.fromkeys(which[1:], ())
    return _with(cases, {which[0]: (replace(case, changes=tuple(changes)),), **gone}, *_not_joined(first, others))


def turns_doubled(cases: Sequence[Case], source: int, turns: Collection[int]) -> Arrangement:
    """A copy behind each of some turns of a case, with the rules of its calls."""
    case = _scripted(cases[source])
    stands: list[Turn] = []
    borrowed: list[tuple[int, str]] = []
    beside: list[GoldenChange] = []
    for index, turn in enumerate(case.turns):
        stands.append(turn)
        if index in turns:
            place = f"{turn.place.rpartition('/')[0]}/{len(stands)}"
            beside += _beside(case, turn, turn.place, place)
            borrowed.append((len(stands), turn.place))
            stands.append(replace(turn, place=""))
    copied = ReworkedCase(case.place, (Turns(tuple(stands)), *beside), tuple(borrowed))
    return _with(cases, {source: (copied,)})


def _with_turns(case: Case, turns: Sequence[tuple[Case, Turn]]) -> ReworkedCase:
    """A case with turns of other cases among its own; rules and notes about them come along."""
    around = case.turns[0].place.rpartition("/")[0]
    changes: list[GoldenChange] = [Turns(tuple(turn for _, turn in turns))]
    borrowed = [(index, turn.place) for index, (owner, turn) in enumerate(turns) if owner is not case]
    for index, place in borrowed:
        owner, turn = turns[index]
        changes += _beside(owner, turn, place, f"{around}/{index}")
    return ReworkedCase(case.place, tuple(changes), borrowed=tuple(borrowed))


def _beside(owner: Case, turn: Turn, old: str, new: str) -> list[GoldenChange]:
    """What stands beside a case about one of its turns, as changes of the case that the turn comes into."""
    rules = [rule for rule in owner.matchers if is_below(rule.place, old)]
    calls = []
    for call in calls_of(turn):
        own = f"{call.place}/args"
        stated = (replace(rule, place=rule.place[len(own) :]) for rule in rules if is_below(rule.place, own))
        calls.append(ExpectedCall(replace(call, place=new + call.place[len(old) :]), tuple(stated)))
    changes: list[GoldenChange] = [Calls(new, tuple(calls))] if rules else []
    notes = [note for note in owner.notes if is_below(note.place, old)]
    return [*changes, *(Noted(new + note.place[len(old) :], note.text) for note in notes)]


def _not_joined(first: Case, others: Sequence[Case]) -> list[str]:
    notes = []
    for other in others:
        if _plain(other.session) not in (None, _plain(first.session)):
            notes.append(f"“{other.id}” began in a session of its own; the turns now go on in that of “{first.id}”.")
        if other.context or other.expectations or other.criteria:
            notes.append(f"What “{other.id}” says of its whole conversation beside rubrics is not taken along.")
    return notes


def _plain(session: Session | None) -> Session | None:
    return None if session is None else replace(session, place="")


def _scripted(case: Case) -> Case:
    if case.scenario is not None:
        raise EditError(f"“{case.id}” is a scenario and has no turns. Choose a case with a script.")
    return case


def _with(cases: Sequence[Case], others: dict[int, tuple[ArrangedCase, ...]], *notes: str) -> Arrangement:
    """The cases in their order, with others in the place of some."""
    arranged = [entry for index, case in enumerate(cases) for entry in others.get(index, (case.place,))]
    return Arrangement(tuple(arranged), notes)
