"""One conversation with its tool results: records of a domain, written as a tool would return them."""

from __future__ import annotations

import csv
import io
from datetime import date, timedelta
from random import Random
from typing import Any

import yaml
from msgspec import Struct, field

from tests.project.grounding_set.rendering import SOURCE, Unit, capital

Value = Any  # of a record, as JSON has it


class Attribute(Struct, frozen=True):
    """A field that records of a domain may have, with its phrases by language."""

    name: str
    kind: str
    keys: list[str]
    row: dict[str, Any]

    def phrases(self, language: str) -> dict[str, Any]:
        phrases: dict[str, Any] = self.row.get(language, {})
        return phrases


class Domain(Struct, frozen=True):
    """What a kind of tool returns, and how people speak of it."""

    name: str
    row: dict[str, Any]
    attributes: list[Attribute]


class Scenario(Struct):
    """A drawn conversation: every sentence about it goes into the same part of the set."""

    id: str
    part: str
    domain: Domain
    language: str
    random: Random
    units: dict[str, Unit]
    names: list[str] = field(default_factory=list)
    records: list[dict[str, Value]] = field(default_factory=list)
    shown: list[Attribute] = field(default_factory=list)
    hidden: list[Attribute] = field(default_factory=list)
    form: str = "list"
    user: str = ""
    tools: list[dict[str, Any]] = field(default_factory=list)
    stated: list[str] = field(default_factory=list)
    focus: int | None = None
    evidence_language: str = ""

    @property
    def whole(self) -> bool:
        return self.form != "truncated"

    def choose(self, options: list[str]) -> str:
        """A phrase; the last of three or more is kept for the test part, so that it meets phrases never seen."""
        if len(options) >= 3:
            if self.part == "test" and self.random.random() < 0.5:
                return options[-1]
            options = options[:-1]
        return self.random.choice(options)

    def mention(self, index: int, without: str = "", language: str = "") -> str:
        options = []
        for template in self.domain.row["mention"][language or self.language]:
            other = next((a for a in self.domain.attributes if f"{{{a.name}}}" in template), None)
            if other is None or (
                other in self.shown and other.name != without and self.records[index].get(other.name) is not None
            ):
                options.append(template)
        text: str = self.random.choice(options).format(name=self.names[index], **self.texts(index))
        return text

    def texts(self, index: int) -> dict[str, Value]:
        return {a.name: self.records[index][a.name] for a in self.shown if a.kind == "text"}

    def filled(self, attribute: Attribute) -> list[int]:
        return [i for i, record in enumerate(self.records) if record.get(attribute.name) is not None]


def load_domains() -> list[Domain]:
    domains = []
    for file in sorted((SOURCE / "domains").glob("*.yaml")):
        row = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        attributes = [Attribute(name, a["kind"], a["keys"], a) for name, a in row["attributes"].items()]
        domains.append(Domain(file.stem, row, attributes))
    return domains


def draw_value(attribute: Attribute, record: dict[str, Value], random: Random) -> Value:
    """A value for the field, later than another one's where the field says so."""
    after = record.get(attribute.row.get("after", ""))
    match attribute.kind:
        case "number" | "count":
            low, high, step = attribute.row["range"]
            value = low + step * random.randrange(round((high - low) / step) + 1)
            return value if isinstance(step, int) else round(value, 2)
        case "time":
            earliest, latest = attribute.row.get("hours", (0, 24) if after else (5, 18))
            start, end = 60 * earliest, min(60 * latest, 1436)
            if after:
                start = max(start, int(after[:2]) * 60 + int(after[3:]) + 35)
                end = max(start + 30, min(start + 400, end))
            minutes = random.randrange(start, end, 5)
            return f"{min(minutes, 1435) // 60:02}:{min(minutes, 1435) % 60:02}"
        case "date":
            start_day = date.fromisoformat(after) if after else date(2026, 1, 5)
            return str(start_day + timedelta(days=random.randrange(1, 20 if after else 200)))
        case "bool":
            return random.random() < 0.5
        case "enum":
            return random.choice(sorted(attribute.row["values"]))
        case _:
            return random.choice(attribute.row["pool"])


def draw_records(scenario: Scenario, size: int) -> None:
    """Fills names and records; where a field is `unique`, every record has its own value."""
    random, domain = scenario.random, scenario.domain
    usable = [a for a in domain.attributes if a.phrases(scenario.language)]
    scenario.shown = [a for a in usable if random.random() < 0.72 or a.row.get("always")]
    if len(scenario.shown) < 3:
        scenario.shown = usable[:3]
    scenario.hidden = [a for a in usable if a not in scenario.shown]
    if not scenario.hidden:
        scenario.hidden = [scenario.shown.pop(random.randrange(1, len(scenario.shown)))]
    size = min(size, len(domain.row["names"]))
    scenario.names = random.sample(domain.row["names"], size)
    pools = {
        a.name: random.sample(a.row["pool"], size)
        for a in scenario.shown
        if a.row.get("unique") and len(a.row["pool"]) >= size
    }
    common = {a.name: random.choice(sorted(a.row["values"])) for a in scenario.shown if a.kind == "enum"}
    for index in range(size):
        record: dict[str, Value] = {}
        for a in scenario.shown:
            record[a.name] = pools[a.name][index] if a.name in pools else draw_value(a, record, random)
            if a.name in common and random.random() < 0.35:
                record[a.name] = common[a.name]
        scenario.records.append(record)
    if random.random() < 0.15:
        alike = random.choice([a for a in scenario.shown if not a.row.get("unique")])
        if alike.kind in ("enum", "bool"):
            for record in scenario.records:
                record[alike.name] = scenario.records[0][alike.name]
    if size > 1 and random.random() < 0.3:
        blank = random.choice([a for a in scenario.shown if not a.row.get("unique")])
        if not any(a.row.get("after") == blank.name for a in scenario.shown):
            random.choice(scenario.records)[blank.name] = None


def write_result(scenario: Scenario, facts: list[str]) -> Value:
    """The records as a tool returns them, in the form drawn for the scenario."""
    random, row = scenario.random, scenario.domain.row
    keys = {a.name: random.choice(a.keys) for a in scenario.shown}
    id_key = random.choice(row["id_keys"])
    drop = random.random() < 0.5
    rows = []
    for name, record in zip(scenario.names, scenario.records, strict=True):
        written = {id_key: name} | {keys[a.name]: record[a.name] for a in scenario.shown}
        rows.append({k: v for k, v in written.items() if not (drop and v is None and scenario.form in _JSON)})
    if scenario.form in _JSON and random.random() < 0.35:
        empty = random.choice(scenario.hidden)
        for written in rows:
            written[empty.keys[0]] = None
    if scenario.form in _JSON and random.random() < 0.3:
        rows = [nested(written, id_key) for written in rows]
    extras = {k: v for k, v in row["extras"].items() if random.random() < 0.4}
    return in_form(scenario, rows, id_key, extras, facts)


def in_form(
    scenario: Scenario, rows: list[dict[str, Value]], id_key: str, extras: dict[str, Value], facts: list[str]
) -> Value:
    match scenario.form:
        case "single":
            return {**rows[0], **extras}
        case "wrapped":
            return {scenario.random.choice(scenario.domain.row["wrap"]): rows, **extras}
        case "truncated":
            return {
                scenario.random.choice(scenario.domain.row["wrap"]): rows,
                "total": len(rows) * 9 + 3,
                "returned": len(rows),
                "has_more": True,
            }
        case "map":
            return {written[id_key]: {k: v for k, v in written.items() if k != id_key} for written in rows}
        case "csv":
            text = io.StringIO()
            writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            return text.getvalue()
        case "table":
            cells = [list(rows[0]), ["---"] * len(rows[0]), *([cell(v) for v in w.values()] for w in rows)]
            return "\n".join("| " + " | ".join(line) + " |" for line in cells)
        case "prose":
            return " ".join(facts)
        case _:
            return rows


_JSON = ("list", "wrapped", "truncated", "map", "single")


def cell(value: Value) -> str:
    return "" if value is None else str(value)


def nested(written: dict[str, Value], id_key: str) -> dict[str, Value]:
    """The record with its later half under a key of its own, as many interfaces have it."""
    items = list(written.items())
    half = 1 + len(items) // 2
    return dict(items[:half]) | {"details": {k: v for k, v in items[half:] if k != id_key}}


def user_text(scenario: Scenario) -> str:
    return capital(scenario.random.choice(scenario.domain.row["users"][scenario.language]))
