"""The evidence for which turns of two conversations belong together: ids, what was asked, what was done."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property

from msgspec import Struct

from trace_inspector.core.alignment.sequence_alignment import GAP_OPENS, Link, total_cost
from trace_inspector.core.alignment.words import normalised
from trace_inspector.core.trace.steps import call_steps
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of, user_text
from trace_inspector.core.trace.turn_ids import IdEvidence, evidence_of_ids, unique_ids


class Question(Struct, frozen=True, eq=False, dict=True):  # a dict for the cached properties
    """A turn as it is compared with others. Its `maybe_id` may be that of a turn on the other side by chance."""

    text: str
    id: str
    turn: Turn
    maybe_id: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the question."""
        return frozenset(self.text.split())

    @cached_property
    def done(self) -> tuple[Hashable, ...]:
        """What was done in the turn: the calls, and the words of the answer."""
        return (*(step.key for step in call_steps(list(calls_of(self.turn)), ())), normalised(answer_text(self.turn)))

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """The names of the calls."""
        return tuple(call.name for call in calls_of(self.turn))


def questions(
    golden: Sequence[Turn], observed: Sequence[Turn], chosen: tuple[Sequence[int], Sequence[int]]
) -> tuple[list[Question], list[Question]]:
    """The chosen turns of both sides. What their ids are worth as evidence is judged over all turns."""
    sides = golden, observed
    left, right = (unique_ids([turn.id or "" for turn in side]) for side in sides)
    evidence = evidence_of_ids(left, right) if not {""}.issuperset({*left} & {*right}) else IdEvidence.NOTHING

    def question(turn: Turn, turn_id: str) -> Question:
        sure_id = turn_id if evidence is IdEvidence.SAME_TURN else ""
        return Question(normalised(user_text(turn)), sure_id, turn, turn_id if evidence is IdEvidence.MAYBE else "")

    both = (
        [question(side[index], ids[index]) for index in indexes]
        for side, ids, indexes in zip(sides, (left, right), chosen, strict=True)
    )
    return next(both), next(both)


_SIMILAR_SHARE = 0.6  # of the words of two questions that ask the same in other words


def _similar(left: Question, right: Question) -> bool:
    common = len(left.words & right.words)
    return bool(common) and 2 * common >= _SIMILAR_SHARE * (len(left.words) + len(right.words))


class Evidence(Struct, frozen=True):
    """What two turns must share to be a pair: a key, or, where no keys are equal, something looser."""

    key: Callable[[Question], Hashable]  # None where there is none
    agrees: Callable[[Question, Question], bool] | None = None


def action_cost(left: Question, right: Question) -> int:
    """How much else was done where the same was asked: more than a gap that opens, and less than one turn alone."""
    return _ACTION_COST * ((left.done != right.done) + (left.tools != right.tools))


_ACTION_COST = GAP_OPENS + 1


def pairing_cost(left: Sequence[Question], right: Sequence[Question], links: Sequence[Link]) -> int:
    """The cost of pairing the sides by these links."""

    def cost(i: int, j: int) -> int:
        return action_cost(left[i], right[j]) + 2 * _ACTION_COST * (left[i].text != right[j].text)

    return total_cost(links, len(left), len(right), cost)


EVIDENCE = (
    Evidence(lambda asked: (asked.id, asked.text) if asked.id else None),
    Evidence(lambda asked: asked.text),  # turns without words ask the same, too
    Evidence(lambda asked: asked.id or None),
    Evidence(lambda _asked: None, _similar),
)
