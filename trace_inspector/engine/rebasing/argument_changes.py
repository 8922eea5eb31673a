"""How the arguments of a call in one run differ from those of the same call in another, argument by argument."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.alignment.value_difference import same_kinds, same_value
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.engine.rebasing.difference import ChangeKind, generalised

_DEEPEST = 40
_MOSTLY = 0.8  # of the calls in which one of them went or came: some may be regressions
_LEAST_TOGETHER = 3  # cases in which one name went and another came, before they count as one renamed


class ArgumentChange(Struct, frozen=True):
    """One change below the arguments of a call. Of a renamed one `to` is the whole new place."""

    kind: ChangeKind
    pointer: str
    old: Json | Absent = ABSENT
    new: Json | Absent = ABSENT
    to: str = ""


class Renames(Struct):
    """Which names of arguments went while others came, over all cases: what is one renamed is seen from all together.

    `equal` counts pairs with the same value, `together` all pairs, `gone` and `come` how often either alone.
    """

    equal: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    together: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    gone: Counter[tuple[str, str]] = field(default_factory=Counter)
    come: Counter[tuple[str, str]] = field(default_factory=Counter)

    def learn(self, tool: str, old: Json | Absent, new: Json | Absent) -> None:
        """Count the names that went and came in a call."""
        for pointer, before, after in _objects(old, new, "", 0):
            place = generalised(pointer)
            gone = [name for name in before if name not in after]
            come = [name for name in after if name not in before]
            self.gone.update((tool, f"{place}/{name}") for name in gone)
            self.come.update((tool, f"{place}/{name}") for name in come)
            for name in gone:
                for other in come:
                    key = tool, f"{place}/{name}", f"{place}/{other}"
                    self.together[key] += 1
                    self.equal[key] += equal(before[name], after[other])

    def likeness(self, tool: str, pointer: str, name: str, other: str, *, same: bool) -> int:
        """How surely an argument was renamed so: 0 for not."""
        place = generalised(pointer)
        key = tool, f"{place}/{name}", f"{place}/{other}"
        if same or self.equal[key] > 1:
            return 1 + 2 * self.equal[key] + same
        together = self.together[key]
        either = max(self.gone[tool, key[1]], self.come[tool, key[2]])
        return int(together >= max(_LEAST_TOGETHER, _MOSTLY * either))


def argument_changes(
    tool: str, old: Json | Absent, new: Json | Absent, renames: Renames, pointer: str = "", depth: int = 0
) -> Iterator[ArgumentChange]:
    """What differs, each as small as possible: members of objects, and items of lists of one length."""
    if equal(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict) and depth < _DEEPEST:
        renamed = _renamed(tool, old, new, renames, pointer)
        for name, value in old.items():
            place = join(pointer, name)
            if name in renamed:
                other = renamed[name]
                yield ArgumentChange(ChangeKind.ARGUMENT_RENAMED, place, value, to=join(pointer, other))
                if not equal(value, new[other]):
                    yield ArgumentChange(ChangeKind.ARGUMENT_VALUE, place, value, new[other])
            elif name in new:
                yield from argument_changes(tool, value, new[name], renames, place, depth + 1)
            else:
                yield ArgumentChange(ChangeKind.ARGUMENT_REMOVED, place, value)
        came = set(renamed.values())
        for name, value in new.items():
            if name not in old and name not in came:
                yield ArgumentChange(ChangeKind.ARGUMENT_ADDED, join(pointer, name), new=value)
    elif isinstance(old, list) and isinstance(new, list) and _item_by_item(old, new) and depth < _DEEPEST:
        for index, (mine, theirs) in enumerate(zip(old, new, strict=True)):
            yield from argument_changes(tool, mine, theirs, renames, join(pointer, index), depth + 1)
    else:
        yield ArgumentChange(ChangeKind.ARGUMENT_VALUE, pointer, old, new)


def equal(left: Json | Absent, right: Json | Absent) -> bool:
    """Whether values are the same, of the same kinds: true is not 1 here."""
    return same_value(left, right) and same_kinds(left, right)


def _item_by_item(old: list[Json], new: list[Json]) -> bool:
    """Whether items are compared one by one: lists of objects of one length."""
    return len(old) == len(new) and all(isinstance(item, dict) for item in (*old, *new))


def _objects(
    old: Json | Absent, new: Json | Absent, pointer: str, depth: int
) -> Iterator[tuple[str, JsonObject, JsonObject]]:
    """The pairs of objects that stand at the same place."""
    if depth > _DEEPEST:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield pointer, old, new
        for name, value in old.items():
            yield from _objects(value, new.get(name, ABSENT), join(pointer, name), depth + 1)
    elif isinstance(old, list) and isinstance(new, list) and _item_by_item(old, new):
        for index, (mine, theirs) in enumerate(zip(old, new, strict=True)):
            yield from _objects(mine, theirs, join(pointer, index), depth + 1)


def _renamed(tool: str, old: JsonObject, new: JsonObject, renames: Renames, pointer: str) -> dict[str, str]:
    """The new name of each renamed member: the surest pairs first."""
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    pairs = [
        (-likeness, gone.index(name), come.index(other), name, other)
        for name in gone
        for other in come
        if (likeness := renames.likeness(tool, pointer, name, other, same=equal(old[name], new[other])))
    ]
    renamed: dict[str, str] = {}
    for _likeness, _gone, _come, name, other in sorted(pairs):
        if name not in renamed and other not in renamed.values():
            renamed[name] = other
    return renamed
