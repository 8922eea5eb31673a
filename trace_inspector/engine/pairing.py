"""Which trace belongs to which case, why, and how sure that is. Never merely because there is one of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trace_inspector.core.align import normalised
from trace_inspector.core.golden import Case
from trace_inspector.core.trace import Trace, Turn, user_text

_TELLING = 8  # characters of an invocation id that can be trusted to be no mere number


@dataclass(frozen=True, slots=True)
class Recorded:
    """A trace and the file it came from."""

    trace: Trace
    path: str = ""


@dataclass(frozen=True, slots=True)
class Golden:
    """A case and the file it came from."""

    case: Case
    path: str = ""


@dataclass(frozen=True, slots=True)
class Pairing:
    """What a trace belongs to: an index into the goldens, or None with the reason. `how` says why, in words."""

    golden: int | None
    how: str


def pair(traces: Sequence[Recorded], goldens: Sequence[Golden], by: str = "auto") -> list[Pairing]:
    """One pairing for each trace; several traces of one case are its repeats. `by`: auto, id, text or order."""
    if by == "order":
        return [
            Pairing(at, "by order, as asked")
            if at < len(goldens)
            else Pairing(None, "there are fewer cases than traces")
            for at in range(len(traces))
        ]
    evidence = _Evidence(goldens)
    return [evidence.pair(recorded.trace, by) for recorded in traces]


class _Evidence:
    """What identifies the cases, looked up once for all traces."""

    def __init__(self, goldens: Sequence[Golden]) -> None:
        self._cases = [golden.case for golden in goldens]
        self._turn_ids = [{turn.id for turn in case.turns if turn.id} for case in self._cases]
        self._questions = [_questions(case) for case in self._cases]
        # An id that several cases use ("turn-1") tells nothing.
        self._uses = Counter(name for ids in self._turn_ids for name in ids)

    def pair(self, trace: Trace, by: str) -> Pairing:
        candidates = list(range(len(self._cases)))
        how = ""
        for said, belongs in self._identities(trace) if by in ("auto", "id") else []:
            found = [at for at in candidates if belongs(at)]
            if found:
                candidates, how = found, said
            if how and len(candidates) == 1:
                return Pairing(candidates[0], how)
        if by == "id":
            return Pairing(None, _ambiguous(self._cases, candidates) if how else "no case has its id")
        return self._by_text(trace, candidates, how)

    def _identities(self, trace: Trace) -> list[tuple[str, Callable[[int], bool]]]:
        name = trace.case_id or trace.id
        ids = {turn.id for turn in trace.turns if turn.id and self._uses[turn.id] == 1 and len(turn.id) >= _TELLING}
        cases = self._cases
        return [
            # Case ids mean something inside their suite only.
            ("by case id", lambda at: cases[at].id == name != "" and trace.suite_id in (None, cases[at].suite_id)),
            ("by session id", lambda at: _session_id(cases[at]) == trace.session_id is not None),
            ("by invocation id", lambda at: bool(ids & self._turn_ids[at])),
        ]

    def _by_text(self, trace: Trace, candidates: list[int], how: str) -> Pairing:
        asked = _normalised(trace.turns)
        scores = {at: _agreement(self._questions[at], asked) for at in candidates}
        best = max(scores.values(), default=(0, 0))
        if best[0] == 0:
            return Pairing(
                None, _ambiguous(self._cases, candidates) if how else "no case has its id or asks what its user asks"
            )
        winners = [at for at in candidates if scores[at] == best]
        if len(winners) > 1:
            return Pairing(None, _ambiguous(self._cases, winners))
        of = max(len(self._questions[winners[0]]), len(asked))
        said = f"{how} and " if how else ""
        sure = "" if best[0] == of else ", not sure"
        return Pairing(winners[0], f"{said}by user texts: {best[0]} of {of} agree{sure}")


def _questions(case: Case) -> list[str]:
    if case.scenario is not None:
        opening = normalised(case.scenario.starting_prompt)
        return [opening] if opening else []
    return _normalised(case.turns)


def _normalised(turns: Sequence[Turn]) -> list[str]:
    return [normalised(user_text(turn)) for turn in turns]


def _agreement(golden: Sequence[str], asked: Sequence[str]) -> tuple[int, int]:
    """How many questions both sides ask, then how few stand alone."""
    shared = (Counter(golden) & Counter(asked)).total() - min(golden.count(""), asked.count(""))
    return shared, 2 * shared - len(golden) - len(asked)


def _session_id(case: Case) -> str | None:
    return case.session.id if case.session else None


def _ambiguous(cases: Sequence[Case], candidates: Sequence[int]) -> str:
    names = ", ".join(f"{cases[at].suite_id}/{cases[at].id}" for at in candidates[:4])
    more = f" and {len(candidates) - 4} more" if len(candidates) > 4 else ""
    return f"it fits several cases equally well ({names}{more}); choose with --pair CASE=TRACE"
