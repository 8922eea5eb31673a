"""A digest of what a golden demands, to distinguish a changed golden from a changed agent.

Names of classes and fields are part of it, and digests are kept with runs: after a rename every golden looks changed.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import json
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import Text, Thought, ToolCall
from trace_inspector.core.trace.trace import Steps, Turn
from trace_inspector.core.values.values import Absent, Json, JsonObject

_CHARS = 16
_TURNS = "turns:"
_UNDEMANDED = frozenset({"place", "final_state_place", "adk_keeps", "trace_id"})


def golden_digest(case: Case) -> str:
    """The whole golden: the same wherever it stands in a file, and whatever is noted on it.

    "" for one that has no digest.
    """
    return _digest(replace(case, notes=(), overrules=(), tags=(), extras=()), case.place)


def turns_digest(turns: Sequence[Turn]) -> str:
    """What was expected of a few turns, where a result says no more of its golden; "" without any.

    Ids and times are left out: google-adk makes some anew with every run.
    """
    digest = _digest([_demanded(turn) for turn in turns], "") if turns else ""
    return f"{_TURNS}{digest}" if digest else ""


def is_whole(digest: str) -> bool:
    """Whether a text is the digest of a whole golden."""
    return len(digest) == _CHARS and set(digest) <= set("0123456789abcdef")


def is_another(first: str | None, second: str | None) -> bool:
    """Whether two digests are of different goldens; false where they are of two kinds or one is unknown."""
    if not first or not second or first.startswith(_TURNS) is not second.startswith(_TURNS):
        return False
    return first != second


def _demanded(turn: Turn) -> list[object]:
    made = [part for event in turn.events for part in event.parts]
    return [
        turn.user,
        turn.final_response,
        turn.steps is Steps.ABSENT,
        [(part.name, part.args) for part in made if isinstance(part, ToolCall)],
        [part.text for part in made if isinstance(part, Text | Thought)],
        [(rubric.id, rubric.text) for rubric in turn.rubrics],
    ]


def _digest(demands: object, place: str) -> str:
    try:
        written = json.dumps(_plain(demands), sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return ""
    if place:
        written = written.replace(f'"{place}/', '"/')
    return hashlib.sha256(written.encode()).hexdigest()[:_CHARS]


@functools.cache
def _demanding(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name not in _UNDEMANDED)


def _plain(value: object) -> Json:
    """Values as JSON without their places, and without what is empty: a later version may know more fields."""
    if isinstance(value, str) and type(value) is str:  # most of them, so it is asked first
        return value
    if isinstance(value, Struct):
        members: JsonObject = {"of": type(value).__name__}
        for name in _demanding(type(value)):
            item = getattr(value, name)
            if item is None or isinstance(item, Absent) or item in ("", (), False):
                continue
            members[name] = _plain(item)
        return members
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return [*sorted(map(str, value))]
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str | int | float | bool | None):
        return value
    raise TypeError(f"a {type(value).__name__} has no digest")
