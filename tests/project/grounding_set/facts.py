"""One fact of one record as a sentence: the value may be the record's own or a wrong one."""

from __future__ import annotations

from datetime import date, timedelta

from msgspec import Struct

from tests.project.grounding_set.rendering import (
    capital,
    contracted,
    count_text,
    date_text,
    fit_plural,
    number_text,
    time_text,
)
from tests.project.grounding_set.scenario import Attribute, Scenario, Value, draw_value


class Claim(Struct, frozen=True):
    """A sentence with its label and what was done to make it."""

    kind: str
    text: str
    label: str


def value_text(s: Scenario, attribute: Attribute, value: Value, language: str, forms: str = "say") -> str:
    match attribute.kind:
        case "number":
            unit = s.units[attribute.row["unit"]]
            options = (unit.say if forms == "say" else unit.wrong)[language]
            money = attribute.row["unit"] in ("usd", "eur")
            return s.random.choice(options).format(v=number_text(value, language, money))
        case "time":
            return time_text(value, language, s.random)
        case "date":
            return date_text(value, language, s.random)
        case _:
            return str(value)


def predicates(attribute: Attribute, value: Value, language: str, negated: bool = False) -> list[str]:
    """Predicates with their value still to be filled in, or settled by the value."""
    phrases = attribute.phrases(language)
    match attribute.kind:
        case "enum":
            words = attribute.row["values"][value].get(language, {})
            return list(words.get("not" if negated else "pred", []))
        case "bool":
            return list(phrases["holds" if value else "fails"])
        case _:
            return list(phrases.get("pred", []))


def predicate(s: Scenario, attribute: Attribute, value: Value, language: str, forms: str = "say") -> str:
    options = predicates(attribute, value, language)
    if not options:
        return ""
    return filled(s, s.choose(options), attribute, value, language, forms)


def filled(s: Scenario, template: str, attribute: Attribute, value: Value, language: str, forms: str = "say") -> str:
    if attribute.kind in ("enum", "bool"):
        return template
    if attribute.kind == "count":
        template = fit_plural(template, value)
        return template.replace("{n}", count_text(value, language, s.random)).replace("{v}", str(value))
    return template.replace("{v}", value_text(s, attribute, value, language, forms))


def subject(s: Scenario, index: int, attribute: Attribute, language: str) -> str:
    alone = s.form == "single" or (s.focus == index and s.random.random() < 0.5)
    if alone and language == "en" and not s.domain.row.get("people") and s.random.random() < 0.4:
        return "it"
    return s.mention(index, attribute.name, language)


def join(subject_text: str, predicate_text: str, language: str) -> str:
    if language == "ja":
        return f"{subject_text}{predicate_text}。"
    return f"{capital(subject_text)} {predicate_text}."


def sentence(
    s: Scenario, index: int, attribute: Attribute, value: Value, language: str = "", forms: str = "say"
) -> str:
    """The fact as a sentence, or nothing where the language has no words for it."""
    language = language or s.language
    options = predicates(attribute, value, language)
    whole = list(attribute.phrases(language).get("say", [])) if attribute.kind not in ("enum", "bool") else []
    if whole and (not options or s.random.random() < len(whole) / (len(whole) + len(options))):
        text = filled(s, s.choose(whole), attribute, value, language, forms)
        who = s.mention(index, attribute.name, language)
        return capital(contracted(text.replace("{e}", who).replace("{E}", capital(who)), language))
    if not options:
        return ""
    who = subject(s, index, attribute, language)
    text = predicate(s, attribute, value, language, forms)
    return join(who, text, language)


def others(s: Scenario, index: int, attribute: Attribute) -> list[Value]:
    """Values that other records have in this field and this one has not."""
    own = s.records[index][attribute.name]
    return sorted({r[attribute.name] for r in s.records if r.get(attribute.name) not in (None, own)})


def wrong_value(s: Scenario, index: int, attribute: Attribute) -> Value:
    """A value of the field's kind that no record has in any field."""
    taken = {str(v) for record in s.records for v in record.values()}
    own = s.records[index][attribute.name]
    for _ in range(30):
        value = draw_value(attribute, {}, s.random)
        if attribute.kind == "number" and s.random.random() < 0.5:
            low, high, step = attribute.row["range"]
            value = round(own + s.random.choice((-1, 1)) * step * s.random.randrange(2, 12), 2)
            value = value if low <= value <= high else draw_value(attribute, {}, s.random)
        if attribute.kind == "date":
            value = str(date.fromisoformat(own) + timedelta(days=s.random.choice((-9, -3, -2, -1, 1, 2, 4, 10))))
        if str(value) not in taken:
            return value
    return None


def topic(s: Scenario, attribute: Attribute) -> str:
    topics: list[str] = attribute.phrases(s.language)["topic"]
    return s.random.choice(topics)
