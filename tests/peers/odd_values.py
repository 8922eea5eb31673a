"""Random texts and values with what trips a reader: other scripts, marks, numbers that are equal and not the same."""

from __future__ import annotations

import random

from trace_inspector.core.values.values import Json, JsonObject

_WORDS = (
    "the", "flight", "flights", "is", "was", "booked", "booking", "sky", "skies", "dying",
    "news", "running", "a", "happily", "1,000", "1000", "don't", "café", "cafe", "naïve",
    "İstanbul", "straße", "ﬁne", "Ⅷ", "x²", "10%", "日本語です", "カタカナ", "한국어", "ภาษาไทย", "ກຳ",
    "ខ្មែរ", "မြန်မာ", "हिन्दी", "עִבְרִית", "ÀÉ", "e\u0301", "soft\u00adhyphen",
    "zero\u200dwidth", "👩\u200d👩\u200d👧", "🙂", "snake_case", "a.b", "-", "", "relational",
    "conditional", "agreed", "generalizations", "oscillators", "proceed", "innings", "ties",
    "Bed", "sized", "hopping", "٣٤", "\u0e33", "\ud7a4",
)  # fmt: skip
_NAMES = ("search", "book", "Search", "transfer_to_agent", "", "naïve_tool", "search ", "a" * 40, "get", "0")
_KEYS = ("city", "date", "", "n", "日付", "a b", "City", "id")
_NUMBERS: tuple[Json, ...] = (
    0, 1, -1, 1.0, 0.0, -0.0, True, False, 2**53, 2**53 + 1, float(2**53), 1e308, 0.1, 0.30000000000000004, 10**30,
)  # fmt: skip
_SPACES = (" ", "  ", "\n", "\t", "\u00a0", "\u2028", "")


def text(rng: random.Random, most: int = 12) -> str:
    """A few words, sometimes none; words come again, so that two texts have some in common."""
    if rng.random() < 0.06:
        return rng.choice(("", " ", "\n", "none", "None", "null", "\u200b"))
    words = [rng.choice(_WORDS) for _word in range(rng.randint(1, most))]
    if rng.random() < 0.3:
        words = [word.upper() if rng.random() < 0.3 else word.title() for word in words]
    space = " " if rng.random() < 0.8 else rng.choice(_SPACES)
    return space.join(words)


def name(rng: random.Random) -> str:
    """A tool's name, mostly one of few."""
    return rng.choice(_NAMES[:3] if rng.random() < 0.7 else _NAMES)


def scalar(rng: random.Random) -> Json:
    """A text, a number, a truth or null."""
    kind = rng.random()
    if kind < 0.45:
        return rng.choice(("Paris", "paris", "1", "true", "", "null", "Zürich", "2026-01-01"))
    return None if kind < 0.55 else rng.choice(_NUMBERS)


def value(rng: random.Random, depth: int = 2) -> Json:
    """Any value of JSON."""
    kind = rng.random()
    if depth == 0 or kind < 0.6:
        return scalar(rng)
    if kind < 0.8:
        return [value(rng, depth - 1) for _item in range(rng.randint(0, 3))]
    return mapping(rng, depth - 1)


def mapping(rng: random.Random, depth: int = 2) -> JsonObject:
    """An object, often empty; its keys are few, so that two of them are often alike."""
    return {rng.choice(_KEYS): value(rng, depth) for _key in range(rng.randint(0, 3))}


def shuffled(rng: random.Random, given: Json) -> Json:
    """The same value for Python: keys in another order, 1 as 1.0."""
    if isinstance(given, dict):
        keys = list(given)
        rng.shuffle(keys)
        return {key: shuffled(rng, given[key]) for key in keys}
    if isinstance(given, list):
        return [shuffled(rng, item) for item in given]
    if isinstance(given, int) and abs(given) < 2**53 and rng.random() < 0.3:
        return float(given)
    return given


def camel(key: str) -> str:
    """A key as JavaScript spells it."""
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)


def put(rng: random.Random, owner: JsonObject, key: str, given: Json, *, chance: float = 0.5) -> None:
    """Maybe state a field; now and then as null."""
    if rng.random() < chance:
        owner[key] = given
    elif rng.random() < 0.15:
        owner[key] = None
