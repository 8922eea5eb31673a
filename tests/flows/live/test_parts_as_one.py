"""A conversation that goes on in the next part of a recording is one conversation of the run at the end."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.helpers.sent_spans import request, turn_spans
from trace_inspector.core.trace.trace import Trace, user_text
from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.recording.recordings import part
from trace_inspector.flows.live.parts_as_one import as_one
from trace_inspector.flows.opening.given_files import Given, open_given, recorded_in
from trace_inspector.flows.opening.open_file import open_file

Said = dict[str, list[tuple[str, str, int]]]


def spans() -> list[JsonObject]:
    """Turns of two conversations, one of one turn, and a trace without a conversation."""
    turns = [
        *(turn_spans(number, "a", f"{number}?", f"{number}!", at_ms=900 * number) for number in (1, 2, 3)),
        *(turn_spans(number, "b", f"{number}?", f"{number}!", at_ms=100 * number) for number in (4, 5)),
        turn_spans(6, "c", "6?", "6!"),
        turn_spans(7, "", "7?", "7!"),
    ]
    return [span for turn in turns for span in turn]


def written(folder: Path, *parts: Iterable[JsonObject]) -> list[Path]:
    """A recording in parts, with a request for each span."""
    paths = [part(folder / "r.jsonl", number) for number in range(1, len(parts) + 1)]
    for path, own in zip(paths, parts, strict=True):
        path.write_bytes(b"".join(request([span]) + b"\n" for span in own))
    return paths


def whole(given: Iterable[Given]) -> list[Trace]:
    """The traces of a run, read again where only their outline is in memory."""
    recorded = [each for file in given for each in recorded_in(file)]
    return [
        each.elsewhere.file.traces()[each.elsewhere.number] if each.elsewhere else each.trace for each in recorded
    ]


def said(traces: Iterable[Trace]) -> Said:
    """What each conversation says, which must be told once."""
    listed = list(traces)
    assert len({trace.id for trace in listed}) == len(listed)
    return {
        trace.id: [(user_text(turn), str(turn.final_response), len(turn.events)) for turn in trace.turns]
        for trace in listed
    }


def without_places(told: Said) -> Said:
    return {
        name: [(asked, answer.partition("place=")[0], n) for asked, answer, n in turns]
        for name, turns in told.items()
    }


@pytest.mark.parametrize("held_bytes", [None, 0])
@pytest.mark.parametrize("seed", range(8))
def test_spans_in_any_parts_make_the_conversations_of_one_file(
    tmp_path: Path, seed: int, held_bytes: int | None
) -> None:
    chance = random.Random(seed)
    parts: list[list[JsonObject]] = [[], [], []]
    for span in spans():
        chance.choice(parts).append(span)
    paths = written(tmp_path, *parts)
    (one,) = written(tmp_path / "..", [span for own in parts for span in own])
    given = as_one(open_given(paths, held_bytes=held_bytes))
    assert without_places(said(whole(given))) == without_places(said(open_file(one).contents.traces))


def test_what_another_part_has_says_so_in_its_place(tmp_path: Path) -> None:
    first, second = (turn_spans(number, "a", f"{number}?", "!", at_ms=900 * number) for number in (1, 2))
    paths = written(tmp_path, first, second)
    (trace,) = whole(as_one(open_given(paths)))
    assert [turn.place.partition("/resourceSpans")[0] for turn in trace.turns] == ["/2", "/part 2/2"]


@pytest.mark.parametrize("held_bytes", [None, 0])
def test_it_stands_where_it_began(tmp_path: Path, held_bytes: int | None) -> None:
    def turn_of(number: int, name: str) -> list[JsonObject]:
        return turn_spans(number, name, "?", "!", at_ms=900 * number)

    paths = written(tmp_path, [*turn_of(1, "b"), *turn_of(2, "a"), *turn_of(3, "c")], turn_of(4, "a"))
    given = open_given(paths, held_bytes=held_bytes)
    before = [trace.id for trace in whole(given[:1])]
    assert [trace.id for trace in whole(as_one(given))] == before


def test_parts_that_share_nothing_stay_as_they_are(tmp_path: Path) -> None:
    given = open_given(written(tmp_path, turn_spans(1, "a", "?", "!"), turn_spans(2, "b", "?", "!")))
    assert as_one(given) == given
