"""What a text says of one order, room or dog is not said of another one."""

from __future__ import annotations

import pytest

from tests.engine.grounding.grounding_example import label_of

PARCELS = "Parcel K-31 was delivered. Parcel K-32 was returned."
MIXED = (
    "Here is what I have. Parcel K-31 was delivered. Parcel K-32 was returned to the sender. Locker C holds 40 "
    "items. Locker D holds 80 items. Ring the bell if nobody answers."
)
FERRIES = (
    "Gate 4 serves the ferry to Oban at 07:15. Gate 5 serves the ferry to Mull at 09:40. Gate 6 is shut for cleaning."
)
HORSES = (
    "We keep two horses. Juno is twelve years old and lives in the long meadow. "
    "Rex is five years old and was sold in May."
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (PARCELS, "Parcel K-31 was returned."),
        (PARCELS, "K-32 was delivered."),
        (MIXED, "Parcel K-31 was returned to the sender."),
        (MIXED, "Parcel K-32 was delivered."),
        (MIXED, "Locker C holds 80 items."),
        (FERRIES, "Gate 4 serves the ferry to Mull."),
        (FERRIES, "Gate 5 is shut for cleaning."),
        (FERRIES, "The Oban ferry leaves from gate 5 at 09:40."),
        (HORSES, "Juno was sold in May."),
        (HORSES, "Juno is five years old."),
        (HORSES, "Rex lives in the long meadow."),
    ],
)
def test_what_is_said_of_another_is_contradictory(text: str, sentence: str) -> None:
    assert label_of(text, sentence) == "contradictory"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (PARCELS, "K-31 was delivered."),
        (PARCELS, "Parcel K-32 has been sent back."),
        (MIXED, "Parcel K-32 was returned."),
        (MIXED, "Locker D holds 80 items."),
        (MIXED, "Locker D holds twice as many items as locker C."),
        (FERRIES, "Gate 5 serves the ferry to Mull."),
        (FERRIES, "Gate 6 is shut."),
        (HORSES, "Rex was sold in May."),
        (HORSES, "Rex is five years old."),
        (HORSES, "Juno is seven years older than Rex."),
        ("Juno is a mare. She was sold in May. Rex was sold in May, too.", "Juno was sold in May."),
        ("Box C-1 is locked. Box C-2 is open.", "Box C-2 is not locked."),
        (
            "Ada Lind leads the team. The team was founded by Bo Ek in 2003.",
            "Ada Lind leads the team founded in 2003.",
        ),
    ],
)
def test_what_is_said_of_the_thing_itself_is_not_flagged(text: str, sentence: str) -> None:
    assert label_of(text, sentence) not in ("unsupported", "contradictory")


CAGES = "Cage C-12 beside the door is empty this week. A dog moved into cage C-14. Cage C-15 has two cats."


def test_the_opposite_is_looked_for_in_no_clause_of_another_code() -> None:
    assert label_of(CAGES, "Cage C-15 is not empty.") == "supported"
    assert label_of(CAGES, "Cage C-12 is not empty.") == "unsupported"
