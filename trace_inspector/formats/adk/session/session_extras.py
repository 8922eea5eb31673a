"""The fields of an ADK event that are not shown themselves: branches, artifacts, confirmations, transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from trace_inspector.core.rows.contents import SEVERAL
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join, split
from trace_inspector.core.values.values import Json
from trace_inspector.formats.adk.session.session_schemas import EVENT
from trace_inspector.formats.common.fields import Fields, spellings

# How deep a value is searched for something that is not empty; ADK's own defaults are two levels deep.
_LOOKED_INTO = 4

_OF_AN_EVENT = spellings(
    "id", "invocation_id", "author", "timestamp", "content", "actions", "partial", "finish_reason", "error_code",
    "error_message", "model_version", "usage_metadata", "grounding_metadata",
)  # fmt: skip
_OF_ACTIONS = spellings("state_delta", "transfer_to_agent")
_OF_OPTIONS = spellings("update_context", "transfer_to_agent", "partial")
_OF_USAGE = spellings(
    "prompt_token_count", "tool_use_prompt_token_count", "candidates_token_count", "thoughts_token_count",
    "cached_content_token_count", "total_token_count",
)  # fmt: skip

_OWNERS = {"actions": "actions", "usage_metadata": "usageMetadata", "usageMetadata": "usageMetadata"}


def extras_of(fields: Fields, actions: Fields, *, is_old: bool) -> tuple[Extra, ...]:
    """Everything that an event, its actions and its usage say, and that has no field of its own."""
    read = _OF_AN_EVENT | {"options"} if is_old else _OF_AN_EVENT
    usage = fields.object("usage_metadata")
    return (
        *_extras(fields, read),
        *_extras(actions, _OF_OPTIONS if is_old else _OF_ACTIONS),
        *(_extras(usage, _OF_USAGE) if usage else ()),
    )


def agents_below(fields: Fields) -> Iterator[tuple[str, str]]:
    """Pairs of an agent and one below it, from the path of an event: `branch` or `node_info`."""
    node = fields.object("node_info")
    path = (node.text("path") if node else None) or ""
    yield from _pairs(name.partition("@")[0] for name in path.split("/"))
    yield from _pairs((fields.text("branch") or "").split("."))


def owner_of(extra: Extra) -> str:
    """Which object of an event an extra stands in: "actions", "usageMetadata", or "" for the event itself."""
    above = split(extra.place)[-2:-1]
    return _OWNERS.get(above[0], "") if above else ""


def is_of_adk(extra: Extra, origin: str) -> bool:
    """Whether an extra of an event in a file of this format is one of ADK, and so has its place in a session.

    Of several files together nobody says which told it; there it is by its name, or by the object that only ADK has.
    """
    if origin == SEVERAL:
        return bool(owner_of(extra)) or extra.name in EVENT.by_key
    return origin.startswith("adk-") or origin == "agent-eval"  # whose rows hold sessions of ADK


def _pairs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    given = [name for name in names if name]
    return ((above, below) for above, below in pairwise(given) if above != below)


def _extras(fields: Fields, read: frozenset[str]) -> Iterator[Extra]:
    for key, value in fields.value.items():
        if key not in read and _says(value):
            yield Extra(key, value, join(fields.place, key))


def _says(value: Json, depth: int = 0) -> bool:
    """Whether a value is not empty: dumps with every key are full of nulls, false and empty objects."""
    if value is None or value is False:
        return False
    if isinstance(value, str):
        return bool(value)
    if isinstance(value, list):
        return bool(value)
    if isinstance(value, dict):
        return depth >= _LOOKED_INTO or any(_says(item, depth + 1) for item in value.values())
    return True
