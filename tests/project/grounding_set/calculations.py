"""Sentences that speak of several records, or of what follows from values by arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from tests.project.grounding_set.facts import Claim, value_text
from tests.project.grounding_set.rendering import capital, count_text, days_text, minutes_text, number_text
from tests.project.grounding_set.scenario import Attribute, Scenario, Value
from tests.project.grounding_set.single_facts import FRAMES, claim, own

Maker = Callable[[Scenario], Claim | None]


def label_of(right: bool) -> str:
    return "supported" if right else "contradictory"


def frame(s: Scenario, name: str, **slots: str) -> str:
    options = FRAMES[name].get(s.language)
    if not options:
        return ""
    text = s.choose(options)
    nouns = s.domain.row["noun"][s.language][1]
    for slot, value in {"nouns": nouns, "N": str(len(s.records)), **slots}.items():
        text = text.replace(f"{{{slot}}}", value)
    return capital(text)


def many(s: Scenario, least: int = 2) -> bool:
    return len(s.records) >= least and s.whole and s.form != "prose"


def complete(s: Scenario, *kinds: str) -> list[Attribute]:
    return [a for a in s.shown if a.kind in kinds and len(s.filled(a)) == len(s.records)]


def plurals(s: Scenario) -> list[tuple[str, list[int]]]:
    """Plural predicates of the shown fields, each with the records that it holds for."""
    phrases = []
    for a in complete(s, "enum", "bool"):
        if a.kind == "bool":
            words = a.phrases(s.language).get("plural")
            if words:
                phrases.append((words, [i for i in range(len(s.records)) if own(s, i, a)]))
            continue
        for value, row in a.row["values"].items():
            words = row.get(s.language, {}).get("plural")
            if words:
                phrases.append((words, [i for i in range(len(s.records)) if own(s, i, a) == value]))
    return phrases


def total(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        if not many(s):
            return None
        n = len(s.records)
        n = n if right else s.random.choice([m for m in (n - 2, n - 1, n + 1, n + 2) if m > 1])
        return claim("count", frame(s, "total", n=count_text(n, s.language, s.random)), label_of(right))

    return make


def count(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        options = [(p, matching) for p, matching in plurals(s) if len(matching) > 1] if many(s, 3) else []
        if not options:
            return None
        p, matching = s.random.choice(options)
        n = len(matching)
        n = n if right else s.random.choice([m for m in (n - 1, n + 1, n + 2) if 1 < m <= len(s.records)] or [0])
        text = frame(s, "count", n=count_text(n, s.language, s.random), p=p) if n else ""
        return claim("count", text, label_of(right))

    return make


def percentage(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        options = (
            [(p, matching) for p, matching in plurals(s) if 0 < len(matching) < len(s.records)] if many(s, 3) else []
        )
        if not options:
            return None
        p, matching = s.random.choice(options)
        share = round(100 * len(matching) / len(s.records))
        if not right:
            others = {round(100 * k / len(s.records)) for k in range(1, len(s.records))}
            share = s.random.choice(sorted(x for x in others if abs(x - share) > 6) or [min(99, share + 12)])
        return claim("percentage", frame(s, "percentage", n=str(share), p=p), label_of(right))

    return make


def everything(right: bool) -> Maker:
    """All of them, both of two, or none: wrong where a single record differs."""

    def make(s: Scenario) -> Claim | None:
        if not many(s):
            return None
        size = len(s.records)
        whole = [("all", p) for p, matching in plurals(s) if right == (len(matching) == size) and (right or matching)]
        nobody = [("none", p) for p, matching in plurals(s) if right == (not matching)]
        options = whole + (nobody if s.random.random() < 0.5 or not whole else [])
        if not options:
            return None
        name, p = s.random.choice(options)
        return claim("overgeneralised", frame(s, name, p=p), label_of(right))

    return make


def pair(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        if not many(s):
            return None
        i, j = s.random.sample(range(len(s.records)), 2)
        fitting = [
            p
            for p, matching in plurals(s)
            if (i in matching and j in matching if right else (i in matching) != (j in matching))
        ]
        if not fitting:
            return None
        a, b = s.mention(i), s.mention(j)
        text = frame(s, "pair", a=a, b=b, A=capital(a), p=s.random.choice(fitting))
        return claim("overgeneralised", text, label_of(right))

    return make


def of_phrase(s: Scenario, name: str, *kinds: str) -> list[Attribute]:
    return [a for a in complete(s, *kinds) if a.phrases(s.language).get(name)]


def amount(s: Scenario, attribute: Attribute, value: float, phrase: str) -> str:
    """The phrase with a computed value in the field's unit."""
    if attribute.kind == "count":
        return phrase.replace("{v}", number_text(value, s.language))
    return phrase.replace("{v}", value_text(s, attribute, value, s.language))


def aggregate(kind: str, name: str, compute: Callable[[list[float]], float], right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        options = of_phrase(s, name, "number", "count") if many(s) and len(s.records) <= 12 else []
        if not options:
            return None
        a = s.random.choice(options)
        values = [float(own(s, i, a)) for i in range(len(s.records))]
        value = round(compute(values), 2)
        if not right:
            spread = s.random.choice((0.72, 0.85, 0.9, 1.1, 1.2, 1.35))
            value = round(value * spread) if s.random.random() < 0.5 else round(compute(values[:-1]), 2)
            if abs(value - compute(values)) < 0.04 * abs(compute(values)) + 0.5:
                return None
        elif kind == "average" and s.random.random() < 0.5:
            value = round(value) if value > 20 else round(value, 1)
        return claim(kind, capital(amount(s, a, value, s.choose(a.phrases(s.language)[name]))), label_of(right))

    return make


def difference(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        options = of_phrase(s, "diff", "number") if many(s) else []
        if not options:
            return None
        a = s.random.choice(options)
        i, j = sorted(s.random.sample(range(len(s.records)), 2), key=lambda k: -float(own(s, k, a)))
        gap = round(float(own(s, i, a)) - float(own(s, j, a)), 2)
        if gap == 0:
            return None
        value = gap if right else round(gap + s.random.choice((-0.4, 0.3, 0.5, 1)) * gap + 1, 2)
        if value == 0 or (value == gap) != right:
            return None
        who, other = s.mention(i), s.mention(j)
        text = amount(s, a, value, s.choose(a.phrases(s.language)["diff"]))
        for slot, name in (("{a}", who), ("{b}", other), ("{A}", capital(who)), ("{B}", capital(other))):
            text = text.replace(slot, name)
        return claim("difference", capital(text), label_of(right))

    return make


def extreme(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        if not many(s, 3):
            return None
        kinds = ("number", "count", "time", "date")
        options = [(a, end) for end in ("most", "least") for a in of_phrase(s, end, *kinds)]
        if not options:
            return None
        a, end = s.random.choice(options)
        ranked = sorted(range(len(s.records)), key=lambda k: own(s, k, a), reverse=end == "most")
        if own(s, ranked[0], a) == own(s, ranked[1], a):
            return None
        index = ranked[0] if right else s.random.choice(ranked[1:])
        words = a.phrases(s.language)[end]
        who = s.mention(index, a.name)
        text = frame(s, "extreme", e=who, E=capital(who), m=words, M=capital(words))
        return claim("extreme", text, label_of(right))

    return make


def comparison(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        kinds = ("number", "count", "time", "date")
        options = [(a, way) for way in ("more", "less") for a in of_phrase(s, way, *kinds)] if many(s) else []
        if not options:
            return None
        a, way = s.random.choice(options)
        i, j = s.random.sample(range(len(s.records)), 2)
        if own(s, i, a) == own(s, j, a):
            return None
        if ((own(s, i, a) > own(s, j, a)) == (way == "more")) != right:
            i, j = j, i
        who, other = s.mention(i, a.name), s.mention(j, a.name)
        text = frame(s, "comparison", a=who, b=other, A=capital(who), m=a.phrases(s.language)[way])
        return claim("comparison", text, label_of(right))

    return make


def conversion(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        rows = [
            (i, a, row)
            for a in s.shown
            if a.kind == "number"
            for row in s.units[a.row["unit"]].convert
            if s.language in row["say"]
            for i in s.filled(a)
        ]
        if not rows:
            return None
        i, a, row = s.random.choice(rows)
        exact = own(s, i, a) * row["factor"] + row.get("offset", 0)
        factor, offset = (1, 0) if right else (s.random.choice((0.6, 0.8, 1.3, 1.6)), s.random.choice((0, 2)))
        value = round(exact * factor + offset, row["digits"])
        # A factor and an offset may undo each other; a small value may round to itself.
        if value == 0 or (value == round(exact, row["digits"])) != right:
            return None
        form = s.random.choice(row["say"][s.language]).replace("{v}", number_text(value, s.language))
        return claim("conversion", _with_form(s, i, a, form), label_of(right))

    return make


def _with_form(s: Scenario, index: int, attribute: Attribute, form: str) -> str:
    """The sentence of the fact with its value written as given."""
    phrases = attribute.phrases(s.language)
    whole, short = list(phrases.get("say", [])), list(phrases.get("pred", []))
    template = s.choose(whole + short)
    who = s.mention(index, attribute.name)
    text = template.replace("{v}", form).replace("{e}", who).replace("{E}", capital(who))
    return capital(text) if template in whole else f"{capital(who)} {text}."


def rounded(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        rows = [(i, a) for a in s.shown if a.kind == "number" for i in s.filled(a) if own(s, i, a) >= 41]
        rows = [(i, a) for i, a in rows if a.row["unit"] != "percent"]
        if not rows:
            return None
        i, a = s.random.choice(rows)
        value = float(own(s, i, a)) * (1 if right else s.random.choice((0.7, 0.8, 1.25, 1.4)))
        step = 5 if value < 150 else 10 if value < 600 else 50
        value = step * round(value / step)
        text = value_text(s, a, value, s.language)
        form = s.random.choice(FRAMES["rounded"][s.language]).replace("{v}", text)
        return claim("rounded", _with_form(s, i, a, form), label_of(right))

    return make


def duration(right: bool) -> Maker:
    """How long something takes: by its two ends, or minutes written in hours."""

    def make(s: Scenario) -> Claim | None:
        spans = [
            (i, a)
            for a in s.shown
            if a.phrases(s.language).get("span") and a.row["after"] in {x.name for x in s.shown}
            for i in s.filled(a)
            if s.records[i][a.row["after"]] is not None
        ]
        clocks = [
            (i, a)
            for a in s.shown
            if a.kind == "number" and s.units[a.row["unit"]].clock.get(s.language)
            for i in s.filled(a)
            if own(s, i, a) > 60 and own(s, i, a) % 60
        ]
        if not spans and not clocks:
            return None
        i, a = s.random.choice(spans or clocks)
        change = 0 if right else s.random.choice((-60, -30, -20, 20, 30, 45, 60))
        if (i, a) in clocks:
            value = own(s, i, a) + change
            if value < 62 or value % 60 == 0:
                return None
            form = s.random.choice(s.units[a.row["unit"]].clock[s.language]).format(h=value // 60, m=value % 60)
            return claim("duration", _with_form(s, i, a, form), label_of(right))
        text = span_text(s, s.records[i][a.row["after"]], own(s, i, a), a.kind, change)
        who = s.mention(i, a.name)
        phrase = s.choose(a.phrases(s.language)["span"]) if text else ""
        phrase = phrase.replace("{v}", text).replace("{e}", who).replace("{E}", capital(who))
        return claim("duration", capital(phrase), label_of(right))

    return make


def span_text(s: Scenario, start: Value, end: Value, kind: str, change: int) -> str:
    if kind == "date":
        days = (date.fromisoformat(end) - date.fromisoformat(start)).days
        days += s.random.choice((1, 2, 3, 7)) if change > 0 else -1 if change and days > 1 else 2 if change else 0
        return days_text(days, s.language)
    minutes = 60 * (int(end[:2]) - int(start[:2])) + int(end[3:]) - int(start[3:]) + change
    return minutes_text(minutes, s.language, s.random, s.units["minutes"]) if minutes > 0 else ""
