"""Sentences about one field of one record: right, swapped, negated, invented or said to be missing."""

from __future__ import annotations

from collections.abc import Callable

import yaml

from tests.project.grounding_set.facts import (
    Claim,
    join,
    others,
    predicate,
    predicates,
    sentence,
    subject,
    topic,
    wrong_value,
)
from tests.project.grounding_set.rendering import SOURCE, capital
from tests.project.grounding_set.scenario import Attribute, Scenario, Value, draw_value

FRAMES = yaml.load((SOURCE / "frames.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
_AND = {"en": [" and ", ", and it ", " and it "], "de": [" und "], "es": [" y "], "fr": [" et "], "pt": [" e "]}


def pick(s: Scenario, *kinds: str) -> tuple[int, Attribute] | None:
    """A record and a shown field of these kinds that it has a value for."""
    options = [(i, a) for a in s.shown if a.kind in kinds for i in s.filled(a)]
    if s.focus is not None and s.random.random() < 0.5:
        options = [(i, a) for i, a in options if i == s.focus] or options
    return s.random.choice(options) if options else None


def claim(kind: str, text: str, label: str) -> Claim | None:
    return Claim(kind, text, label) if text else None


def paraphrase(s: Scenario) -> Claim | None:
    target = pick(s, "number", "count", "time", "date", "text")
    return target and claim(name_of(s, "paraphrase"), sentence(s, *target, own(s, *target)), "supported")


def name_of(s: Scenario, kind: str) -> str:
    return "translation" if s.form == "prose" and s.evidence_language != s.language else kind


def own(s: Scenario, index: int, attribute: Attribute) -> Value:
    return s.records[index][attribute.name]


def record_swap(s: Scenario) -> Claim | None:
    target = pick(s, "number", "count", "time", "date", "text")
    values = target and others(s, *target)
    if not target or not values:
        return None
    return claim(name_of(s, "record_swap"), sentence(s, *target, s.random.choice(values)), "contradictory")


def wrong_number(s: Scenario) -> Claim | None:
    return _wrong(s, "wrong_number", "number")


def wrong_date(s: Scenario) -> Claim | None:
    return _wrong(s, "wrong_date", "time", "date")


def _wrong(s: Scenario, kind: str, *kinds: str) -> Claim | None:
    target = pick(s, *kinds)
    value = target and wrong_value(s, *target)
    return None if not target or value is None else claim(kind, sentence(s, *target, value), "contradictory")


def attribute_swap(s: Scenario) -> Claim | None:
    shown = {a.name: a for a in s.shown}
    options = []
    for a in s.shown:
        twin = shown.get(a.row.get("twin", ""))
        options += [(i, a, s.records[i][twin.name]) for i in s.filled(a) if twin and s.records[i].get(twin.name)]
    options = [(i, a, v) for i, a, v in options if v != s.records[i][a.name]]
    return claim("attribute_swap", sentence(s, *s.random.choice(options)), "contradictory") if options else None


def unit_swap(s: Scenario) -> Claim | None:
    options = [
        (i, a)
        for a in s.shown
        if a.kind == "number" and s.units[a.row["unit"]].wrong.get(s.language)
        for i in s.filled(a)
        if own(s, i, a) != 0
    ]
    if not options:
        return None
    i, a = s.random.choice(options)
    return claim("unit_swap", sentence(s, i, a, own(s, i, a), forms="wrong"), "contradictory")


def enum_right(s: Scenario) -> Claim | None:
    target = pick(s, "enum")
    return target and claim(name_of(s, "enum_in_words"), sentence(s, *target, own(s, *target)), "supported")


def status_swap(s: Scenario) -> Claim | None:
    target = pick(s, "enum")
    if not target:
        return None
    index, attribute = target
    values = others(s, *target) if s.random.random() < 0.6 else []
    values = values or sorted(set(attribute.row["values"]) - {own(s, *target)})
    values = [v for v in values if v not in attribute.row["values"][own(s, *target)].get("implies", [])]
    if not values:
        return None
    return claim(name_of(s, "status_swap"), sentence(s, index, attribute, s.random.choice(values)), "contradictory")


def boolean_right(s: Scenario) -> Claim | None:
    target = pick(s, "bool")
    return target and claim(name_of(s, "boolean_in_words"), sentence(s, *target, own(s, *target)), "supported")


def boolean_wrong(s: Scenario) -> Claim | None:
    target = pick(s, "bool")
    return target and claim(
        name_of(s, "boolean_in_words"), sentence(s, *target, not own(s, *target)), "contradictory"
    )


def negation(right: bool) -> Callable[[Scenario], Claim | None]:
    def make(s: Scenario) -> Claim | None:
        target = pick(s, "enum")
        if not target:
            return None
        index, attribute = target
        value = own(s, *target)
        other = [v for v in attribute.row["values"] if v != value and value not in _implied(attribute, v)]
        options = other if right else [value]
        options = [v for v in options if predicates(attribute, v, s.language, negated=True)]
        if not options:
            return None
        text = s.choose(predicates(attribute, s.random.choice(options), s.language, negated=True))
        who = subject(s, index, attribute, s.language)
        return claim("negation", join(who, text, s.language), "supported" if right else "contradictory")

    return make


def _implied(attribute: Attribute, value: Value) -> list[str]:
    """Values whose records could be spoken of so as well: an order that was delivered was also shipped."""
    return [v for v, row in attribute.row["values"].items() if value in row.get("implies", [])]


def combined(s: Scenario, second: str) -> Claim | None:
    """Two facts of a record in one sentence; the second is right, swapped, or of a field the result has not."""
    if s.language == "ja":
        return None
    index = s.focus if s.focus is not None else s.random.randrange(len(s.records))
    usable = [a for a in s.shown if own(s, index, a) is not None and predicates(a, own(s, index, a), s.language)]
    if len(usable) < 2:
        return None
    first, other = s.random.sample(usable, 2)
    value, label = own(s, index, other), "supported"
    if second == "contradictory":
        if other.kind == "bool":
            value = not value
        else:
            values = others(s, index, other)
            values = [v for v in values if v not in other.row.get("values", {}).get(value, {}).get("implies", [])]
            if not values:
                return None
            value = s.random.choice(values)
        label = "contradictory"
    if second == "unsupported":
        hidden = [a for a in s.hidden if a.kind == "bool" or "pred" in a.phrases(s.language) or a.kind == "enum"]
        if not hidden:
            return None
        other = s.random.choice(hidden)
        value, label = draw_value(other, {}, s.random), "unsupported"
    parts = [predicate(s, first, own(s, index, first), s.language), predicate(s, other, value, s.language)]
    if not all(parts):
        return None
    if label != "unsupported":
        s.random.shuffle(parts)
    link = s.random.choice(_AND[s.language][:1] if s.domain.row.get("people") else _AND[s.language])
    who = s.mention(index, first.name if first.kind == "text" else other.name)
    return claim("combined", f"{capital(who)} {link.join(parts)}.", label)


def combined_as(label: str) -> Callable[[Scenario], Claim | None]:
    return lambda s: combined(s, label)


def invented_fact(s: Scenario) -> Claim | None:
    attribute = s.random.choice(s.hidden)
    index = s.focus if s.focus is not None else s.random.randrange(len(s.records))
    value = draw_value(attribute, {}, s.random)
    return claim("invented_fact", sentence(s, index, attribute, value), "unsupported")


def invented_record(s: Scenario) -> Claim | None:
    """A fact about something that the results do not list at all."""
    free = [n for n in s.domain.row["names"] if n not in s.names]
    usable = [a for a in s.shown if not a.row.get("unique")]
    if not free or not usable or s.form in ("single", "truncated"):
        return None
    attribute = s.random.choice(usable)
    value = draw_value(attribute, {}, s.random)
    template = s.choose([t for t in s.domain.row["mention"][s.language] if "{name}" in t])
    who = template.format(name=s.random.choice(free))
    text = predicate(s, attribute, value, s.language)
    return claim("invented_record", join(who, text, s.language), "unsupported") if text else None


def missing_right(s: Scenario) -> Claim | None:
    return _missing(s, s.random.choice(s.hidden), "supported")


def missing_wrong(s: Scenario) -> Claim | None:
    options = [a for a in s.shown if len(s.filled(a)) == len(s.records) and "topic" in a.phrases(s.language)]
    return _missing(s, s.random.choice(options), "contradictory") if options else None


def _missing(s: Scenario, attribute: Attribute, label: str) -> Claim | None:
    if "topic" not in attribute.phrases(s.language):
        return None
    index = s.focus if s.focus is not None else s.random.randrange(len(s.records))
    frame = s.choose(FRAMES["missing"][s.language])
    text = frame.replace("{t}", topic(s, attribute)).replace("{e}", s.mention(index, attribute.name))
    return claim("missing_field", capital(text), label)


def null_right(s: Scenario) -> Claim | None:
    """A field that other records have and this one lacks, rightly called missing for it."""
    options = [
        (i, a)
        for a in s.shown
        for i in range(len(s.records))
        if own(s, i, a) is None and "topic" in a.phrases(s.language)
    ]
    if not options:
        return None
    index, attribute = s.random.choice(options)
    frame = s.choose([f for f in FRAMES["missing"][s.language] if "{e}" in f])
    text = frame.replace("{t}", topic(s, attribute)).replace("{e}", s.mention(index, attribute.name))
    return claim("missing_field", capital(text), "supported")


def verbatim(s: Scenario) -> Claim | None:
    same = s.form == "prose" and s.evidence_language == s.language and s.stated
    return claim("verbatim", s.random.choice(s.stated), "supported") if same else None
