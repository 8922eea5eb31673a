"""A sentence as calculations see it: its words, concepts, figures, degrees, and the records of a table it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

from msgspec import Struct

from trace_inspector.engine.grounding.calculations.columns import Grid
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import Amount, FactKind
from trace_inspector.engine.grounding.lexicon.calculation_words import (
    HEDGED,
    JOINED_COMPARATIVE,
    JOINED_GRADES,
    JOINED_HEDGED,
    JOINED_SUPERLATIVE,
    LESS,
    LESS_THAN,
    MARKED_BEGINNINGS,
    MARKED_GRADES,
    MORE,
    MORE_THAN,
    SIGNED_DOWN,
    WHOLE_GRADES,
)
from trace_inspector.engine.grounding.lexicon.concepts import concepts_in_sentence, concepts_in_words
from trace_inspector.engine.grounding.text.folding import fold, fold_text
from trace_inspector.engine.grounding.text.negation import is_negated
from trace_inspector.engine.grounding.text.units import COUNT, Unit, measures, unit_of
from trace_inspector.engine.grounding.text.words import WORD

_MAX_CHARS: Final = 600
_MAX_REMEMBERED: Final = 64  # of what tables name in one sentence
_WORDLIKE: Final = re.compile(r"[^\W_]")
_FAHRENHEIT: Final[Unit] = (("temperature F", 1.0),)
_THE_TWO: Final = re.compile(r"\b(?:the|den|les|los|las|os|as|der|die) $")
_ONE: Final = re.compile(r"\b(?:an?|one|eine?[nr]?|une?|una?|um|uma) ([a-z]{3,10})\b")
# The lowest temperature of a day is an attribute, no comparison of days.
_PART_OF_NAME: Final = re.compile("最[高低大小](?=[一-鿿])")
_MAX_MARK_DISTANCE: Final = 2
_FOLLOWING: Final = 4
_AND_HALF: Final = re.compile(r" and a half (\w{1,12})|(?: et demie?| y media| e meia)\b|半")
_HALVES: Final = (" half ", " demi", " media", " meia")  # as in the pattern above
_BOUND_CHARS: Final = 8
_HALF_BEFORE: Final = re.compile(r"\w and a $")


class StatedFigure(Struct, frozen=True, gc=False):
    """A number that the sentence states, at characters [start, end)."""

    start: int
    end: int
    amount: Amount
    bound: int = 0  # 1 where the sentence says "more than", -1 where it says "less than"


class Grade(Struct, frozen=True, gc=False):
    """A word of degree: what it is about with its sign ("price-"), and where it stands."""

    kinds: tuple[str, ...]
    start: int
    end: int
    following: frozenset[str] = frozenset()  # the concepts of the next words


class Mention(Struct, frozen=True, gc=False):
    """The characters that name a record."""

    record: int
    start: int
    end: int
    column: int


class Statement:
    """A sentence, read lazily: most sentences state no calculation."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._concepts: dict[frozenset[int], frozenset[str]] = {}
        self._free: dict[tuple[Mention, ...], tuple[StatedFigure, ...]] = {}
        self.text = claim.text[:_MAX_CHARS]
        self.folded = self.text.casefold()  # one character for each, unlike a full folding, in nearly all scripts
        if len(self.folded) != len(self.text):
            self.folded = self.text.lower() if len(self.text.lower()) == len(self.text) else self.text

    @cached_property
    def words(self) -> tuple[tuple[str, int, int], ...]:
        """The folded words with their places."""
        return self._read[0]

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The folded words."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[tuple[tuple[str, int, int], ...], frozenset[str]]:
        return _words_of(self.claim.wording[:_MAX_CHARS])

    @cached_property
    def plain(self) -> str:
        """The text without case and accents, to look for phrases."""
        return fold_text(self.text)

    @cached_property
    def figures(self) -> tuple[StatedFigure, ...]:
        """The numbers that are no dates, times or identifiers."""
        return tuple(
            self._with_half(
                StatedFigure(fact.start, fact.end, self._in_degrees(fact.amount), self._bound(fact.start))
            )
            for fact in self.claim.facts
            if fact.kind is FactKind.NUMBER and fact.amount is not None and fact.end <= len(self.text)
            and not (fact.amount.values == (0.5,) and _HALF_BEFORE.search(self.plain[: fact.start]))
            and not (fact.amount.values == (2.0,) and _THE_TWO.search(self.plain[: fact.start]))
        )  # fmt: skip

    @cached_property
    def article_figure(self) -> StatedFigure | None:
        """The one of "an hour before", which is no figure anywhere else."""
        match = _ONE.search(self.plain)
        unit = unit_of(match[1]) if match and len(self.plain) == len(self.text) else ()
        if match is None or not unit or unit[0][0] != "time":
            return None
        return self._with_half(
            StatedFigure(match.start(), match.end(), Amount((1.0,), 1.0, unit), self._bound(match.start()))
        )

    @cached_property
    def grades(self) -> tuple[Grade, ...]:
        """The comparatives and superlatives."""
        if self.claim.unspaced and any(
            mark in self.text for mark in (*JOINED_SUPERLATIVE, *JOINED_COMPARATIVE, "最")
        ):
            text = _PART_OF_NAME.sub(lambda match: " " * len(match[0]), self.text)
            joined = tuple(
                Grade(kinds, text.index(form), text.index(form) + len(form))
                for form, kinds in JOINED_GRADES.items()
                if form in text
            )
            if joined:
                return joined
        return tuple(self._spaced_grades())

    @cached_property
    def is_hedged(self) -> bool:
        """Whether it says "about"."""
        return not self.vocabulary.isdisjoint(HEDGED) or any(mark in self.text for mark in JOINED_HEDGED)

    @cached_property
    def is_negated(self) -> bool:
        """Whether it denies something."""
        return is_negated(self.text, self.claim.folded)

    def concepts(self, without: Sequence[Mention] = ()) -> frozenset[str]:
        """The concepts of its words, but of none within a name."""
        if not without:
            return self._all_concepts
        named = frozenset(
            [
                index
                for mention in without
                for index, (_word, start, end) in enumerate(self.words)
                if mention.start <= start and end <= mention.end
            ]
        )
        known = self._concepts.get(named)
        if known is None:
            if len(self._concepts) >= _MAX_REMEMBERED:
                self._concepts.clear()
            words = [word for index, (word, _start, _end) in enumerate(self.words) if index not in named]
            known = self._concepts[named] = concepts_in_sentence(words, self.text)
        return known

    @cached_property
    def _all_concepts(self) -> frozenset[str]:
        return concepts_in_sentence([word for word, _start, _end in self.words], self.text)

    def mentions(self, grid: Grid) -> tuple[Mention, ...]:
        """The records that it names, in order; a longer name before one within it."""
        folded, plain = self.folded, self.plain
        if not grid.names:
            return ()
        found = [
            Mention(name.record, start, start + len(name.folded), name.column)
            for name in grid.names
            if name.folded in folded or name.folded in plain
            for start in self._places(name.folded)
            if not name.is_part or self.text[start].isupper()
        ]
        if len(found) < 2:
            return tuple(found)
        found.sort(key=lambda mention: (mention.start, -mention.end))
        kept: list[Mention] = []
        for mention in found:
            if not kept or mention.start >= kept[-1].end:
                kept.append(mention)
        return tuple(kept)

    def free_figures(self, mentions: tuple[Mention, ...]) -> tuple[StatedFigure, ...]:
        """The figures outside names."""
        if not mentions or not self.figures:
            return self.figures
        known = self._free.get(mentions)
        if known is None:
            if len(self._free) >= _MAX_REMEMBERED:
                self._free.clear()
            known = self._free[mentions] = tuple(
                figure
                for figure in self.figures
                if not any(mention.start < figure.end and figure.start < mention.end for mention in mentions)
            )
        return known

    def has(self, words: frozenset[str], joined: Sequence[str] = ()) -> bool:
        """Whether it has one of some words."""
        return not self.vocabulary.isdisjoint(words) or (
            self.claim.unspaced and any(mark in self.text for mark in joined)
        )

    def _places(self, name: str) -> Iterator[int]:
        text = self.folded if name in self.folded else self.plain
        if len(text) != len(self.text):
            return
        start = text.find(name)
        while start >= 0:
            if _is_apart(text, start, start + len(name)):
                yield start
            start = text.find(name, start + 1)

    def _with_half(self, figure: StatedFigure) -> StatedFigure:
        """Two and a half hours, where the half comes after the unit or has it."""
        if not self._may_have_half:
            return figure
        after = _AND_HALF.match(fold_text(self.text[figure.end : figure.end + 30]))
        if after is None:
            return figure
        unit = unit_of(after[1]) if after[1] else figure.amount.unit
        amount = Amount((figure.amount.values[0] + 0.5,), 0.1, unit)
        return StatedFigure(figure.start, figure.end + after.end(), amount, figure.bound)

    @cached_property
    def _may_have_half(self) -> bool:
        """Whether it may say "and a half"; most sentences do not."""
        return not self.text.isascii() or any(word in self.plain for word in _HALVES)

    def _in_degrees(self, amount: Amount) -> Amount:
        """Degrees, or a bare number, in the scale that the sentence names."""
        if not ("fahrenheit" in self.folded or "華氏" in self.text):
            return amount
        bare = not measures(amount.unit)
        if bare or any(dimension.startswith("temperature") for dimension, _ in amount.unit):
            return Amount(amount.values, amount.step, _FAHRENHEIT)
        return amount

    def _bound(self, start: int) -> int:
        before = fold_text(self.text[max(0, start - 20) : start]).rstrip(" $€£")
        if before.endswith(MORE_THAN):
            return 1
        return -1 if before.endswith(LESS_THAN) else 0

    def _spaced_grades(self) -> Iterator[Grade]:
        words = self.words
        figures = [(figure.start, figure.end) for figure in self.figures]
        for index, (word, start, end) in enumerate(words):
            if not _may_grade(word) or any(begin <= start < end for begin, end in figures):
                continue
            if kinds := WHOLE_GRADES.get(word):
                following = words[index + 1][0] if index + 1 < len(words) else ""
                if (word in MORE or word in LESS) and (_marked(following) or self._is_bound(end)):
                    continue
                yield Grade(kinds, start, end, self._following(index))
            elif kinds := _marked(word):
                sign = self._mark_before(index)
                if sign:
                    yield Grade(kinds if sign > 0 else _turned(kinds), words[index - 1][1], end)
            elif word in _ALONE and not (index + 1 < len(words) and _marked(words[index + 1][0])):
                yield Grade(("some+",) if word in MORE else ("some-",), start, end, self._following(index))

    def _is_bound(self, end: int) -> bool:
        """Whether "more" belongs to a figure: more than four."""
        return any(figure.bound and 0 < figure.start - end <= _BOUND_CHARS for figure in self.figures)

    def _following(self, index: int) -> frozenset[str]:
        return concepts_in_words([word for word, _start, _end in self.words[index + 1 : index + 1 + _FOLLOWING]])

    def _mark_before(self, index: int) -> int:
        for word, _start, _end in self.words[max(0, index - _MAX_MARK_DISTANCE) : index][::-1]:
            if word in MORE:
                return 1
            if word in LESS:
                return -1
        return 0


@lru_cache(maxsize=1 << 8)
def _words_of(text: str) -> tuple[tuple[tuple[str, int, int], ...], frozenset[str]]:
    """The folded words of a sentence with their places, and by themselves."""
    words = tuple([(fold(match[0]), *match.span()) for match in WORD.finditer(text)])
    return words, frozenset([word for word, _start, _end in words])


def one_of_article(statement: Statement) -> tuple[StatedFigure, ...]:
    """The one of "an hour", for where no other figure is stated."""
    return (statement.article_figure,) if statement.article_figure else ()


_ALONE: Final = frozenset({"plus", "mas", "mais", "moins", "menos"})


@lru_cache(maxsize=1 << 13)
def _marked(word: str) -> tuple[str, ...]:
    if kinds := MARKED_GRADES.get(word):
        return kinds
    for length in range(len(word), 2, -1):
        if kinds := MARKED_BEGINNINGS.get(word[:length]):
            return kinds
    return ()


@lru_cache(maxsize=1 << 13)
def _may_grade(word: str) -> bool:
    return word in WHOLE_GRADES or word in _ALONE or bool(_marked(word))


def _turned(kinds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kind[:-1] + SIGNED_DOWN[kind[-1]] for kind in kinds)


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether characters are a word of their own; in scripts without spaces any are."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return not (_joins(before) and text[start].isascii()) and not (_joins(after) and text[end - 1].isascii())


def _joins(char: str) -> bool:
    return bool(char) and ord(char) < 0x2FFF and _WORDLIKE.match(char) is not None


def factor_between(stated: Unit, own: Unit) -> float | None:
    """What turns a value of its own unit into the stated one; nothing where they measure different things."""
    for dimension, factor in own:
        for other, other_factor in stated:
            if dimension == other:
                return factor / other_factor
    return None


def agrees(figure: StatedFigure, value: float, unit: Unit, *, difference: bool = False) -> bool | None:
    """Whether a figure is a value of a unit, as precisely as it is written; None where units do not go together."""
    stated = figure.amount.unit
    factor: float | None = 1.0
    if measures(stated) and measures(unit):
        factor = factor_between(stated, unit)
        converted = _temperature(stated, unit, value, difference=difference) if factor is None else value * factor
        if converted is None:
            return None
    else:
        if measures(stated) != measures(unit) and measures(stated) and stated != COUNT and stated[0][0] == "percent":
            return None
        converted = value
    return is_rounded(figure, converted)


def is_rounded(figure: StatedFigure, value: float) -> bool:
    """Whether a figure is a value or what it rounds to; with "more than" whether the value is a little more."""
    step = figure.amount.step
    for stated in figure.amount.values:
        if (
            figure.bound
            and figure.bound * (value - stated) > 0
            and abs(value - stated) <= 0.25 * max(abs(stated), step)
        ):
            return True
        if abs(stated - value) <= step / 2 * 1.0001 + 1e-9 * max(1.0, abs(value)):
            return True
    return False


def _temperature(stated: Unit, unit: Unit, value: float, *, difference: bool) -> float | None:
    names = ({dimension for dimension, _ in stated}, {dimension for dimension, _ in unit})
    offset = 0.0 if difference else 32.0
    if "temperature F" in names[0] and "temperature C" in names[1]:
        return value * 9 / 5 + offset
    if "temperature C" in names[0] and "temperature F" in names[1]:
        return (value - offset) * 5 / 9
    return None
