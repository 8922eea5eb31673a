"""Where leftovers stand in each written format, and which part of one file stands for which of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from trace_inspector.core.values.difference import KEYS, LENGTH, difference, overlaid
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.pointer import resolve, split
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import fields_of
from trace_inspector.formats.extension.key import (
    KEY,
    Carried,
    carried,
    carrying,
    carrying_for_file,
    with_people_only,
    without_carried,
)


class Home(Struct, frozen=True):
    """How a format takes leftovers in.

    `items` finds the list of a file's parts: cases, case results, sessions; None where the file is the one part.
    """

    items: Callable[[Json], str | None]
    keeps: bool = True  # a criteria file is no place for whole conversations
    is_free: bool = True  # whether parts and file may carry the key; else a side file does
    # Where the key stands deeper in a part: a file with the keys at the parts themselves, and one as it is written.
    lifted: Callable[[Json], Json] = lambda value: value
    lowered: Callable[[Json], Json] = lambda value: value


class File(Struct, frozen=True):
    """A written file: its value, and that of its side file where it has one."""

    value: Json
    side: JsonObject | None = None


class Load(Struct, frozen=True):
    """What a file carries: how many values, and about how many characters of text with the order of keys."""

    values: int = 0
    chars: int = 0


def _load(*lefts: JsonObject) -> Load:
    values = sum(not name.startswith((KEYS, LENGTH)) for leftovers in lefts for name in leftovers)
    return Load(values, sum(len(json_text(leftovers)) for leftovers in lefts if leftovers))


def _listed(*names: str) -> Callable[[Json], str | None]:
    def place(value: Json) -> str | None:
        fields = fields_of(value, "")
        return next((fields.pointer(name) for name in names if isinstance(fields.get(name), list)), None)

    return place


def _sessions(value: Json) -> str | None:
    is_list = isinstance(value, list) and all(isinstance(item, dict) and "events" in item for item in value)
    return "" if is_list else None


def _trajectories(value: Json) -> str | None:
    is_list = isinstance(value, list) and all(isinstance(item, dict) and "steps" in item for item in value)
    return "" if is_list else None


def _rows(*names: str) -> Callable[[Json], str | None]:
    def place(value: Json) -> str | None:
        return "" if isinstance(value, list) else _listed(*names)(value)

    return place


def _items_of_vertex(value: Json) -> str | None:
    return "" if isinstance(value, list) else _listed("evaluation_items")(value)


def _each_item(change: Callable[[JsonObject], JsonObject]) -> Callable[[Json], Json]:
    """Changes every evaluation item of a file, or the one that it is."""

    def changed(value: Json) -> Json:
        place = _items_of_vertex(value)
        if place is None:
            return change(value) if isinstance(value, dict) else value
        items = resolve(value, place)
        listed = (
            [change(item) if isinstance(item, dict) else item for item in items] if isinstance(items, list) else []
        )
        return {**value, "".join(split(place)): listed} if isinstance(value, dict) else listed

    return changed


def _out_of_metadata(item: JsonObject) -> JsonObject:
    metadata = item.get("metadata")
    if not isinstance(metadata, dict) or KEY not in metadata:
        return item
    others = {key: value for key, value in metadata.items() if key != KEY}
    rest = {key: value for key, value in item.items() if key != "metadata"}
    return {**rest, **({"metadata": others} if others else {}), KEY: metadata[KEY]}


def _into_metadata(item: JsonObject) -> JsonObject:
    if KEY not in item:
        return item
    rest = {key: value for key, value in item.items() if key != KEY}
    metadata = item.get("metadata")
    return {**rest, "metadata": {**(metadata if isinstance(metadata, dict) else {}), KEY: item[KEY]}}


HOMES: Mapping[str, Home] = {
    "adk-eval-set": Home(_listed("eval_cases", "scenarios")),
    "adk-eval-result": Home(_listed("eval_case_results")),
    "adk-eval-config": Home(lambda _value: None, keeps=False),
    "adk-session": Home(_sessions, is_free=False),
    "vertex-item": Home(_items_of_vertex, lifted=_each_item(_out_of_metadata), lowered=_each_item(_into_metadata)),
    "agent-eval": Home(_rows("golden_questions", "questions")),
    "ces-evaluation": Home(_rows("evaluations"), is_free=False),
    "atif": Home(_trajectories, is_free=False),
    "openai-messages": Home(lambda _value: None, is_free=False),
}


def laden(target: Json, home: Home, origin: str, original: Json, given: Json) -> tuple[File, Load]:
    """The target with what the origin's value has and the one made back from it has not; and how much that is.

    Where the parts of both files answer to each other each carries its own, so that it may be moved or taken out.
    """
    leftovers = difference(original, given)
    if not leftovers:
        return File(target), Load()
    if not home.is_free:
        return _beside(target, origin, leftovers), _load(leftovers)
    from_home = HOMES[origin]
    parts, back, targets = _items(original, from_home), _items(given, from_home), _items(target, home) or []
    if parts is None and back is None and len(targets) == 1:
        return File(_filled(target, home, [_with_key(targets[0], origin, leftovers)])), _load(leftovers)
    if parts is None or back is None or not len(parts) == len(back) == len(targets):
        return _with_whole(target, origin, leftovers), _load(leftovers)
    lefts = [difference(*pair) for pair in zip(parts, back, strict=True)]
    carriers = [_with_key(item, origin, own) for item, own in zip(targets, lefts, strict=True)]
    top = difference(_emptied(original, from_home), _emptied(given, from_home))
    whole = _filled(target, home, carriers)
    return _with_whole(whole, origin, top) if top else File(whole), _load(top, *lefts)


def unladen(file: File, home: Home, origin: str) -> Json:
    """The file without what it carries from an origin."""
    value = without_carried(file.value) if _carried(file.value, origin) else file.value
    items = _items(value, home)
    if items is None or not home.is_free:
        return value
    return _filled(value, home, [without_carried(item) if _carried(item, origin) else item for item in items])


def bare(value: Json, home: Home) -> Json:
    """A file's value with nothing under the key, neither at the top nor in its parts, but what people say there."""
    value = with_people_only(value)
    items = _items(value, home)
    return value if items is None else _filled(value, home, [with_people_only(item) for item in items])


def is_laden(file: File, home: Home, origin: str) -> bool:
    """Whether a file states that it was made from this format."""
    carriers: list[Json] = [file.value, {KEY: file.side}, *(_items(file.value, home) or [])]
    return any(_carried(carrier, origin) for carrier in carriers)


def is_taken(value: Json, home: Home) -> bool:
    """Whether a file carries leftovers already, of whatever format."""
    return any(carried(carrier) for carrier in (value, *(_items(value, home) or [])))


def unloaded(file: File, home: Home, origin: str, given: Json) -> Json:
    """The origin's value: what is made back from the file, with the leftovers that the file carries laid over it."""
    from_home = HOMES[origin]
    top = _carried({KEY: file.side}, origin) or _carried(file.value, origin)
    items = (_items(file.value, home) or []) if home.is_free else []
    carriers = [_carried(item, origin) for item in items]
    of_rows = next((carrier.of_file for carrier in carriers if carrier), {})
    whole = top.leftovers if top else of_rows
    lefts = [carrier.leftovers if carrier and carrier.is_part else None for carrier in carriers]
    if all(leftovers is None for leftovers in lefts):
        return overlaid(given, whole)
    back = _items(given, from_home)
    if back is None:
        return overlaid(given, lefts[0] or {})
    if len(back) != len(lefts):
        return given
    parts = [overlaid(part, leftovers or {}) for part, leftovers in zip(back, lefts, strict=True)]
    return _filled(overlaid(_emptied(given, from_home), whole), from_home, parts)


def _with_whole(target: Json, origin: str, leftovers: JsonObject) -> File:
    """A file that carries what is no single part's; of a list the first row does, of an empty one a side file."""
    if isinstance(target, dict):
        return File(carrying(target, origin, leftovers))
    if isinstance(target, list) and target and isinstance(target[0], dict):
        return File([carrying_for_file(target[0], origin, leftovers), *target[1:]])
    return _beside(target, origin, leftovers)


def _beside(target: Json, origin: str, leftovers: JsonObject) -> File:
    side = carrying({}, origin, leftovers)[KEY]
    return File(target, side if isinstance(side, dict) else None)


def _carried(value: Json, origin: str) -> Carried | None:
    contents = carried(value)
    return contents if contents is not None and contents.origin == origin else None


def _items(value: Json, home: Home) -> list[Json] | None:
    place = home.items(value)
    items = resolve(value, place) if place is not None else None
    return items if isinstance(items, list) else None


def _emptied(value: Json, home: Home) -> Json:
    return _filled(value, home, [])


def _filled(value: Json, home: Home, items: list[Json]) -> Json:
    """The file with another list of parts, which stands in it or is all of it."""
    place = home.items(value)
    if place is None:
        return value
    key = "".join(split(place))
    return {**value, key: items} if isinstance(value, dict) else items


def _with_key(value: Json, origin: str, leftovers: JsonObject) -> Json:
    return carrying(value, origin, leftovers) if isinstance(value, dict) else value
