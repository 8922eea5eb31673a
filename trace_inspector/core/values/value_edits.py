"""The edits that make one JSON value of another: what is the same stays, what only moved keeps its spelling."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.values.difference import same
from trace_inspector.core.values.edit import Edit, Insert, Remove, Set
from trace_inspector.core.values.pointer import index_of, join, resolve
from trace_inspector.core.values.value_paths import with_member, with_value, without_value
from trace_inspector.core.values.values import Json, JsonObject


class Put(Struct, frozen=True):
    """Another value where one stands."""

    pointer: str
    value: Json


class Add(Struct, frozen=True):
    """A member that comes in: a last key, or an item at an index. `moved_from` is where it stood before."""

    pointer: str
    value: Json
    moved_from: str = ""


# By these fields an item of a list is known again after it changed.
_NAMES = ("eval_id", "evalId", "eval_case_id", "evalCaseId", "rubric_id", "rubricId", "id", "name", "displayName")

ValueStep: TypeAlias = Put | Add | Remove
Spell: TypeAlias = Callable[[Put | Add], str]


def edits_of(steps: Iterable[ValueStep], spell: Spell) -> Iterator[Edit]:
    """The steps as edits, their values spelled."""
    for step in steps:
        match step:
            case Put():
                yield Set(step.pointer, spell(step))
            case Add():
                yield Insert(step.pointer, spell(step))
            case Remove():
                yield step


def pointer_after(pointer: str, steps: Iterable[ValueStep]) -> str | None:
    """Where a value stands after the steps that stood at a pointer before; None when it is gone."""
    carried = ""  # from where, while it is out of its list
    rest = ""
    for step in steps:
        if carried:
            if isinstance(step, Add) and step.moved_from == carried:
                pointer, carried = step.pointer + rest, ""
            elif isinstance(step, Remove) and step.pointer == carried:
                return None  # what comes back from there later is another one
        elif isinstance(step, Remove) and is_below(pointer, step.pointer):
            carried, rest = step.pointer, pointer[len(step.pointer) :]
        elif not isinstance(step, Put):
            pointer = _shifted(pointer, step.pointer, -1 if isinstance(step, Remove) else 1)
    return None if carried else pointer


def pointers_after(pointers: Iterable[str], steps: Sequence[ValueStep]) -> dict[str, str | None]:
    """Where each of many values stands after the steps. What happens further inside than a pointer does not move it.

    Of 5,000 cases that all change inside, following each through each step would take a quarter of a minute.
    """
    moving: dict[int, list[ValueStep]] = {}
    places: dict[str, str | None] = {}
    for pointer in pointers:
        depth = pointer.count("/")
        if depth not in moving:
            moving[depth] = [step for step in steps if not isinstance(step, Put) and step.pointer.count("/") <= depth]
        places[pointer] = pointer_after(pointer, moving[depth])
    return places


def inverse_steps(steps: Sequence[ValueStep]) -> tuple[ValueStep, ...]:
    """Steps by which places are followed back. What stood at a place is not known any more."""
    moved_to: dict[int, str] = {}  # the number of a step that takes out → where that comes in again
    out: dict[str, int] = {}
    for number, step in enumerate(steps):
        if isinstance(step, Remove):
            out[step.pointer] = number
        elif isinstance(step, Add) and step.moved_from in out:
            moved_to[out.pop(step.moved_from)] = step.pointer
    back = [
        Remove(step.pointer) if isinstance(step, Add) else Add(step.pointer, None, moved_to.get(number, ""))
        for number, step in enumerate(steps)
        if not isinstance(step, Put)
    ]
    return tuple(reversed(back))


def after_step(value: Json, step: ValueStep) -> Json:
    """The value once a step is made; what lies beside it is the same object as before."""
    match step:
        case Put():
            return with_value(value, step.pointer, step.value)
        case Add():
            return with_member(value, step.pointer, step.value)
        case Remove():
            return without_value(value, step.pointer)


def is_below(pointer: str, owner: str) -> bool:
    """Whether a pointer is another's, or leads on from it."""
    return pointer == owner or pointer.startswith(owner + "/")


def _shifted(pointer: str, member: str, by: int) -> str:
    """A pointer after an item of one of the lists that it leads through came or went."""
    around, _, token = member.rpartition("/")
    index = index_of(token)
    if index is None or not pointer.startswith(around + "/"):
        return pointer
    own_token, *rest = pointer[len(around) + 1 :].split("/")
    own_index = index_of(own_token)
    if own_index is None or own_index < index:
        return pointer
    return "/".join((around, str(own_index + by), *rest))


def steps_between(old: Json, new: Json, place: str = "") -> Iterator[ValueStep]:
    """Steps to be made one after the other. Parts of `old` that are used again in `new` are known by identity."""
    if old is new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _in_object(old, new, place)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _in_list(old, new, place)
    elif not same(old, new):
        yield Put(place, new)


def ordering_steps(old: Json, steps: Iterable[ValueStep], new: Json, place: str = "") -> Iterator[ValueStep]:
    """Steps to be made after others, which bring the keys of objects into the order that they have in `new`.

    A new key comes in as the last one; those that belong behind it are taken out and put in again behind it.
    """
    made = old
    for step in steps:
        made = after_step(made, replace(step, pointer=step.pointer[len(place) :]))
    yield from _ordered(old, made, new, place, "")


def _ordered(old: Json, made: Json, new: Json, place: str, below: str) -> Iterator[ValueStep]:
    if made is new:
        return
    if isinstance(made, dict) and isinstance(new, dict):
        keys = [*new]
        same_until = next((n for n, key in enumerate(made) if n >= len(keys) or keys[n] != key), len(keys))
        for key in keys:
            yield from _ordered(old, made[key], new[key], place, join(below, key))
        for key in keys[same_until:]:
            pointer = join(below, key)
            yield Remove(place + pointer)
            yield Add(place + pointer, new[key], place + pointer if resolve(old, pointer) is made[key] else "")
    elif isinstance(made, list) and isinstance(new, list):
        for index, item in enumerate(new):
            yield from _ordered(old, made[index], item, place, join(below, index))


def _in_object(old: JsonObject, new: JsonObject, place: str) -> Iterator[ValueStep]:
    for key, value in old.items():
        if key in new:
            yield from steps_between(value, new[key], join(place, key))
    for key in old:
        if key not in new:
            yield Remove(join(place, key))
    for key, value in new.items():
        if key not in old:
            yield Add(join(place, key), value)


def _in_list(old: list[Json], new: list[Json], place: str) -> Iterator[ValueStep]:
    """First what changed where it stands, then what goes, from the end; then what comes, from the beginning."""
    used = _used_again(old, new)
    kept = _longest_increasing(used)
    stays = {used[new_index]: new_index for new_index in kept}
    stays.update(_changed_in_place(old, new, used, kept))
    for old_index, new_index in sorted(stays.items()):
        yield from steps_between(old[old_index], new[new_index], join(place, old_index))
    for old_index in range(len(old) - 1, -1, -1):
        if old_index not in stays:
            yield Remove(join(place, old_index))
    there = set(stays.values())
    for new_index, value in enumerate(new):
        if new_index not in there:
            yield Add(join(place, new_index), value, join(place, used[new_index]) if new_index in used else "")


def _used_again(old: list[Json], new: list[Json]) -> dict[int, int]:
    """New index → old index of the items that are the same thing, or scalars of the same value."""
    places: dict[object, deque[int]] = {}
    for old_index, item in enumerate(old):
        places.setdefault(_identity(item), deque()).append(old_index)
    partners = {}
    for new_index, item in enumerate(new):
        queue = places.get(_identity(item))
        if queue:
            partners[new_index] = queue.popleft()
    return partners


def _identity(item: Json) -> object:
    return id(item) if isinstance(item, dict | list) else (type(item), repr(item))


def _longest_increasing(used: dict[int, int]) -> set[int]:
    """The new indexes of the most items that stand in their old order: only the others have to move."""
    tails: list[int] = []  # the old index with which the best run of each length ends
    ends: list[int] = []  # and its new index
    before: dict[int, int | None] = {}
    for new_index, old_index in sorted(used.items()):
        length = bisect_left(tails, old_index)
        before[new_index] = ends[length - 1] if length else None
        tails[length : length + 1], ends[length : length + 1] = [old_index], [new_index]
    members: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        members.add(last)
        last = before[last]
    return members


def _changed_in_place(
    old: list[Json], new: list[Json], used: dict[int, int], kept: set[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of items that changed where they stand, old index and new one.

    Nothing identifies such an item. Between two that stay, the old ones that are gone and the new ones pair in order:
    an edit inside an item is then an edit of that item, and its other bytes keep their spelling.
    """
    moved = set(used.values())
    start = 0
    for new_index in range(len(new) + 1):
        if new_index < len(new) and new_index not in kept:
            continue
        begin, end = _gap_before(new_index, kept), used[new_index] if new_index < len(new) else len(old)
        gone = [index for index in range(start, end) if index not in moved]
        came = [index for index in range(begin, new_index) if index not in used]
        yield from _paired(gone, came, old, new)
        start = end + 1


def _paired(gone: list[int], came: list[int], old: list[Json], new: list[Json]) -> Iterator[tuple[int, int]]:
    """In order; where items have names, those of the same name first, and the others between them."""
    names = {name: number for number, old_index in enumerate(gone) if (name := _name(old[old_index]))}
    same_name = {
        number: names[name] for number, new_index in enumerate(came) if (name := _name(new[new_index])) in names
    }
    anchors = [(same_name[number], number) for number in sorted(_longest_increasing(same_name))]
    before_gone = before_came = 0
    for of_gone, of_came in [*anchors, (len(gone), len(came))]:
        yield from zip(gone[before_gone:of_gone], came[before_came:of_came], strict=False)
        if of_gone < len(gone):
            yield gone[of_gone], came[of_came]
        before_gone, before_came = of_gone + 1, of_came + 1


def _name(item: Json) -> str:
    """By what an item of a list goes, if by anything."""
    if not isinstance(item, dict):
        return ""
    return next((name for key in _NAMES if isinstance(name := item.get(key), str)), "")


def _gap_before(new_index: int, kept: set[int]) -> int:
    begin = new_index
    while begin > 0 and begin - 1 not in kept:
        begin -= 1
    return begin
