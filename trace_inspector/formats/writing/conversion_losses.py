"""Writes a document in another format, and names each field that the new file does not hold completely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from trace_inspector.core.finding import Finding, error
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.formats.common.format import Format, Source, Written
from trace_inspector.formats.extension.key import everything_carried
from trace_inspector.formats.writing.model_fields import BESIDE, FIELDS, SCRIPTED, Leaf, ModelFields, leaves

CODE = "fields-lost"
_MOST_LOOKED_THROUGH = 200_000_000  # characters; a tenth of a second
_LONG_ENOUGH = 8  # a shorter word may stand in another
_STEPS = "expected calls, results and words"
# Under which other names a field may be read again without being lost.
_ALSO: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("words", "calls", "arguments of calls", "results of calls"), (_STEPS,)),
    _STEPS: (SCRIPTED,),
    "whole names of tools": ("calls",),  # of a tool that has no longer one
    **dict.fromkeys(("callers", "who answered", "agents"), ("authors of events",)),
    "cases": ("sessions of recordings",),
    "sessions": ("sessions of recordings",),
    "sessions of recordings": ("sessions", "cases"),
    "first messages of scenarios": ("words", "plans of scenarios"),
    "variables of scenarios": ("states of sessions",),
    "final states": ("changes of state",),
}
_OF_TURNS = ("ids of turns", "times of turns", "durations of turns")
_OF_EVENTS = ("times of events", "durations of events", "tokens", "models", "finish reasons", "errors of events")
_RUBRICS = ("rubrics", "types of rubrics", "descriptions of rubrics", "groups of rubrics", "importance of rubrics")
_OTHER_FIELDS = ("other fields of cases", "other fields of suites", "other fields of recordings")
# What a writer names itself, by the beginning of its code, and the fields that are named with it.
_NAMED_BY: Mapping[str, tuple[str, ...]] = {
    "spans": ("spans",),
    "verdicts": ("scores", "reasons of scores"),
    "criteria": ("criteria", "thresholds", "options of criteria"),
    "titles": ("titles",),
    "tags": ("tags",),
    "notes": ("notes",),
    "matchers": ("matchers",),
    "thoughts": ("thoughts",),
    "media": ("media",),
    "parts": ("media", "transfers", "parts of other kinds"),
    "agents": ("agents", "instructions of agents"),
    "personas": ("personas",),
    "sessions": ("sessions", "sessions of recordings"),
    "turn-details": _OF_TURNS,
    "durations": ("durations of turns", "durations of events"),
    "event-details": _OF_EVENTS,
    "expectations": ("expected calls, results and words", "expected variables", "notes of expectations"),
    "prompts": ("expected sentences",),
    "rubrics": _RUBRICS,
    "suites": ("names of suites",),
    "other-fields": _OTHER_FIELDS,
}


def written_with_losses(target: Format, contents: Contents) -> Written:
    """The text and what it could not hold: what the writer names itself, and the fields that were found missing."""
    if target.write is None:
        return Written("")
    made = target.write(contents)
    missing = _missing(target, contents, made)
    return replace(made, losses=(*made.losses, *missing)) if missing else made


def _without_guesses(again: Contents) -> Contents:
    """What was read again; what a reader derives there counts as stated."""
    traces = (
        replace(trace, turns=tuple(replace(turn, guessed=frozenset()) for turn in trace.turns))
        for trace in again.traces
    )
    return replace(again, traces=tuple(traces))


def _missing(target: Format, contents: Contents, made: Written) -> tuple[Finding, ...]:
    """One sentence for all fields. A value is kept where it is read again, or where nothing else is read."""
    value = parse_exactly(made.text)
    again = _leaves_by_field(
        {**FIELDS, **BESIDE}, _without_guesses(collect(target.name, target.read(Source(value, ""))))
    )
    claimed = (leaves_again for name, leaves_again in again.items() if name not in _OTHER_FIELDS)
    unread = {*leaves(value)}.difference(*claimed).union(*map(leaves, everything_carried(value)))
    named_by_writer = {name for loss in made.losses for name in _NAMED_BY.get(loss.code.removesuffix("-lost"), ())}
    named = []
    others = {name: values_of for name, values_of in FIELDS.items() if name not in named_by_writer}
    for name, original in _leaves_by_field(others, contents).items():
        there = (unread, again[name], *(again[other] for other in _ALSO.get(name, ())))
        missing = original.difference(*there)
        if missing := missing and missing - _parts_of(there, missing):
            named.append(f"{name} ({len(missing)})")
    if not named:
        return ()
    return (
        error(CODE, f"Not everything is in the new file. What is missing, in whole or in part: {', '.join(named)}."),
    )


def _leaves_by_field(fields: ModelFields, contents: Contents) -> dict[str, set[Leaf]]:
    return {
        name: {leaf for value in values_of(contents) for leaf in leaves(value)} for name, values_of in fields.items()
    }


def _parts_of(there: Iterable[set[Leaf]], words: set[Leaf]) -> set[Leaf]:
    """The texts that are part of longer ones there, such as the first message of a scenario in a task of CES."""
    text = "\n".join(leaf for longer in there for leaf in longer if isinstance(leaf, str))
    if len(words) * len(text) > _MOST_LOOKED_THROUGH:
        return set()
    return {leaf for leaf in words if isinstance(leaf, str) and len(leaf) >= _LONG_ENOUGH and leaf in text}
