"""The filter language: `verdict:failed tool:search agent:Market* latency>2s text:"parking"`, and words alone.

All terms must hold; `-` negates a term; commas between values mean any of them; `*` and `?` stand for
letters. This module parses the language, `row_filter` applies it to rows.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from trace_inspector.core.verdict.triage import Bucket

Names: TypeAlias = Callable[[str, str], Sequence[str]]
Counts: TypeAlias = Callable[[str], Mapping[str, int]]

LONGEST = 2_000
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"(-?)([A-Za-z]+)(:|>=|<=|>|<|=)")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")


class Comparator(enum.Enum):
    """How a value is compared."""

    IS = ":"
    OVER = ">"
    UNDER = "<"
    AT_LEAST = ">="
    AT_MOST = "<="


class Field(Struct, frozen=True):
    """A word before the colon. With `context`, what holds for a turn or a case holds for all rows in it.

    `words` explain choices that do not explain themselves.
    """

    name: str
    meaning: str
    example: str
    choices: tuple[str, ...] = ()
    units: Mapping[str, float] = field(default_factory=dict)  # for numbers: the factor of each unit
    context: bool = False
    words: Mapping[str, str] = field(default_factory=dict)


_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_COUNTS = {"": 1.0, "k": 1_000.0, "m": 1_000_000.0}
VERDICTS = (
    "failed", "passed", "error", "none", "pending", "info", "skipped", "missing", "extra", "differs", "unsupported",
    "contradictory", "disputed", "cannot_tell",
)  # fmt: skip
KINDS = (
    "case", "trace", "turn", "event", "call", "result", "answer", "text", "thought", "transfer", "state", "media",
    "code", "span", "agent",
)  # fmt: skip
BUCKETS: Mapping[str, str] = {bucket.name.lower(): bucket.value for bucket in Bucket}
TRAITS = ("error", "guessed", "plumbing", "transfer")

FIELDS: tuple[Field, ...] = (
    Field("verdict", "the verdict of the evaluation", "verdict:failed", VERDICTS),
    Field("triage", "the kind of failure", "triage:tool_missing", tuple(BUCKETS), context=True, words=BUCKETS),
    Field("case", "the name of the case or trace", "case:seattle*", context=True),
    Field("turn", "the number of the turn", "turn:2", units={"": 1.0}, context=True),
    Field("candidate", "the candidate that gave the answers", "candidate:gemini*", context=True),
    Field("persona", "the persona of the simulated user", "persona:novice", context=True),
    Field("run", "the number of the run of its case", "run:2", units={"": 1.0}, context=True),
    Field("mode", "the failure mode that people gave it", 'mode:"wrong date"', context=True),
    Field("cause", "what the run shows of what goes with failing", 'cause:"skip verify_address"', context=True),
    Field("tool", "the tool that was called", "tool:search"),
    Field("agent", "the agent that acted", "agent:Market*"),
    Field("kind", "the kind of row", "kind:call", KINDS),
    Field("is", "a property of the row", "is:error", TRAITS),
    Field("latency", "how long it took", "latency>2s", units=_SECONDS),
    Field("tokens", "how many tokens it used", "tokens>4k", units=_COUNTS),
    Field("text", "text in it", 'text:"parking lots"'),
)
_BY_NAME = {field.name: field for field in FIELDS}


class Term(Struct, frozen=True):
    """One condition. `values` are alternatives; numbers stand in the field's base unit."""

    field: Field
    compare: Comparator
    values: tuple[str, ...] = ()
    number: float = 0.0
    negated: bool = False


class Completion(NamedTuple):
    """A completion at the cursor: the start of the text that it replaces, the new text, and its meaning."""

    position: int
    text: str
    meaning: str


class FilterError(Struct, frozen=True):
    """Why a filter cannot be parsed, and where."""

    position: int
    sentence: str


def parse(text: str) -> tuple[Term, ...] | FilterError:
    """The terms of a filter; none for an empty one."""
    if len(text) > LONGEST:
        return FilterError(LONGEST, f"A filter has at most {LONGEST:,} characters.")
    terms: list[Term] = []
    position = 0
    while position < len(text):
        if space := _SPACE.match(text, position):
            position = space.end()
            continue
        start = position
        name = _NAME.match(text, position)
        if name is None:
            negated = text[position] == "-" and position + 1 < len(text) and not text[position + 1].isspace()
            values, position = _values(text, position + negated)
            term: Term | FilterError = _chosen(_BY_NAME["text"], values, negated=negated, position=start)
        else:
            values, position = _values(text, name.end())
            term = _term(name, values, start)
        if position < 0:
            return FilterError(start, "A quotation mark is missing at the end.")
        if isinstance(term, FilterError):
            return term
        terms.append(term)
    return tuple(terms)


def completions(
    text: str, cursor: int, names: Names = lambda _field, _part: (), counts: Counts = lambda _field: {}
) -> tuple[Completion, ...]:
    """The completions at the cursor.

    `names` returns the names that occur for a field and contain a text, `counts` the number of cases by choice.
    """
    before = text[:cursor]
    start = max(before.rfind(" "), before.rfind("\t")) + 1
    word = before[start:]
    sign = len(word) - len(word.removeprefix("-"))
    name, colon, value = word[sign:].partition(":")
    if not colon:
        fields = [field for field in FIELDS if field.name.startswith(name.lower())]
        return tuple(
            Completion(start + sign, field.name + (">" if _measures(field) else ":"), field.meaning)
            for field in fields
        )
    known_field = _BY_NAME.get(name.lower())
    if known_field is None:
        return ()
    last = value.rpartition(",")[2]
    start_of_value = cursor - len(last)
    choices = [choice for choice in known_field.choices if choice.startswith(last.lower())]
    counted = counts(known_field.name) if choices else {}
    offered = choices or [quoted(name_found) for name_found in names(known_field.name, last.strip('"'))]
    return tuple(
        Completion(start_of_value, choice, _meaning(known_field, choice, counted) if choices else "")
        for choice in offered
        if choice.lower() != last.lower()
    )


def _meaning(field: Field, choice: str, counted: Mapping[str, int]) -> str:
    """The meaning of a choice, with the number of cases where that is known."""
    words = field.words.get(choice)
    if words is None:
        return f"{field.meaning}: {choice}"
    count = counted.get(choice, 0)
    return f"{count:,} {'case' if count == 1 else 'cases'}: {words}"


def quoted(value: str) -> str:
    """A value as it is written in a filter, quoted if necessary."""
    plain = value and not any(char.isspace() or char in '",' for char in value)
    return value if plain else '"' + value.replace('"', "") + '"'


def _measures(field: Field) -> bool:
    return bool(field.units) and not field.context


def _term(name: re.Match[str], values: tuple[str, ...], position: int) -> Term | FilterError:
    sign, word, symbol = name.groups()
    field = _BY_NAME.get(word.lower())
    if field is None:
        near = get_close_matches(word.lower(), _BY_NAME, 1)
        hint = f" Did you mean “{near[0]}”?" if near else f" Known are {', '.join(_BY_NAME)}."
        return FilterError(position, f"There is no “{word}” to filter by.{hint}")
    compare = Comparator(":" if symbol == "=" else symbol)
    if not any(values):
        return FilterError(name.end(), f"Say what “{word}” should be, as in {field.example}.")
    if field.units:
        return _measured(field, compare, values, negated=bool(sign), position=name.end())
    if compare is not Comparator.IS:
        return FilterError(position, f"“{word}” cannot be compared as more or less; write {field.example}.")
    return _chosen(field, values, negated=bool(sign), position=name.end())


def _measured(
    field: Field, compare: Comparator, values: tuple[str, ...], *, negated: bool, position: int
) -> Term | FilterError:
    match = _NUMBER.fullmatch(values[0]) if len(values) == 1 else None
    worth = field.units.get(match[2].lower()) if match else None
    if match is None or worth is None:
        units = ", ".join(unit for unit in field.units if unit)
        behind = f" followed by one of {units}" if units else ""
        return FilterError(position, f"“{field.name}” is compared with a number{behind}, as in {field.example}.")
    return Term(field, compare, number=float(match[1]) * worth, negated=negated)


def _chosen(field: Field, values: tuple[str, ...], *, negated: bool, position: int) -> Term | FilterError:
    for value in values if field.choices else ():
        if value.lower() not in field.choices:
            near = get_close_matches(value.lower(), field.choices, 1)
            hint = f" Did you mean “{near[0]}”?" if near else f" Known are {', '.join(field.choices)}."
            return FilterError(position, f"“{field.name}” is never “{value}”.{hint}")
    return Term(field, Comparator.IS, tuple(value.casefold() for value in values), negated=negated)


def _values(text: str, position: int) -> tuple[tuple[str, ...], int]:
    """Comma-separated values from a position on; and their end, -1 for an unclosed quotation."""
    values: list[str] = []
    for value, end in _each_value(text, position):
        if end < 0:
            return (), -1
        values.append(value)
        position = end
    return tuple(values), position


def _each_value(text: str, position: int) -> Iterator[tuple[str, int]]:
    while True:
        if text[position : position + 1] == '"':
            end = text.find('"', position + 1)
            if end < 0:
                yield "", -1
                return
            value, position = text[position + 1 : end], end + 1
        else:
            end = position
            while end < len(text) and not text[end].isspace() and text[end] != ",":
                end += 1
            value, position = text[position:end], end
        yield value, position
        if text[position : position + 1] != ",":
            return
        position += 1
        if position >= len(text) or text[position].isspace():
            return
