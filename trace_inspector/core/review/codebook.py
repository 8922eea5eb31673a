"""The codebook: what failure modes are called, what they mean, and which earlier names and outputs count as each.

Labels are never rewritten. A tag that was renamed or merged stays in them, and is looked up here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.review.label import LONGEST_NAME
from trace_inspector.core.values.values import Json

MOST_MODES = 2_000
_LONGEST_DESCRIPTION = 20_000


class CodebookError(ValueError):
    """A sentence on why a codebook cannot be read, or not be changed so."""

    def __init__(self, sentence: str, line: int = 0) -> None:
        super().__init__(sentence)
        self.line = line


class Mode(Struct, frozen=True):
    """A failure mode. `was` are earlier names, also of modes that were merged into it.

    `outputs` are digests of outputs that show it whatever their labels say, `without` those that do not show it,
    because they were split off. `unknown` has what a newer version wrote.
    """

    name: str
    description: str = ""
    was: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    unknown: Mapping[str, Json] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """By which names are compared."""
        return name_key(self.name)


def name_key(name: str) -> str:
    """Names are the same whatever their letters' case and their spaces."""
    return " ".join(name.split()).casefold()


class Codebook(Struct, frozen=True, dict=True):  # a dict for the cached property
    """Modes in the order in which they were made. Every change gives another codebook."""

    modes: tuple[Mode, ...] = ()

    @cached_property
    def _by_name(self) -> Mapping[str, Mode]:
        """Every name, those of today before earlier ones."""
        earlier = {name_key(name): mode for mode in reversed(self.modes) for name in mode.was}
        return {**earlier, **{mode.key: mode for mode in reversed(self.modes)}}

    def mode(self, name: str) -> Mode:
        """The mode that a tag or a name means; one that the codebook does not have is called like the tag."""
        return self._by_name.get(name_key(name)) or Mode(" ".join(name.split()))

    def has(self, name: str) -> bool:
        """Whether a mode is called so, or was."""
        return name_key(name) in self._by_name

    def modes_of(self, tags: Iterable[str], subject: str) -> list[Mode]:
        """What an output with these tags shows, each mode once."""
        tagged = (self.mode(tag) for tag in tags if name_key(tag))
        found: dict[str, Mode] = {}
        for mode in tagged:
            if (subject, mode.key) not in self._split_off:
                found.setdefault(mode.key, mode)
        found |= {mode.key: mode for mode in self._placed.get(subject, ())}
        return [*found.values()]

    @cached_property
    def _split_off(self) -> frozenset[tuple[str, str]]:
        return frozenset((subject, mode.key) for mode in self.modes for subject in mode.without)

    @cached_property
    def _placed(self) -> Mapping[str, tuple[Mode, ...]]:
        placed: dict[str, tuple[Mode, ...]] = {}
        for mode in self.modes:
            for subject in mode.outputs:
                placed[subject] = (*placed.get(subject, ()), mode)
        return placed

    def described(self, name: str, description: str) -> Codebook:
        """Another description of a mode."""
        if len(description) > _LONGEST_DESCRIPTION:
            raise CodebookError(f"The description is longer than {_LONGEST_DESCRIPTION:,} characters.")
        return self._with(replace(self.mode(name), description=description.strip()))

    def renamed(self, name: str, new: str) -> Codebook:
        """A mode under another name. One that is taken by another mode is refused: that would be merging."""
        new, mode = checked_name(new), self.mode(name)
        if self._is_taken(new, mode):
            raise CodebookError(f"There is a mode “{new}” already. Merge the two instead.")
        earlier = mode.was if name_key(new) == mode.key else (*mode.was, mode.name)
        was = tuple(each for each in earlier if name_key(each) != name_key(new))
        return self._with(replace(mode, name=new, was=was), before=mode.key)

    def merged(self, names: Iterable[str], into: str) -> Codebook:
        """Modes as one. What was said of them counts there."""
        target = self.mode(checked_name(into))
        others = {mode.key: mode for name in names for mode in (self.mode(name),) if mode.key != target.key}
        for mode in others.values():
            target = _together(target, replace(mode, was=(mode.name, *mode.was)))
        rest = Codebook(tuple(mode for mode in self.modes if mode.key not in others))
        return rest._with(target)

    def split(self, name: str, new: str, subjects: Iterable[str]) -> Codebook:
        """Some outputs of a mode as a mode of their own."""
        new, mode = checked_name(new), self.mode(name)
        if self._is_taken(new, mode) or name_key(new) == mode.key:
            raise CodebookError(f"There is a mode “{new}” already. Choose another name.")
        moved = dict.fromkeys(subjects)
        kept = tuple(subject for subject in mode.outputs if subject not in moved)
        without = tuple({**dict.fromkeys(mode.without), **moved})
        return self._with(replace(mode, outputs=kept, without=without))._with(Mode(new, outputs=tuple(moved)))

    def placed(self, name: str, subjects: Iterable[str]) -> Codebook:
        """A mode, new or not, with these outputs."""
        mode, added = self.mode(checked_name(name)), dict.fromkeys(subjects)
        without = tuple(subject for subject in mode.without if subject not in added)
        return self._with(replace(mode, outputs=tuple({**dict.fromkeys(mode.outputs), **added}), without=without))

    def _is_taken(self, name: str, by: Mode) -> bool:
        return any(mode.key == name_key(name) != by.key for mode in self.modes)

    def _with(self, mode: Mode, before: str = "") -> Codebook:
        """With a mode in the place of the one with that key, else of the one called alike, else as the last one."""
        key = before or mode.key
        if not any(other.key == key for other in self.modes):
            if len(self.modes) >= MOST_MODES:
                raise CodebookError(f"A codebook has at most {MOST_MODES:,} modes. Merge some first.")
            return Codebook((*self.modes, mode))
        return Codebook(tuple(mode if other.key == key else other for other in self.modes))


def checked_name(name: str) -> str:
    """The name on one line; CodebookError where it is none."""
    name = " ".join(name.split())
    if not name:
        raise CodebookError("A mode needs a name.")
    if len(name) > LONGEST_NAME:
        raise CodebookError(f"The name is longer than {LONGEST_NAME:,} characters.")
    return name


def joined(modes: Iterable[Mode]) -> tuple[Codebook, list[str]]:
    """A codebook of modes as a file has them, and what is odd: git may have put two of one name there."""
    once: dict[str, Mode] = {}
    for mode in modes:
        before = once.setdefault(mode.key, mode)
        if before is not mode:
            once[mode.key] = _together(before, mode)
    book = Codebook(tuple(once.values()))
    return book, [*_oddities(book)]


def _together(first: Mode, second: Mode) -> Mode:
    outputs = dict.fromkeys([*first.outputs, *second.outputs])
    return replace(
        first,
        description="\n".join(dict.fromkeys(filter(None, (first.description, second.description)))),
        was=tuple(dict.fromkeys([*first.was, *second.was])),
        outputs=tuple(outputs),
        without=tuple(each for each in dict.fromkeys([*first.without, *second.without]) if each not in outputs),
        unknown={**second.unknown, **first.unknown},
    )


def _oddities(book: Codebook) -> Iterator[str]:
    claimed: dict[str, Mode] = {}
    for mode in book.modes:
        for name in mode.was:
            other = claimed.setdefault(name_key(name), mode)
            if other is not mode:
                yield f"“{name}” is an earlier name of “{other.name}” and of “{mode.name}”: it counts as the first."
