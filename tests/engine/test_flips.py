"""Votes of a judge that contradict each other: of one answer, and never of answers to different turns or rubrics."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RubricVerdict, Status, TurnVerdict
from trace_inspector.engine.repeats.repeats import Flips, flips

P = Status.PASSED


def voted(*votes: float | None, rubrics: tuple[RubricVerdict, ...] = ()) -> MetricVerdict:
    return MetricVerdict("judged", 1.0, P, 0.5, votes=votes, rubrics=rubrics)


def case(*turns: MetricVerdict, whole: MetricVerdict | None = None) -> CaseVerdict:
    made = tuple(TurnVerdict(at, at, P, (metric,)) for at, metric in enumerate(turns))
    return CaseVerdict("c", "s", "t", P, (whole or voted(), MetricVerdict("other", 1.0, P, 0.5)), made)


@each(
    ("verdict", "found"),
    [
        (case(voted(1, 1, 0, 1, 1), voted(0, 0, 0)), Flips(8, 1)),
        (case(voted(1), voted(0)), Flips(0, 0)),
        (case(voted(1, None), voted(1, 0, None)), Flips(2, 1)),
        (case(voted(1, 0), whole=voted(0, 0, 1)), Flips(2, 1)),
        (case(whole=voted(0, 0, 1)), Flips(3, 1)),
        (
            case(
                voted(
                    rubrics=(RubricVerdict("a", 1.0, "", "", (1, 1, 0)), RubricVerdict("b", 0.0, "", "", (0, 0, 0)))
                )
            ),
            Flips(6, 1),
        ),
    ],
    ids=["turns", "one-vote-each", "unread-votes", "turns-before-the-whole", "the-whole", "rubrics"],
)
def test_votes_are_held_against_those_on_the_same_answer(verdict: CaseVerdict, found: Flips) -> None:
    assert flips([verdict]) == found
    assert flips([verdict, verdict]) == Flips(2 * found.votes, 2 * found.flipped)
