"""What two invented people said of the samples' turns: 60 labels, with notes where they found something.

A label names its turn by a digest of what was said and called, which is computed here as the program does, so that
`tests/resources` notices when either changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from samples.goldens import METRIC
from samples.story import Conversation, Json, JsonObject, Turn, answer_of

GROUNDING = "local_grounding"
RATERS = ("Mara", "Jonas")
_SPEEDS_S = (31, 24)  # how long they look at a turn
_PASS, _FAIL, _UNSURE = "pass", "fail", "unsure"


class Opinion(Struct, frozen=True):
    """What one person says of a turn."""

    value: str = _PASS
    note: str = ""
    tags: tuple[str, ...] = ()


class Asked(Struct, frozen=True):
    """A turn of a run with what both said of it, in the order of RATERS."""

    run: str
    case: str
    turn: int
    said: tuple[Opinion, Opinion] = (Opinion(), Opinion())


_MADE_UP = (
    Opinion(_FAIL, "No tool gave 40 covered spots.", ("made-up number",)),
    Opinion(_FAIL, "Where do the 40 spots come from?", ("made-up number",)),
)
LATER, EARLIER = "run-0412", "run-0405"

_QUALITY = (
    Asked(LATER, "seattle_coffee_001", 0),
    Asked(LATER, "seattle_coffee_001", 1, _MADE_UP),
    Asked(LATER, "seattle_coffee_001", 2),
    Asked(LATER, "seattle_coffee_002", 1),
    Asked(
        LATER,
        "tacoma_bakery_001",
        1,
        (
            Opinion(_FAIL, "They told us of two people without a plan.", ("half an answer",)),
            Opinion(),
        ),
    ),
    Asked(LATER, "tacoma_bakery_001", 0),
    Asked(LATER, "eugene_bikes_001", 0),
    Asked(LATER, "portland_books_001", 0),
    Asked(
        LATER,
        "portland_books_001",
        1,
        (Opinion(), Opinion(_FAIL, "An empty calendar does not speak against July.", ("weak reason",))),
    ),
    Asked(LATER, "portland_books_001", 2),
    Asked(LATER, "yakima_wine_002", 0, (Opinion(_UNSURE, "Two bars: is that room for a third?"), Opinion())),
    Asked(LATER, "boise_gym_001", 0),
    Asked(LATER, "olympia_deli_001", 0),
    Asked(
        LATER,
        "olympia_deli_001",
        1,
        (
            Opinion(_FAIL, "“What if” is not answered: it lists facts about the market.", ("half an answer",)),
            Opinion(_FAIL, "Nothing on what the market would bring the deli.", ("half an answer",)),
        ),
    ),
    Asked(LATER, "spokane_florist_001", 0),
    Asked(
        LATER,
        "spokane_florist_001",
        1,
        (
            Opinion(_FAIL, "One advert is not the rent of the street.", ("weak reason",)),
            Opinion(_FAIL, "The user asked for the rent and gets a single offer.", ("half an answer",)),
        ),
    ),
    Asked(LATER, "freiburg_cafe_001", 0),
    Asked(EARLIER, "seattle_coffee_001", 1, _MADE_UP),
    Asked(EARLIER, "seattle_coffee_002", 1),
    Asked(EARLIER, "yakima_wine_002", 2),
)
_SUPPORTED = (
    Asked(LATER, "seattle_coffee_001", 1, _MADE_UP),
    Asked(EARLIER, "seattle_coffee_001", 1, _MADE_UP),
    Asked(LATER, "eugene_bikes_001", 0),
    Asked(
        LATER,
        "portland_books_001",
        1,
        (Opinion(), Opinion(_FAIL, "No tool says that June is the month to open.", ("weak reason",))),
    ),
    Asked(LATER, "olympia_deli_001", 0),
    Asked(LATER, "freiburg_cafe_001", 0),
    Asked(LATER, "tacoma_bakery_001", 1),
    Asked(LATER, "spokane_florist_001", 1),
    Asked(LATER, "boise_gym_001", 0),
    Asked(LATER, "seattle_tea_001", 1),
)
QUESTIONS = ((METRIC, _QUALITY), (GROUNDING, _SUPPORTED))


def label_files(runs: Mapping[str, Sequence[Conversation]], start: datetime) -> dict[str, str]:
    """The file of each rater by its name, a label a line."""
    turns = {
        (run, conversation.id, index): turn
        for run, conversations in runs.items()
        for conversation in conversations
        for index, turn in enumerate(turn for turn in conversation.turns if turn.steps)
    }
    files: dict[str, str] = {}
    for number, rater in enumerate(RATERS):
        lines, at = [], start + timedelta(hours=number)
        for question, asked in QUESTIONS:
            for index, one in enumerate(asked):
                seconds = _SPEEDS_S[number] + 7 * (index % 4)
                at += timedelta(seconds=seconds)
                turn = turns[one.run, one.case, one.turn]
                lines.append(_line(one, turn, question, one.said[number], rater, at, seconds))
        files[f"{rater}.jsonl"] = "".join(lines)
    return files


def _line(one: Asked, turn: Turn, question: str, opinion: Opinion, rater: str, at: datetime, seconds: int) -> str:
    label: JsonObject = {
        "subject": _subject(turn),
        "level": "turn",
        "question": question,
        "value": opinion.value,
        "note": opinion.note,
        "tags": list(opinion.tags),
        "rater": rater,
        "at": f"{at:%Y-%m-%dT%H:%M:%S.%fZ}",
        "seconds": seconds,
        "blind": True,
        "file": f"{one.run}.json",
        "case": one.case,
        "trace": one.case,
        "turn": one.turn,
    }
    return (
        json.dumps({name: value for name, value in label.items() if value not in ("", [])}, ensure_ascii=False) + "\n"
    )


def _subject(turn: Turn) -> str:
    """The digest of what the user wrote, each call with its result, and the answer."""
    calls: list[Json] = [
        {"name": call.tool, "args": call.args, "result": call.result} for step in turn.steps for call in step.calls
    ]
    said: JsonObject = {"user": turn.user, "calls": calls, "answer": answer_of(turn)}
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
