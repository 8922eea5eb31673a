"""A label: what a person says about an output, never about a verdict."""

from __future__ import annotations

import enum
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace


class Level(enum.Enum):
    """How much of a conversation a label is about."""

    CASE = "case"
    TURN = "turn"
    CALL = "call"
    SENTENCE = "sentence"


class Answer(enum.Enum):
    """What a person says. UNSURE counts nowhere; WITHDRAWN undoes what the same person said before."""

    PASS = "pass"
    FAIL = "fail"
    UNSURE = "unsure"
    WITHDRAWN = "withdrawn"


class Split(enum.Enum):
    """A judge is tuned on one part of the labels and reported on the other."""

    NONE = ""
    DEV = "dev"
    TEST = "test"


LONGEST_NAME = 1_000  # of a question, a rater, a tag, a place
LabelKey: TypeAlias = tuple[str, str, str]


class Label(Struct, frozen=True):
    """What one person says about one output. Only `subject` says which; file, case, trace and turn are for people.

    `value` None is a line of a queue, which nobody answered. A number answers a question that has a range. `at` is
    UTC, always of one length, so that it sorts as text; "" is unknown. `first_fault` is where it first went wrong:
    `call/2`, `sentence/0`, `answer`, of a case with `turn/3/` before it; like `turn`, counted from 0. `unknown` has
    what a newer version wrote, as JSON.
    """

    subject: str
    level: Level
    question: str
    value: Answer | float | None = None
    overrules: bool = False
    note: str = ""
    tags: tuple[str, ...] = ()
    first_fault: str = ""
    rater: str = ""
    at: str = ""
    seconds: float | None = None
    blind: bool = False
    split: Split = Split.NONE
    file: str = ""
    case: str = ""
    trace: str = ""
    turn: int | None = None
    unknown: str = ""

    @property
    def key(self) -> LabelKey:
        """Who answers which question about what: of the labels with one key the latest counts."""
        return self.rater, self.subject, self.question


def placed(label: Label, file: str, case: str, trace: str, turn: int | None = None) -> Label:
    """The label with where people find what it is about; longer names than lines hold are cut."""
    file, case, trace = (name[:LONGEST_NAME] for name in (file, case, trace))
    return replace(label, file=file, case=case, trace=trace, turn=turn)


def moment(time_s: float) -> str:
    """A time as labels have it."""
    return utc_text(datetime.fromtimestamp(time_s, UTC))


def moment_after(at: str) -> str:
    """The next time that labels can tell apart; the last one stays, where the later line counts."""
    try:
        return utc_text(datetime.fromisoformat(at) + timedelta(microseconds=1))
    except OverflowError:
        return at


def utc_text(time: datetime) -> str:
    """A time as labels have it, from one with a zone."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
