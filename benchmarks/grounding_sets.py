"""Labelled sentences for measuring and fitting `local_grounding`: our own sets, and those of other projects.

Others' are read where TRACE_INSPECTOR_GROUNDING names a folder of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.engine.grounding.grounding_english import ENGLISH
from tests.engine.grounding.grounding_languages import OTHERS
from tests.engine.grounding.grounding_stories import HARDER
from trace_inspector.core.trace.parts import Text, ToolResult
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.evidence.evidence import Evidence

_DATA = Path(__file__).parents[1] / "tests" / "data"
_OWN = _DATA / "grounding"
FIRST_SET = _DATA / "grounding-set.json"
_STRANGERS = ("first-", "second-", "third-")  # how the ids of their sentences begin
_WRONG_LABELS = frozenset({"unsupported", "contradictory"})


class LabelledUnit(Struct, frozen=True):
    """An answer of one or a few sentences, what the agent had seen, and the label of a careful reader.

    `label` is "" where a set tells only whether a unit is supported.
    """

    id: str
    kind: str
    user: str
    results: tuple[tuple[str, Json], ...]
    text: str
    is_bad: bool
    label: str = ""

    def turn(self) -> Turn:
        """The unit as a turn of a trace."""
        parts = tuple(ToolResult(name, value, place=f"/results/{n}") for n, (name, value) in enumerate(self.results))
        return Turn(0, user=(Text(self.user),), events=(Event("agent", parts),), final_response=(Text(self.text),))


def with_evidence(units: Iterable[LabelledUnit]) -> Iterator[tuple[LabelledUnit, Evidence]]:
    """Each unit with what the agent had seen, which is read once for all neighbours that have the same."""
    for _seen, neighbours in groupby(units, key=lambda unit: repr((unit.user, unit.results))):
        first, *others = neighbours
        evidence = Evidence()
        evidence.add_turn(first.turn())
        for unit in (first, *others):
            yield unit, evidence


def own(name: str) -> list[LabelledUnit]:
    """A part of our own set on tool results: "fit", "tune", "test", "stranger", "apart" or "fourth"."""
    return [
        LabelledUnit(
            row["id"],
            row["kind"],
            row["user"],
            tuple((tool["name"], tool["result"]) for tool in row["tools"]),
            row["text"],
            row["label"] in _WRONG_LABELS,
            row["label"],
        )
        for row in _rows(_OWN / f"{name}.jsonl")
    ]


def authored(name: str) -> list[LabelledUnit]:
    """Of a part of our own set the sentences by people who know nothing of the metric."""
    return [unit for unit in own(name) if unit.id.startswith(_STRANGERS)]


def drawn(name: str) -> list[LabelledUnit]:
    """Of a part of our own set the sentences drawn from phrases and those written beside them."""
    return [unit for unit in own(name) if not unit.id.startswith(_STRANGERS)]


def first_set() -> list[LabelledUnit]:
    """The 325 sentences of ten kinds that the project began with."""
    return [
        LabelledUnit(
            f"oldest-{number}-{index}",
            entry["kind"],
            entry["user"],
            (("look", entry["result"]),),
            text,
            label == "unsupported",
            label,
        )
        for number, entry in enumerate(json.loads(FIRST_SET.read_text(encoding="utf-8")))
        for index, (label, text) in enumerate(entry["sentences"])
    ]


def examples() -> list[LabelledUnit]:
    """The sentences of the tests without instructions of an agent: one against one result, by kind and language."""
    return [
        LabelledUnit(
            f"example-{number}",
            "example",
            example.user or "Please have a look.",
            (("search", example.result),) if example.result is not None else (),
            example.sentence,
            example.support is SentenceSupport.UNSUPPORTED,
            example.support.value,
        )
        for number, example in enumerate((*ENGLISH, *HARDER, *OTHERS))
        if not example.told
    ]


def of_others() -> dict[str, list[LabelledUnit]]:
    """The sets of other projects on prose by name; none where no folder is named."""
    folder = os.environ.get("TRACE_INSPECTOR_GROUNDING")
    files = sorted(Path(folder).glob("*.jsonl")) if folder else []
    return {
        file.stem: [
            LabelledUnit(
                row["id"],
                file.stem,
                row["user"],
                (("search", row["context"]),),
                row["text"],
                bool(row["unsupported"]),
            )
            for row in _rows(file)
        ]
        for file in files
    }


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, file.read_text(encoding="utf-8").splitlines())
