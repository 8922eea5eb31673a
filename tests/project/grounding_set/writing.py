"""Joins the generated sentences with those written by hand, and writes the three parts."""

from __future__ import annotations

import json
from typing import Any

import yaml

from tests.project.grounding_set.drawing import PARTS, generated
from tests.project.grounding_set.rendering import SOURCE

FOLDER = SOURCE.parent

Line = dict[str, Any]


def by_hand() -> dict[str, list[Line]]:
    """The sentences written by hand, scenario after scenario into the three parts in turn."""
    parts: dict[str, list[Line]] = {part: [] for part in PARTS}
    number = 0
    for file in sorted((SOURCE / "hand").glob("*.yaml")):
        for scenario in yaml.safe_load(file.read_text(encoding="utf-8")):
            number += 1
            tools = [
                {"name": tool["name"], "args": tool.get("args", {}), "result": result_of(tool)}
                for tool in scenario["tools"]
            ]
            for index, (label, kind, text) in enumerate(sentences_of(scenario), start=1):
                line = {
                    "id": f"hand-{number:03}-{index}",
                    "domain": scenario["domain"],
                    "language": scenario.get("language", "en"),
                    "kind": kind,
                    "user": scenario["user"],
                    "tools": tools,
                    "text": text,
                    "label": label,
                }
                parts[PARTS[number % 3]].append(line)
    return parts


def result_of(tool: dict[str, Any]) -> Any:
    """A result is written as JSON in a text of its own, so that YAML changes no value, or as plain text."""
    return json.loads(tool["json"]) if "json" in tool else tool["text"].rstrip("\n")


def sentences_of(scenario: dict[str, Any]) -> list[tuple[str, str, str]]:
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
    made, written = generated(), by_hand()
    return {part: made[part] + written[part] for part in PARTS}


def part_text(lines: list[Line]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
