"""How often `local_grounding` is right: what it flags, for each kind of sentence and for each labelled set.

All sentences of our own were labelled before the metric saw them, and the metric is not fitted to them. Those of
other projects are read where TRACE_INSPECTOR_GROUNDING names a folder of them.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text, ToolResult
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.metrics.local.local_grounding import METHOD
from trace_inspector.engine.scoring.metric import Judged, PairedTurn, Subject

_DATA = Path(__file__).parents[1] / "tests" / "data"
SET = _DATA / "grounding-set.json"
_WRONG_LABELS = frozenset({"unsupported", "contradictory"})
_BAD = frozenset({SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY})


@dataclass(frozen=True, slots=True)
class Judgement:
    """One sentence: whether a careful reader calls it unsupported, and whether the metric does."""

    kind: str
    text: str
    is_bad: bool
    is_called_bad: bool


def judgements() -> Iterator[Judgement]:
    """Every sentence of the first set, each as an answer of its own."""
    for entry in json.loads(SET.read_text(encoding="utf-8")):
        for label, text in entry["sentences"]:
            is_called_bad = _called_bad(entry["user"], [("look", entry["result"])], text)
            yield Judgement(entry["kind"], text, label == "unsupported", is_called_bad)


def of_agents(file: Path, ids: str = "") -> Iterator[Judgement]:
    """Sentences of our own on tool results whose ids begin so: one a line (tests/project/grounding_set)."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    for row in (row for row in rows if row["id"].startswith(ids)):
        results = [(tool["name"], tool["result"]) for tool in row["tools"]]
        is_called_bad = _called_bad(row["user"], results, row["text"])
        yield Judgement(row["kind"], row["text"], row["label"] in _WRONG_LABELS, is_called_bad)


def of_others(file: Path) -> Iterator[Judgement]:
    """Sentences of other projects on prose: one a line, with what the agent had read."""
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        is_called_bad = _called_bad(row["user"], [("search", row["context"])], row["text"])
        yield Judgement(file.stem, row["text"], bool(row["unsupported"]), is_called_bad)


def _called_bad(user: str, results: Iterable[tuple[str, Json]], answer: str) -> bool:
    parts = tuple(ToolResult(name, value, place=f"/results/{index}") for index, (name, value) in enumerate(results))
    turn = Turn(0, user=(Text(user),), events=(Event("agent", parts),), final_response=(Text(answer),))
    judged = METHOD.judge(Subject((PairedTurn(None, turn),), Trace("t", (turn,))), Criterion("local_grounding"))
    if not isinstance(judged, Judged) or judged.turns[0] is None:
        raise TypeError("the metric gives a verdict at once")
    return any(sentence.support in _BAD for sentence in judged.turns[0].sentences)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"


def _line(name: str, sentences: list[Judgement]) -> str:
    right = sum(sentence.is_bad and sentence.is_called_bad for sentence in sentences)
    called = sum(sentence.is_called_bad for sentence in sentences)
    bad = sum(sentence.is_bad for sentence in sentences)
    good = len(sentences) - bad
    balanced = f"{(right / bad + (good - called + right) / good) / 2:.2f}" if bad and good else "–"
    return (
        f"{name:<20} {len(sentences):>9} {bad:>11} {called:>6} {right:>5} "
        f"{_share(right, called):>9} {_share(right, bad):>6} {balanced:>8}"
    )


def _sets() -> Iterator[tuple[str, list[Judgement]]]:
    """Each set with its name. Drawn sentences share phrases with the part that is fitted to; those by hand do not."""
    folder = _DATA / "grounding"
    yield "test", list(of_agents(folder / "test.jsonl"))
    yield "test, by hand", list(of_agents(folder / "test.jsonl", "hand-"))
    yield "apart", list(of_agents(folder / "apart.jsonl"))
    if others := os.environ.get("TRACE_INSPECTOR_GROUNDING"):
        yield from ((file.stem, list(of_others(file))) for file in sorted(Path(others).glob("*.jsonl")))


def main() -> None:
    """Print a line for each kind and for each set; with --wrong also the sentences that were judged wrongly."""
    by_kind: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements():
        by_kind[judgement.kind].append(judgement)
    first = [judgement for sentences in by_kind.values() for judgement in sentences]
    sets = dict(_sets())
    print("kind or set          sentences unsupported called right precision recall balanced")
    for name, sentences in {**by_kind, "these kinds": first, **sets}.items():
        print(_line(name, sentences))
    if "--wrong" in sys.argv[1:]:
        for judgement in (*first, *(judgement for sentences in sets.values() for judgement in sentences)):
            if judgement.is_bad != judgement.is_called_bad:
                error = "missed" if judgement.is_bad else "wrongly called"
                print(f"{judgement.kind}: {error}: {judgement.text}")


if __name__ == "__main__":
    main()
