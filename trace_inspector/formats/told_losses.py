"""Writes a document in another format, and names each field of which the new file does not say everything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from trace_inspector.core.contents import Contents, collect
from trace_inspector.core.finding import Finding, error
from trace_inspector.core.spelled import spelled
from trace_inspector.formats.format import Format, Source, Written
from trace_inspector.formats.said_fields import FIELDS, leaves

CODE = "fields-lost"
_MOST_LOOKED_THROUGH = 200_000_000  # characters; a tenth of a second
_LONG_ENOUGH = 8  # a shorter word may stand in another
_OF_TURNS = ("ids of turns", "times of turns", "durations of turns")
_OF_EVENTS = ("times of events", "durations of events", "tokens", "models", "finish reasons", "errors of events")
_RUBRICS = ("rubrics", "types of rubrics", "descriptions of rubrics", "groups of rubrics", "importance of rubrics")
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
    "other-fields": ("other fields of cases", "other fields of suites", "other fields of recordings"),
}


def written_with_losses(target: Format, contents: Contents) -> Written:
    """The text and what it could not hold: what the writer names itself, and the fields that were found missing."""
    if target.write is None:
        return Written("")
    made = target.write(contents)
    missing = _missing(target, contents, made)
    return replace(made, losses=(*made.losses, *missing)) if missing else made


def _without_guesses(again: Contents) -> Contents:
    """What was read again; what a reader derives there counts as said."""
    traces = (
        replace(trace, turns=tuple(replace(turn, guessed=frozenset()) for turn in trace.turns))
        for trace in again.traces
    )
    return replace(again, traces=tuple(traces))


def _stands_in(text: str, leaf: str | float) -> bool:
    """Whether words are part of longer ones, such as the first message of a scenario in a task of CES."""
    return isinstance(leaf, str) and len(leaf) >= _LONG_ENOUGH and json.dumps(leaf, ensure_ascii=False)[1:-1] in text


def _missing(target: Format, contents: Contents, made: Written) -> tuple[Finding, ...]:
    """One sentence for all fields. What stands anywhere in the new file is said by it, be it under another name."""
    value = spelled(made.text)
    everywhere = {*leaves(value)}
    told = {name for loss in made.losses for name in _NAMED_BY.get(loss.code.removesuffix("-lost"), ())}
    left: dict[str, set[str | float]] = {}
    for name, said in FIELDS.items():
        if name not in told:
            missing = {leaf for one in said(contents) for leaf in leaves(one)} - everywhere
            if len(missing) * len(made.text) < _MOST_LOOKED_THROUGH:
                missing = {leaf for leaf in missing if not _stands_in(made.text, leaf)}
            if missing:
                left[name] = missing
    if not left:
        return ()
    # Reading takes as long as all else, and is only needed where something is spelled otherwise, such as a time.
    again = _without_guesses(collect(target.name, target.read(Source(value, ""))))
    for name, missing in left.items():
        missing -= {leaf for one in FIELDS[name](again) for leaf in leaves(one)}
    named = ", ".join(f"{name} ({len(missing)})" for name, missing in left.items() if missing)
    if not named:
        return ()
    return (error(CODE, f"Not everything is in the new file. What is missing, in whole or in part: {named}."),)
