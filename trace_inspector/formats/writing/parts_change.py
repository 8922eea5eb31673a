"""Changes a list of parts: kept parts are the same objects, wherever they are moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.trace.parts import Media, Part, Text, ToolResult
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.common.content import part_json
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.writing.case_draft import CaseDraft, with_keys
from trace_inspector.formats.writing.list_merge import kept_places

_BYTES = "Bytes cannot be typed in. Give the link of a file, or put them in by Raw."
_SHARED = "Several of these stand in one part. Change them in Raw."
_KIND = "This part can be moved and taken out, but not changed here. Change it in Raw."


def changed_parts(
    draft: CaseDraft, around: str, stated: Sequence[Part], parts: Sequence[Part], spell: Callable[[str], str]
) -> list[Json]:
    """The items of the list at `around` in another order, with others changed or new.

    Items that show nothing go with what they stand behind. `spell` writes a key of ours as the file does.
    """
    before = {part.place: part for part in stated}
    shown = {draft.within(part.place).rpartition("/")[0]: part for part in stated}
    if len(shown) != len(stated) or any(slot.rpartition("/")[0] != around for slot in shown):
        raise EditError(_SHARED)
    kept_places((part.place for part in parts), before, "The same part is given twice. Copy it instead.")
    follow = _followers(draft.list_at(around), around, shown)
    new = [*follow[""]]
    for part in parts:
        old = before.get(part.place)
        if old is None:
            new.append(new_part(part, spell))
            continue
        slot = draft.within(part.place).rpartition("/")[0]
        new += [changed_part(draft, part, old), *follow[slot]]
    return new


def new_part(part: Part, spell: Callable[[str], str]) -> JsonObject:
    """A part that comes in."""
    raw = part_json(part)
    if raw is None:
        raise EditError(_BYTES if isinstance(part, Media) else _KIND)
    inner = {
        spell(key): {spell(name): item for name, item in value.items()} if isinstance(value, dict) else value
        for key, value in raw.items()
    }
    return {**inner}


def changed_part(draft: CaseDraft, part: Part, old: Part) -> Json:
    """The part as it stands, with what is different now."""
    slot, _, key = draft.within(old.place).rpartition("/")
    raw = draft.fields(slot).value
    if part == old:
        return raw
    match part, old:
        case (Text(), Text()):
            return {**raw, key: part.text}
        case (ToolResult(), ToolResult()):
            return {**raw, key: changed_result(draft.fields(f"{slot}/{key}"), part, old)}
        case (Media(), Media()) if old.uri is not None and part.uri is not None:
            fields = draft.fields(f"{slot}/{key}")
            uri = {"file_uri": part.uri} if part.uri != old.uri else {}
            mime_type = {"mime_type": part.mime_type} if part.mime_type != old.mime_type else {}
            return {**raw, key: with_keys(fields, uri | mime_type)}
        case (Media(), Media()) if part == replace(old, mime_type=part.mime_type):
            fields = draft.fields(f"{slot}/{key}")
            return {**raw, key: with_keys(fields, {"mime_type": part.mime_type})}
    raise EditError(_KIND)


def changed_result(fields: Fields, result: ToolResult, old: ToolResult) -> JsonObject:
    """A tool's answer as it stands, with what is different now."""
    if fields.key("tool_name") is not None:
        raise EditError("Another tool wrote this result under keys of its own. Change it in Raw.")
    response: JsonObject = {**fields.value}
    if result.name != old.name:
        response["name"] = result.name
    if result.call_id != old.call_id:
        response.pop("id", None)
        response |= {} if result.call_id is None else {"id": result.call_id}
    if result.value is ABSENT:
        response.pop("response", None)
    elif old.value is ABSENT or not same(result.value, old.value):
        value = result.value
        response["response"] = value if isinstance(value, dict) or value is None else {"result": value}
    return response if response != fields.value or not same(response, fields.value) else fields.value


def _followers(listed: Sequence[Json], around: str, shown: dict[str, Part]) -> dict[str, list[Json]]:
    """The items without a shown part, by the slot of the one that they stand behind; "" for the beginning."""
    followers: dict[str, list[Json]] = {slot: [] for slot in ("", *shown)}
    last = ""
    for index, item in enumerate(listed):
        slot = join(around, index)
        if slot in shown:
            last = slot
        else:
            followers[last].append(item)
    return followers
