"""The run of a week before: some of the same cases, two of them better than later, one worse."""

from __future__ import annotations

from msgspec.structs import replace

from samples.inland import GYM, WINE
from samples.oregon import BIKES
from samples.seattle import COFFEE_1, COFFEE_2, GARAGES, STOPS, SUMMARY, WALK_SCORE
from samples.story import RESEARCH, Call, Conversation, Step, Turn, expected_steps

_PARKING = replace(
    COFFEE_1.turns[1],
    steps=(
        Step(
            RESEARCH,
            1.2,
            (Call("search_places", {"query": "parking lots", "radius_m": 800}, GARAGES, 1.9), STOPS),
        ),
        Step(RESEARCH, 0.7, (WALK_SCORE,)),
        Step(
            RESEARCH,
            1.3,
            says="Parking around Broadway and Pike is tight but workable. Three garages are within a five-minute "
            "walk, from 4 to 6 USD an hour. There are 40 covered spots within two blocks. The walk score is 94.",
        ),
    ),
)

_RENT = replace(
    COFFEE_2.turns[1],
    steps=(
        replace(COFFEE_2.turns[1].steps[0], calls=COFFEE_2.turns[1].steps[0].calls[:1]),
        Step(
            RESEARCH,
            1.0,
            says="Retail space in Ballard costs 34 USD per square foot a year. Six units are vacant, the smallest "
            "with 620 square feet.",
        ),
    ),
)


def _reached(turn: Turn) -> Turn:
    """A turn that this run did reach, just as the golden has it."""
    golden = turn.golden
    says = golden.answer if golden else ""
    return replace(
        turn,
        steps=(*expected_steps(turn), Step(RESEARCH, 0.9, says=says)),
        evidence="save_report returned the number.",
    )


EARLIER: tuple[Conversation, ...] = (
    BIKES,
    replace(COFFEE_1, turns=(COFFEE_1.turns[0], _PARKING, SUMMARY)),
    replace(COFFEE_2, turns=(COFFEE_2.turns[0], _RENT)),
    replace(WINE, turns=(*WINE.turns[:2], _reached(WINE.turns[2]))),
    GYM,
)
