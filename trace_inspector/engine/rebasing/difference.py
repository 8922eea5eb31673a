"""One difference between two runs of a case, at its place in the golden, and the change that it would make there."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import ABSENT, Absent, Json


class ChangeKind(enum.Enum):
    """What the agent, or the user's script, does otherwise."""

    ARGUMENT_ADDED = "argument added"
    ARGUMENT_REMOVED = "argument removed"
    ARGUMENT_RENAMED = "argument renamed"
    ARGUMENT_VALUE = "argument value"
    TOOL_REPLACED = "tool replaced"
    CALL_ADDED = "call added"
    CALL_REMOVED = "call removed"
    CALL_MOVED = "call moved"
    ANSWER = "answer"
    USER = "user"
    TURN_ADDED = "turn added"
    TURN_REMOVED = "turn removed"


VALUES = frozenset({ChangeKind.ARGUMENT_ADDED, ChangeKind.ARGUMENT_REMOVED, ChangeKind.ARGUMENT_VALUE})
TEXTS = frozenset({ChangeKind.ANSWER, ChangeKind.USER})
WHOLE_TURNS = frozenset({ChangeKind.TURN_ADDED, ChangeKind.TURN_REMOVED})


class TextStretch(Struct, frozen=True):
    """A stretch of words of the golden's text, from and up to a word, and the words that come in its place."""

    start: int
    end: int
    text: str


_CHANGES_A_CALL = VALUES | {ChangeKind.TOOL_REPLACED, ChangeKind.ARGUMENT_RENAMED}


class Difference(Struct, frozen=True):
    """One difference. `tool` is the tool of the call; `to` the new name of a tool or argument, or the other tool.

    `call` and `made` are indexes of the golden's call and of the one in the new run. `argument` is the place of the
    argument with “*” for items of lists, `pointer` the exact one. `conflict` says in words why the golden, as people
    edited it since, cannot take the change without somebody who looks at it; `varies` that it is none but that the
    runs of the case disagree, which gave it the values `seen`.
    """

    kind: ChangeKind
    turn: int
    tool: str = ""
    argument: str = ""
    to: str = ""
    old: Json | Absent = ABSENT
    new: Json | Absent = ABSENT
    call: int | None = None
    made: int | None = None
    pointer: str = ""
    stretches: tuple[TextStretch, ...] = ()
    conflict: str = ""
    varies: bool = False
    seen: tuple[Json, ...] = ()

    @property
    def lacks_its_call(self) -> bool:
        """Whether the golden has no call any more that it could change: it can be rejected, and nothing else."""
        return self.call is None and self.kind in _CHANGES_A_CALL


class TurnChange(Struct, frozen=True):
    """A turn of a golden and that of the new run. `partner`: the golden's call for each call of the new run."""

    observed: Turn
    partner: Mapping[int, int]


class CaseChange(Struct, frozen=True):
    """What the two runs of a case do differently. `key` names the case: its id, with its suite where ids recur.

    `turns` are the turns of both runs by the index in the golden, `observed` all turns of the new run. `varies`: its
    other runs do not differ as these two do.
    """

    key: str
    file: int
    case: Case
    differences: tuple[Difference, ...]
    turns: Mapping[int, TurnChange]
    observed: tuple[Turn, ...] = ()
    varies: bool = False


def generalised(pointer: str) -> str:
    """A place with “*” for the number of an item: the same change in any item is one change."""
    return "".join(f"/{'*' if token.isdecimal() else token}" for token in pointer.split("/")[1:])
