"""Joins the generated sentences with those written by hand and by strangers, and writes the parts."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import yaml

from tests.project.grounding_set.drawing import PARTS, generated
from tests.project.grounding_set.rendering import SOURCE

FOLDER = SOURCE.parent
STRANGER = "stranger"  # a part to measure on at the end, whose sentences nobody reads who works on the metric
ALL_PARTS = (*PARTS, STRANGER)

Line = dict[str, Any]


def by_hand() -> dict[str, list[Line]]:
    """The sentences written by hand, scenario after scenario into the three parts in turn."""
    parts: dict[str, list[Line]] = {part: [] for part in PARTS}
    number = 0
    for file in sorted((SOURCE / "hand").glob("*.yaml")):
        for scenario in _scenarios(file):
            number += 1
            parts[PARTS[number % 3]] += lines_of(scenario, f"hand-{number:03}")
    return parts


def by_strangers() -> dict[str, list[Line]]:
    """Sentences by three authors who know neither the program nor the other sets.

    Those of the first and the third are to fit to. Of the second one's situations a third is drawn for the part
    `stranger`, and the others are to tune with.
    """
    first, second, third = (
        _scenarios(SOURCE / "strangers" / f"{name}-author.yaml") for name in ("first", "second", "third")
    )
    kept_back = set(Random(1).sample(range(len(second)), len(second) // 3))
    parts: dict[str, list[Line]] = {part: [] for part in ALL_PARTS}
    for author, scenarios in (("first", first), ("third", third)):
        for number, scenario in enumerate(scenarios):
            parts["fit"] += lines_of(scenario, f"{author}-{number:02}")
    for number, scenario in enumerate(second):
        parts[STRANGER if number in kept_back else "tune"] += lines_of(scenario, f"second-{number:02}")
    return parts


def _scenarios(file: Path) -> list[dict[str, Any]]:
    scenarios: list[dict[str, Any]] = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return scenarios


def lines_of(scenario: dict[str, Any], name: str) -> list[Line]:
    """A line for each sentence of a scenario."""
    tools = [
        {"name": tool["name"], "args": tool.get("args", {}), "result": result_of(tool)} for tool in scenario["tools"]
    ]
    return [
        {
            "id": f"{name}-{index}",
            "domain": scenario["domain"],
            "language": scenario.get("language", "en"),
            "kind": kind,
            "user": scenario["user"],
            "tools": tools,
            "text": text,
            "label": label,
        }
        for index, (label, kind, text) in enumerate(sentences_of(scenario), start=1)
    ]


def result_of(tool: dict[str, Any]) -> Any:
    """A result is written as JSON in a text of its own, so that YAML changes no value, as plain text or as it is."""
    if "result" in tool:
        return tool["result"]
    return json.loads(tool["json"]) if "json" in tool else tool["text"].rstrip("\n")


def sentences_of(scenario: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Label, kind and text of each sentence, written a line each or as a list."""
    if isinstance(scenario["sentences"], list):
        return [(row["label"], row["kind"], row["text"]) for row in scenario["sentences"]]
    rows = []
    for row in scenario["sentences"].splitlines():
        if row.strip():
            label, kind, text = (part.strip() for part in row.split("|", 2))
            rows.append((_LABELS[label], kind, text))
    return rows


_LABELS = {
    "S": "supported",
    "U": "unsupported",
    "C": "contradictory",
    "N": "not_applicable",
    "T": "cannot_tell",
}


def all_parts() -> dict[str, list[Line]]:
    made, written, strange = generated(), by_hand(), by_strangers()
    return {part: made.get(part, []) + written.get(part, []) + strange[part] for part in ALL_PARTS}


def part_text(lines: list[Line]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
