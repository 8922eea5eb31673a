"""Sentences that list several records, or speak of the whole of which a result shows the first page."""

from __future__ import annotations

from tests.project.grounding_set.calculations import Maker, frame, label_of, many, of_phrase, plurals
from tests.project.grounding_set.facts import Claim, filled, sentence, value_text
from tests.project.grounding_set.scenario import Attribute, Scenario, Value
from tests.project.grounding_set.single_facts import claim, own

_LIST = {"en": " and ", "de": " und ", "es": " y ", "fr": " et ", "pt": " e "}


def members(right: bool) -> Maker:
    def make(s: Scenario) -> Claim | None:
        if not many(s, 3) or s.language not in _LIST:
            return None
        options = [
            (p, matching) for p, matching in plurals(s) if 2 <= len(matching) <= 6 and len(matching) < len(s.records)
        ]
        if not options:
            return None
        p, matching = s.random.choice(options)
        if not right:
            stray = s.random.choice([i for i in range(len(s.records)) if i not in matching])
            matching = [stray if i == matching[-1] else i for i in matching]
            s.random.shuffle(matching)
        names = [s.names[i] for i in matching]
        text = frame(s, "members", p=p, list=", ".join(names[:-1]) + _LIST[s.language] + names[-1])
        return claim("list", text, label_of(right))

    return make


def enumerated(right: bool) -> Maker:
    """The same field of several records in one sentence; wrong where two values changed places."""

    def make(s: Scenario) -> Claim | None:
        options = [a for a in s.shown if a.kind in ("number", "count", "time", "date") and len(s.filled(a)) > 1]
        if not options or s.language not in _LIST:
            return None
        a = s.random.choice(options)
        chosen = s.random.sample(s.filled(a), min(3, len(s.filled(a))))
        values = [own(s, i, a) for i in chosen]
        if not right:
            values = values[1:] + values[:1]
            if values == [own(s, i, a) for i in chosen]:
                return None
        first = sentence(s, chosen[0], a, values[0]).rstrip(".")
        if not first or "it" in first.lower().split():
            return None
        rest = [f"{s.names[i]} {_value_alone(s, a, v)}" for i, v in zip(chosen[1:], values[1:], strict=True)]
        return claim("list", f"{first}, {', '.join(rest)}.", label_of(right))

    return make


def _value_alone(s: Scenario, attribute: Attribute, value: Value) -> str:
    if attribute.kind == "count":
        return filled(s, "{v}", attribute, value, s.language)
    return value_text(s, attribute, value, s.language)


def cut_off(kind: str) -> Maker:
    """What a result says, or cannot say, of the whole of which it shows the first page."""

    def make(s: Scenario) -> Claim | None:
        if s.form != "truncated":
            return None
        n, t = len(s.records), len(s.records) * 9 + 3
        if kind == "supported":
            return claim("truncated", frame(s, "total_known", t=str(t), n=str(n)), "supported")
        if kind == "contradictory":
            t = s.random.choice((t + 12, t * 2, t - 7))
            return claim("truncated", frame(s, "total_known", t=str(t), n=str(n + 1)), "contradictory")
        index = s.random.randrange(n)
        ends = [a.phrases(s.language)[e] for e in ("most", "least") for a in of_phrase(s, e, "number", "count")]
        words = [p for p, _ in plurals(s)]
        if not ends or not words or s.language != "en":
            return None
        who = s.mention(index)
        text = frame(s, "beyond", p=s.random.choice(words), e=who, m=s.random.choice(ends))
        return claim("truncated", text, "cannot_tell")

    return make
