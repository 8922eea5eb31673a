"""Draws scenarios and, for each, the sentences whose kind is rarest so far."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tests.project.grounding_set import calculations as calc
from tests.project.grounding_set import listings
from tests.project.grounding_set import single_facts as single
from tests.project.grounding_set.facts import Claim, sentence
from tests.project.grounding_set.logs import log_scenario
from tests.project.grounding_set.rendering import capital, contracted, units
from tests.project.grounding_set.scenario import (
    Domain,
    Scenario,
    draw_records,
    load_domains,
    user_text,
    write_result,
)
from tests.project.grounding_set.single_facts import FRAMES

PARTS = ("fit", "tune", "test")
FORMS = ("list", "wrapped", "map", "csv", "table", "prose", "single", "truncated")
FORM_WEIGHTS = (3, 2, 1, 1, 1, 3, 2, 1)
ROUNDS = {"en": 7, "de": 4, "es": 4, "fr": 4, "ja": 4, "pt": 4}
PER_SCENARIO = (6, 9)


def _remark(name: str, label: str) -> Callable[[Scenario], Claim | None]:
    kind = {"offers": "question_or_offer", "opinions": "opinion"}[name]

    def make(s: Scenario) -> Claim | None:
        who = s.mention(s.random.randrange(len(s.records)))
        text = s.choose(FRAMES[name][s.language])
        slots = {"e": who, "E": capital(who), "n": str(len(s.records)), "nouns": s.domain.row["noun"][s.language][1]}
        return Claim(kind, capital(text.format(**slots)), label)

    return make


# Each maker with the share it takes of the sentences: the numbers say how often, against each other.
MAKERS: list[tuple[float, Callable[[Scenario], Claim | None]]] = [
    (3.0, single.paraphrase),
    (2.5, single.paraphrase),
    (2.0, single.record_swap),
    (0.8, single.wrong_number),
    (0.7, single.wrong_date),
    (0.8, single.attribute_swap),
    (0.8, single.unit_swap),
    (2.0, single.enum_right),
    (1.6, single.status_swap),
    (1.5, single.boolean_right),
    (0.8, single.boolean_wrong),
    (0.7, single.negation(right=True)),
    (0.7, single.negation(right=False)),
    (1.5, single.combined_as("supported")),
    (0.8, single.combined_as("contradictory")),
    (2.2, single.combined_as("unsupported")),
    (5.5, single.invented_fact),
    (2.6, single.invented_record),
    (0.8, single.missing_right),
    (0.7, single.missing_wrong),
    (0.5, single.null_right),
    (0.6, single.verbatim),
    (0.5, calc.total(right=True)),
    (0.4, calc.total(right=False)),
    (0.9, calc.count(right=True)),
    (0.8, calc.count(right=False)),
    (0.7, calc.percentage(right=True)),
    (0.6, calc.percentage(right=False)),
    (0.7, calc.everything(right=True)),
    (0.7, calc.everything(right=False)),
    (0.5, calc.pair(right=True)),
    (0.5, calc.pair(right=False)),
    (0.6, listings.members(right=True)),
    (0.5, listings.members(right=False)),
    (0.6, listings.enumerated(right=True)),
    (0.5, listings.enumerated(right=False)),
    (0.8, calc.aggregate("sum", "sum", sum, right=True)),
    (0.7, calc.aggregate("sum", "sum", sum, right=False)),
    (0.6, calc.aggregate("average", "avg", lambda v: sum(v) / len(v), right=True)),
    (0.5, calc.aggregate("average", "avg", lambda v: sum(v) / len(v), right=False)),
    (0.8, calc.difference(right=True)),
    (0.7, calc.difference(right=False)),
    (0.9, calc.extreme(right=True)),
    (0.8, calc.extreme(right=False)),
    (0.9, calc.comparison(right=True)),
    (0.8, calc.comparison(right=False)),
    (0.8, calc.conversion(right=True)),
    (0.6, calc.conversion(right=False)),
    (0.7, calc.rounded(right=True)),
    (0.5, calc.rounded(right=False)),
    (0.8, calc.duration(right=True)),
    (0.6, calc.duration(right=False)),
    (0.4, listings.cut_off("supported")),
    (0.4, listings.cut_off("contradictory")),
    (0.7, listings.cut_off("cannot_tell")),
    (2.2, _remark("offers", "not_applicable")),
    (1.8, _remark("opinions", "cannot_tell")),
]


def draw_scenario(domain: Domain, language: str, number: int, part: str, neighbours: list[Domain]) -> Scenario:
    name = f"{domain.name}-{language}-{number:02}"
    random = Random(zlib.crc32(name.encode()))
    s = Scenario(name, part, domain, language, random, units())
    s.form = random.choices(FORMS, FORM_WEIGHTS)[0]
    large = random.random() < 0.07 and s.form in ("list", "wrapped", "csv", "table")
    size = {"single": 1, "prose": random.randrange(2, 5)}.get(s.form, random.randrange(2, 8))
    draw_records(s, random.randrange(14, 38) if large else size)
    if s.form == "prose":
        state_in_prose(s)
    s.user = user_text(s)
    if random.random() < 0.35:
        s.focus = random.randrange(len(s.records))
        s.user += " " + random.choice(FRAMES["about"][language]).format(e=s.mention(s.focus))
    s.tools = [{"name": random.choice(domain.row["tools"]), "args": {}, "result": write_result(s, s.stated)}]
    if random.random() < 0.25:
        other = random.choice([d for d in neighbours if d is not domain and "en" in d.row["users"]])
        beside = Scenario(name, part, other, "en", random, s.units)
        draw_records(beside, 2)
        tool = {"name": random.choice(other.row["tools"]), "args": {}, "result": write_result(beside, [])}
        s.tools.insert(random.randrange(2), tool)
    return s


def state_in_prose(s: Scenario) -> None:
    """Writes the records as sentences, often in another language than that of the answer."""
    languages = [x for x in s.domain.row["users"] if x != s.language]
    s.evidence_language = s.random.choice([*languages, s.language, s.language])
    s.shown = [a for a in s.shown if a.phrases(s.evidence_language)]
    stated = []
    for index in range(len(s.records)):
        for a in s.shown:
            value = s.records[index][a.name]
            text = sentence(s, index, a, value, s.evidence_language) if value is not None else ""
            if not text:
                s.records[index][a.name] = None
                continue
            stated.append(text)
    s.stated = stated


def sentences(s: Scenario, used: Counter[int]) -> list[Claim]:
    """Draws makers, those first that have had the smallest part of their share, until the scenario is full."""
    claims: list[Claim] = []
    texts: set[str] = set()
    size = s.random.randrange(PER_SCENARIO[0], PER_SCENARIO[1] + 1)
    order = sorted(range(len(MAKERS)), key=lambda k: ((used[k] + s.random.random()) / MAKERS[k][0], k))
    for k in order:
        if len(claims) == size:
            break
        made = MAKERS[k][1](s)
        if made and made.text not in texts:
            text = contracted(made.text, s.language)
            texts.add(made.text)
            claims.append(Claim(made.kind, text, made.label))
            used[k] += 1
    s.random.shuffle(claims)
    return claims


def generated() -> dict[str, list[dict[str, Any]]]:
    """Every generated line, by part."""
    domains = load_domains()
    lines: dict[str, list[dict[str, Any]]] = {part: [] for part in PARTS}
    used: Counter[int] = Counter()
    number = 0
    for language, rounds in ROUNDS.items():
        for index in range(rounds):
            for domain in domains:
                if language not in domain.row["users"]:
                    continue
                part = PARTS[number % 3]
                number += 1
                s = draw_scenario(domain, language, index, part, domains)
                lines[part] += lines_of(s, sentences(s, used))
    for index in range(21):
        s, claims = log_scenario(index, PARTS[index % 3])
        lines[s.part] += lines_of(s, claims)
    return lines


def lines_of(s: Scenario, claims: list[Claim]) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{s.id}-{number}",
            "domain": s.domain.name,
            "language": s.language,
            "kind": c.kind,
            "user": s.user,
            "tools": s.tools,
            "text": c.text,
            "label": c.label,
        }
        for number, c in enumerate(claims, start=1)
    ]
