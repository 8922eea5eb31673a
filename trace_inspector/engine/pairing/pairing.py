"""Pairs each trace with its case and says why, and how certain that is. Never only because there is one of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from trace_inspector.core.alignment.words import normalised
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Trace, Turn, user_text
from trace_inspector.core.trace.turn_ids import only_count

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


def pair(traces: Sequence[Recorded], goldens: Sequence[Golden], by: str = "auto") -> list[Pairing]:
    """One pairing for each trace; several traces of one case are its repeats. `by`: auto, id, text or order.

    A trace from a file with cases, such as a result, can only belong to a case of that file: the goldens may contain
    another run of the same cases.
    """
    if by == "order":
        return [
            Pairing(index, "by order, as requested")
            if index < len(goldens)
            else Pairing(None, "there are fewer cases than traces")
            for index in range(len(traces))
        ]
    if not goldens:
        return [Pairing(None, "none was given")] * len(traces)
    evidence = _CaseIndex(goldens)
    return [evidence.pair(recorded, by) for recorded in traces]


def agreement(case: Case, trace: Trace) -> tuple[int, int]:
    """How many questions both ask, then, negated, how many only one side asks: the greater, the better."""
    return _agreement(_questions(case), _normalised(trace.turns))


def outlined(turn: Turn) -> Turn:
    """A turn reduced to what pairing reads."""
    return Turn(turn.index, turn.id, (Text(user_text(turn)),))


class _CaseIndex:
    """Indexes of the cases by all that can identify them, built once for all traces.

    Ids decide before texts: the same question is often asked in many cases, while an id that two files share was
    copied from one to the other. Each weaker kind of evidence only narrows what the stronger ones left open; where
    they contradict each other, the stronger one stands."""

    def __init__(self, goldens: Sequence[Golden]) -> None:
        self._cases = [golden.case for golden in goldens]
        self._all = set(range(len(self._cases)))
        self._by_path = _index([golden.path] for golden in goldens)
        self._questions = [tuple(_questions(case)) for case in self._cases]
        self._by_id = _index((case.id,) for case in self._cases)
        self._by_session = _index((case.session.id if case.session else None,) for case in self._cases)
        self._by_invocation = _index((turn.id for turn in case.turns) for case in self._cases)
        self._by_question = _index(self._questions)
        self._among: dict[
            frozenset[int], tuple[int, ...]
        ] = {}  # shared, as thousands of traces may fit the same thousands of cases

    def pair(self, recorded: Recorded, by: str) -> Pairing:
        trace = recorded.trace
        own = self._by_path.get(recorded.path, self._all)
        candidates: set[int] = set()  # none has evidence yet
        how = ""
        for reason, identified in self._identities(trace) if by in ("auto", "id") else ():
            agreeing = identified & (candidates or own)
            if agreeing:
                candidates, how = agreeing, reason
            if len(candidates) == 1:
                return Pairing(min(candidates), how)
        if by == "id":
            return self._ambiguous(candidates) if candidates else Pairing(None, "no case has this trace’s id")
        return self._by_text(trace, candidates, own, how)

    def _identities(self, trace: Trace) -> Iterator[tuple[str, set[int]]]:
        """Kinds of evidence, the most reliable first, each with the cases that it points to."""
        named = self._by_id.get(trace.case_id or trace.id, set())
        # Case ids are unique inside their suite only.
        yield "by case id", {index for index in named if trace.suite_id in (None, self._cases[index].suite_id)}
        yield "by session id", self._by_session.get(trace.session_id or "", set())
        ids = [turn.id or "" for turn in trace.turns]
        telling = [turn_id for turn_id in ids if len(turn_id) >= _TELLING] if not only_count(ids) else []
        yield "by invocation id", set[int]().union(*(self._by_invocation.get(turn_id, ()) for turn_id in telling))

    def _by_text(self, trace: Trace, candidates: set[int], own: set[int], how: str) -> Pairing:
        asked = _normalised(trace.turns)
        asking = set[int]().union(*(self._by_question.get(question, ()) for question in asked))
        able = asking & (candidates or own)
        # Compared once per distinct question list, as thousands of cases may have the same.
        agreements = {asks: _agreement(asks, asked) for asks in {self._questions[index] for index in able}}
        scores = {index: agreements[self._questions[index]] for index in able}
        if not scores:
            none = "no case has this trace’s id, or the same messages of the user"
            return self._ambiguous(candidates) if candidates else Pairing(None, none)
        best = max(scores.values())
        winners = {index for index, score in scores.items() if score == best}
        if len(winners) > 1:
            return self._ambiguous(winners)
        winner = min(winners)
        of = max(len(self._questions[winner]), len(asked))
        prefix = f"{how} and " if how else ""
        sure = "" if best[0] == of else ", not sure"
        return Pairing(winner, f"{prefix}by user texts: {best[0]} of {of} agree{sure}")

    def _ambiguous(self, candidates: Collection[int]) -> Pairing:
        among = self._among.setdefault(frozenset(candidates), tuple(sorted(candidates)))
        names = ", ".join(f"{self._cases[index].suite_id}/{self._cases[index].id}" for index in among[:4])
        more = f" and {len(among) - 4} more" if len(among) > 4 else ""
        why = f"it fits several cases equally well ({names}{more}); choose with --pair CASE=TRACE"
        return Pairing(None, why, among)


def _index(keys: Iterable[Iterable[str | None]]) -> dict[str, set[int]]:
    """The cases by key; cases without one are in no entry."""
    by_key: dict[str, set[int]] = {}
    for index, own in enumerate(keys):
        for key in own:
            if key:
                by_key.setdefault(key, set()).add(index)
    return by_key


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
