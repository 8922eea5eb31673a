"""Pairs each trace with its case and says why, and how certain that is. Never only because there is one of each."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Protocol, overload, runtime_checkable

from msgspec import Struct

from trace_inspector.core.alignment.words import normalised
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Trace, Turn, user_text
from trace_inspector.core.trace.turn_ids import only_count
from trace_inspector.core.values.spilled import KeyIndex, Spilled
from trace_inspector.settings import ready_data_folder

_NONE = -1
_TELLING = 8  # shorter invocation ids may be plain counters, which other runs have as well


class TraceFile(Protocol):
    """A file whose traces can be read again. A value: comparable and picklable."""

    def traces(self) -> Sequence[Trace]:
        """All of them, in the same order each time; InspectorError when that cannot be."""
        ...

    def identity(self, number: int) -> Sequence[object]:
        """What one of them follows from."""
        ...

    def __hash__(self) -> int: ...


class TraceLocation(Struct, frozen=True):
    """Where a trace that is not in memory can be read: its file, and its index in it."""

    file: TraceFile
    number: int


class Recorded(Struct, frozen=True):
    """A trace and the file it came from. With `elsewhere` only an outline is in memory: ids, and outlined turns."""

    trace: Trace
    path: str = ""
    elsewhere: TraceLocation | None = None


@runtime_checkable
class PlacedTraces(Protocol):
    """Traces of which it is known where each is read, without reading anything."""

    def location(self, index: int) -> TraceLocation | None:
        """Of the trace at an index; None where it is in memory."""


class Golden(Struct, frozen=True):
    """A case and the file it came from."""

    case: Case
    path: str = ""


class Pairing(Struct, frozen=True):
    """What a trace belongs to: an index into the goldens, or None with the reason. `how` says why, in words.

    `among` are the candidates where several goldens fit equally well.
    """

    golden: int | None
    how: str
    among: tuple[int, ...] = ()


class Pairings(Sequence[Pairing]):
    """What each trace belongs to, in few bytes: most of them say why in the same words."""

    def __init__(self, pairings: Iterable[Pairing] = ()) -> None:
        self._goldens = array("q")
        self._hows = _NameOfEach()
        self._among: dict[int, tuple[int, ...]] = {}
        for pairing in pairings:
            self._goldens.append(_NONE)
            self._hows.append("")
            self.put(len(self._goldens) - 1, pairing)

    def put(self, index: int, pairing: Pairing) -> None:
        """Another one for the trace at an index."""
        self._goldens[index] = _NONE if pairing.golden is None else pairing.golden
        self._hows.put(index, pairing.how)
        self._among.pop(index, None)
        if pairing.among:
            self._among[index] = pairing.among

    def golden(self, index: int) -> int | None:
        """The golden alone."""
        golden = self._goldens[index]
        return None if golden == _NONE else golden

    def __len__(self) -> int:
        return len(self._goldens)

    @overload
    def __getitem__(self, index: int) -> Pairing: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Pairing]: ...
    def __getitem__(self, index: int | slice) -> Pairing | Sequence[Pairing]:
        if isinstance(index, slice):
            return [self[number] for number in range(len(self))[index]]
        number = range(len(self))[index]  # IndexError, as of any sequence
        return Pairing(self.golden(number), self._hows.name(number), self._among.get(number, ()))


def pair(
    traces: Sequence[Recorded], goldens: Sequence[Golden], by: str = "auto", index: CaseIndex | None = None
) -> Pairings:
    """One pairing for each trace; several traces of one case are its repeats. `by`: auto, id, text or order.

    A trace from a file with cases, such as a result, can only belong to a case of that file: the goldens may contain
    another run of the same cases. The `index` is that of the goldens, where somebody has it.
    """
    if by == "order":
        return Pairings(
            Pairing(index, "by order, as requested")
            if index < len(goldens)
            else Pairing(None, "there are fewer cases than traces")
            for index in range(len(traces))
        )
    if not goldens:
        return Pairings(repeat(Pairing(None, "none was given"), len(traces)))
    evidence = index or CaseIndex(goldens)
    return Pairings(evidence.pair(recorded, by) for recorded in traces)


def agreement(case: Case, trace: Trace) -> tuple[int, int]:
    """How many questions both ask, then, negated, how many only one side asks: the greater, the better."""
    return _agreement(_questions(case), _normalised(trace.turns))


def outlined(turn: Turn) -> Turn:
    """A turn reduced to what pairing reads."""
    return Turn(turn.index, turn.id, (Text(user_text(turn)),))


class CaseIndex:
    """Indexes of the cases by all that can identify them, built once for all traces.

    Ids decide before texts: the same question is often asked in many cases, while an id that two files share was
    copied from one to the other. Each weaker kind of evidence only narrows what the stronger ones left open; where
    they contradict each other, the stronger one stands."""

    def __init__(self, goldens: Sequence[Golden]) -> None:
        self._goldens = goldens
        self._suites = _NameOfEach()
        self._paths = _NameOfEach()
        self._asked = _QuestionLists()
        self._by_id, self._by_session, self._by_invocation, self._by_question = (KeyIndex() for _ in range(4))
        for index, golden in enumerate(goldens):
            case = golden.case
            self._suites.append(case.suite_id)
            self._paths.append(golden.path)
            questions = tuple(_questions(case))
            self._asked.append(questions)
            _put(self._by_id, (case.id,), index)
            _put(self._by_session, (case.session.id if case.session else None,), index)
            _put(self._by_invocation, (turn.id for turn in case.turns), index)
            _put(self._by_question, questions, index)
        self._among: dict[
            frozenset[int], tuple[int, ...]
        ] = {}  # shared, as thousands of traces may fit the same thousands of cases

    def pair(self, recorded: Recorded, by: str) -> Pairing:
        """What a trace belongs to, by that kind of evidence."""
        trace = recorded.trace
        own = self._paths.number(recorded.path) if recorded.path else None
        candidates: set[int] = set()  # none has evidence yet
        how = ""
        for reason, identified in self._identities(trace) if by in ("auto", "id") else ():
            agreeing = identified & candidates if candidates else self._of_path(identified, own)
            if agreeing:
                candidates, how = agreeing, reason
            if len(candidates) == 1:
                return Pairing(min(candidates), how)
        if by == "id":
            return self._ambiguous(candidates) if candidates else Pairing(None, "no case has this trace’s id")
        return self._by_text(trace, candidates, own, how)

    def asking(self, asked: Collection[str]) -> set[int]:
        """The cases that ask each of these, in `normalised` words."""
        found = [self._by_question.numbers(question) for question in asked if question]
        return set.intersection(*found) if found else set()

    def _of_path(self, identified: set[int], path: int | None) -> set[int]:
        """Those of the trace's own file; all of them where it holds no case."""
        if path is None:
            return identified
        return {index for index in identified if self._paths.numbers[index] == path}

    def _identities(self, trace: Trace) -> Iterator[tuple[str, set[int]]]:
        """Kinds of evidence, the most reliable first, each with the cases that it points to."""
        named = self._by_id.numbers(trace.case_id or trace.id)
        if trace.suite_id is not None:  # case ids are unique inside their suite only
            suite = self._suites.number(trace.suite_id)
            named = {index for index in named if self._suites.numbers[index] == suite}
        yield "by case id", named
        yield "by session id", self._by_session.numbers(trace.session_id or "")
        ids = [turn.id or "" for turn in trace.turns]
        telling = [turn_id for turn_id in ids if len(turn_id) >= _TELLING] if not only_count(ids) else []
        yield "by invocation id", set[int]().union(*map(self._by_invocation.numbers, telling))

    def _by_text(self, trace: Trace, candidates: set[int], own: int | None, how: str) -> Pairing:
        asked = _normalised(trace.turns)
        asking = set[int]().union(*map(self._by_question.numbers, asked))
        able = asking & candidates if candidates else self._of_path(asking, own)
        # Compared once per distinct question list, as thousands of cases may have the same.
        lists = {index: self._asked.numbers[index] for index in able}
        agreements = {asks: _agreement(self._asked.lists[asks], asked) for asks in set(lists.values())}
        scores = {index: agreements[asks] for index, asks in lists.items()}
        if not scores:
            none = "no case has this trace’s id, or the same messages of the user"
            return self._ambiguous(candidates) if candidates else Pairing(None, none)
        best = max(scores.values())
        winners = {index for index, score in scores.items() if score == best}
        if len(winners) > 1:
            return self._ambiguous(winners)
        winner = min(winners)
        of = max(len(self._asked.lists[self._asked.numbers[winner]]), len(asked))
        prefix = f"{how} and " if how else ""
        sure = "" if best[0] == of else ", not sure"
        return Pairing(winner, f"{prefix}by user texts: {best[0]} of {of} agree{sure}")

    def _ambiguous(self, candidates: Collection[int]) -> Pairing:
        among = self._among.setdefault(frozenset(candidates), tuple(sorted(candidates)))
        cases = [self._goldens[index].case for index in among[:4]]
        names = ", ".join(f"{case.suite_id}/{case.id}" for case in cases)
        more = f" and {len(among) - 4} more" if len(among) > 4 else ""
        why = f"it fits several cases equally well ({names}{more}); choose with --pair CASE=TRACE"
        return Pairing(None, why, among)


class _NameOfEach:
    """A name for each of many things, of which there are few."""

    def __init__(self) -> None:
        self.numbers = array("q")
        self._known: dict[str, int] = {}
        self._names: list[str] = []

    def append(self, name: str) -> None:
        """The name of the next one."""
        self.numbers.append(self._number_of(name))

    def put(self, index: int, name: str) -> None:
        """Another name for one of them."""
        self.numbers[index] = self._number_of(name)

    def name(self, index: int) -> str:
        """The name of one of them."""
        return self._names[self.numbers[index]]

    def _number_of(self, name: str) -> int:
        number = self._known.setdefault(name, len(self._known))
        if number == len(self._names):
            self._names.append(name)
        return number

    def number(self, name: str) -> int | None:
        """What stands for a name; None where nothing has it."""
        return self._known.get(name)


class _QuestionLists:
    """The questions of each case; lists that are alike are there once."""

    def __init__(self) -> None:
        self.numbers = array("q")
        self.lists = Spilled[tuple[str, ...]](ready_data_folder)
        self._known = KeyIndex()

    def append(self, questions: tuple[str, ...]) -> None:
        """The questions of the next case."""
        spelled = "".join(f"{len(question)}:{question}" for question in questions)
        number = self._known.last(spelled)
        if number is None:
            number = len(self.lists)
            self.lists.append(questions)
            self._known.add(spelled, number)
        self.numbers.append(number)


def _put(index: KeyIndex, keys: Iterable[str | None], number: int) -> None:
    """A case by its keys, by each once; one that is empty says nothing."""
    for key in dict.fromkeys(keys):
        if key:
            index.add(key, number)


def _questions(case: Case) -> list[str]:
    if case.scenario is not None:
        opening = normalised(case.scenario.starting_prompt)
        return [opening] if opening else []
    return _normalised(case.turns)


def _normalised(turns: Sequence[Turn]) -> list[str]:
    return [normalised(user_text(turn)) for turn in turns]


def _agreement(golden: Sequence[str], asked: Sequence[str]) -> tuple[int, int]:
    """How many questions both sides ask, then, negated, how many only one side asks."""
    shared = (Counter(golden) & Counter(asked)).total() - min(golden.count(""), asked.count(""))
    return shared, 2 * shared - len(golden) - len(asked)
