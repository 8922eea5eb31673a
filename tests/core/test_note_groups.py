"""Notes gathered by likeness: what belongs together is, the same each time, in bounded time."""

from __future__ import annotations

import random

from trace_inspector.core.review.note_groups import MOST_NOTES, grouped

NOTES = [
    "Wrong date, one day off", "Date is wrong", "booked the wrong day", "price left out of the answer",
    "No price in the answer", "forgets to say the price", "Tool result ignored", "Ignores what the tool returned",
    "parking made up", "invents parking spots", "too long", "", "!!!", "the of and",
    "hand-off to the wrong agent", "handed to wrong agent", "wrong agent took over",
]  # fmt: skip


def groups(notes: list[str]) -> list[set[str]]:
    return [{notes[index] for index in group.members} for group in grouped(notes)]


def test_notes_of_like_words_are_together() -> None:
    assert groups(NOTES) == [set(NOTES[:3]), set(NOTES[3:6]), set(NOTES[14:]), set(NOTES[6:8]), set(NOTES[8:10])]
    assert [group.name for group in grouped(NOTES)] == [
        "wrong date day",
        "price answer",
        "wrong agent",
        "tool ignored",
        "parking",
    ]


def test_the_order_of_notes_does_not_count() -> None:
    mixed = NOTES[:]
    random.Random(3).shuffle(mixed)
    assert {frozenset(group) for group in groups(mixed)} == {frozenset(group) for group in groups(NOTES)}


def test_scripts_without_spaces_are_gathered_too() -> None:
    notes = ["日付が間違っている", "日付が一日ずれている", "別のエージェント"]
    assert groups(notes) == [set(notes[:2])]


def test_one_note_or_none_is_no_group() -> None:
    assert grouped([]) == grouped(["alone"]) == grouped(["a b", "c d"]) == []


def test_equal_notes_are_a_group() -> None:
    assert [group.members for group in grouped(["rude", "rude"])] == [(0, 1)]


def test_very_many_notes_are_not_all_compared() -> None:
    found = grouped(["rude tone"] * (MOST_NOTES + 50) + ["x " * 100_000])
    assert [len(group.members) for group in found] == [MOST_NOTES]
