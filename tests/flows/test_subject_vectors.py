"""The same conversation in every format is the same subject; what its digests are stands in tests/data/subjects."""

from __future__ import annotations

import json
from pathlib import Path

from trace_inspector.core.review.subjects import (
    call_subject,
    case_subject,
    rubric_question,
    sentence_subject,
    turn_subject,
)
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.flows.review.judged_files import judged_in

FOLDER = Path(__file__).parent.parent / "data" / "subjects"
VECTORS = json.loads((FOLDER / "vectors.json").read_text("utf-8"))
FILES = sorted(path for path in FOLDER.iterdir() if path.name != "vectors.json")


def test_the_digests_are_those_of_the_vectors_in_every_format() -> None:
    formats = set()
    for path in FILES:
        (judged,) = judged_in([path])
        turns = judged.trace.turns
        assert [turn_subject(turn) for turn in turns] == VECTORS["turn"], path.name
        assert case_subject(turns) == VECTORS["case"]
        assert [call_subject(turns[0], index) for index in (0, 1)] == VECTORS["call"]
        sentence = VECTORS["sentence"]
        assert sentence_subject(turns[0], sentence["index"], sentence["text"]) == sentence["subject"]
        formats.add(path.name)
    assert len(formats) == 7


def test_the_vectors_are_canonical() -> None:
    assert [canonical_json(turn) for turn in VECTORS["turns"]] == VECTORS["canonical"]
    question = VECTORS["question"]
    assert rubric_question(question["metric"], question["rubric_id"], question["text"]) == question["question"]
