"""How often `local_grounding` is right: precision and recall for "unsupported", for each kind of sentence.

The sentences and their labels were written before the metric saw them, and the metric is not fitted to them.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text, ToolResult
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.metrics.local.local_grounding import METHOD
from trace_inspector.engine.scoring.metric import Judged, PairedTurn, Subject

SET = Path(__file__).parents[1] / "tests" / "data" / "grounding-set.json"
_BAD = frozenset({SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY})


@dataclass(frozen=True, slots=True)
class Judgement:
    """One sentence: whether a careful reader calls it unsupported, and whether the metric does."""

    kind: str
    text: str
    is_bad: bool
    is_called_bad: bool


def judgements() -> Iterator[Judgement]:
    """Every sentence of the set, each as an answer of its own."""
    for entry in json.loads(SET.read_text(encoding="utf-8")):
        for label, text in entry["sentences"]:
            yield Judgement(
                entry["kind"], text, label == "unsupported", _called_bad(entry["user"], entry["result"], text)
            )


def _called_bad(user: str, result: Json, answer: str) -> bool:
    events = (Event("agent", (ToolResult("look", result, place="/result"),)),)
    turn = Turn(0, user=(Text(user),), events=events, final_response=(Text(answer),))
    judged = METHOD.judge(Subject((PairedTurn(None, turn),), Trace("t", (turn,))), Criterion("local_grounding"))
    if not isinstance(judged, Judged) or judged.turns[0] is None:
        raise TypeError("the metric gives a verdict at once")
    return any(sentence.support in _BAD for sentence in judged.turns[0].sentences)


def _line(name: str, found: list[Judgement]) -> str:
    right = sum(one.is_bad and one.is_called_bad for one in found)
    called, bad = sum(one.is_called_bad for one in found), sum(one.is_bad for one in found)
    precision = f"{right / called:.2f}" if called else "–"
    recall = f"{right / bad:.2f}" if bad else "–"
    return f"{name:<12} {len(found):>9} {bad:>11} {called:>6} {right:>5} {precision:>9} {recall:>6}"


def main() -> None:
    """Print a line for each kind and one for all; with --wrong also the sentences that were judged wrongly."""
    by_kind: dict[str, list[Judgement]] = defaultdict(list)
    for one in judgements():
        by_kind[one.kind].append(one)
    whole = [one for found in by_kind.values() for one in found]
    print("kind         sentences unsupported called right precision recall")
    for kind, found in by_kind.items():
        print(_line(kind, found))
    print(_line("all", whole))
    if "--wrong" in sys.argv[1:]:
        for one in whole:
            if one.is_bad != one.is_called_bad:
                print(f"{one.kind}: {'missed' if one.is_bad else 'wrongly called'}: {one.text}")


if __name__ == "__main__":
    main()
