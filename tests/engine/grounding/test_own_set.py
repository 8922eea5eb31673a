"""The labelled sentences about tool results: their form, their three parts, and that they can be drawn again."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.project.grounding_set.balance import baselines
from tests.project.grounding_set.writing import ALL_PARTS, FOLDER, STRANGER, Line, all_parts, part_text

APART = "apart"  # written by somebody who had seen neither the generator nor the code
FOURTH = "fourth"  # by another one, later: measured once for each version of the metric
SETS = (*ALL_PARTS, APART, FOURTH)
LABELS = {"supported", "unsupported", "contradictory", "not_applicable", "cannot_tell"}
LANGUAGES = {"en", "de", "es", "fr", "it", "ja", "pt", "hi", "zh", "pl"}
KEYS = ["id", "domain", "language", "kind", "user", "tools", "text", "label"]


def part(name: str) -> list[Line]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def context(line: Line) -> str:
    return json.dumps(line["tools"], ensure_ascii=False)


@pytest.fixture(scope="module")
def parts() -> dict[str, list[Line]]:
    return {name: part(name) for name in SETS}


@pytest.mark.parametrize("name", SETS)
def test_every_line_has_the_same_form(name: str) -> None:
    for line in part(name):
        assert list(line) == KEYS
        assert line["label"] in LABELS
        assert line["language"] in LANGUAGES
        assert line["text"].strip() == line["text"] != ""
        assert not {"{", "}"} & set(line["text"]), line["text"]
        assert all(set(tool) == {"name", "args", "result"} for tool in line["tools"])


def test_no_id_and_no_sentence_of_a_context_occurs_twice(parts: dict[str, list[Line]]) -> None:
    lines = [line for members in parts.values() for line in members]
    assert [x for x, n in Counter(line["id"] for line in lines).items() if n > 1] == []
    assert [x for x, n in Counter((context(line), line["text"]) for line in lines).items() if n > 1] == []


def test_no_context_is_in_two_parts(parts: dict[str, list[Line]]) -> None:
    contexts = Counter(text for members in parts.values() for text in {context(line) for line in members})
    assert [text for text, count in contexts.items() if count > 1] == []


@pytest.mark.parametrize("name", [APART, FOURTH])
def test_300_are_written_apart(name: str, parts: dict[str, list[Line]]) -> None:
    assert len(parts[name]) == 300


def test_strangers_wrote_some_for_fitting_some_for_tuning_and_some_that_are_kept_back(
    parts: dict[str, list[Line]],
) -> None:
    authors = ("first-", "second-", "third-")
    by_authors = {name: [line for line in parts[name] if line["id"].startswith(authors)] for name in SETS}
    assert len(by_authors["fit"]) >= 800
    assert len(by_authors["tune"]) >= 200
    assert by_authors[STRANGER] == parts[STRANGER]
    assert len(parts[STRANGER]) >= 120
    assert not by_authors["test"]


def test_right_and_wrong_sentences_are_about_as_many(parts: dict[str, list[Line]]) -> None:
    for members in parts.values():
        labels = Counter(line["label"] for line in members)
        wrong = labels["unsupported"] + labels["contradictory"]
        assert 0.7 < labels["supported"] / wrong < 1.4


def test_at_least_350_are_written_by_hand(parts: dict[str, list[Line]]) -> None:
    assert sum(line["id"].startswith("hand-") for members in parts.values() for line in members) >= 350


def test_the_generator_writes_the_same_bytes_again() -> None:
    drawn = all_parts()
    for name in ALL_PARTS:
        assert part_text(drawn[name]) == (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")


def test_the_words_alone_do_not_give_the_label_away(parts: dict[str, list[Line]]) -> None:
    figures = baselines(parts)
    assert figures.length_only < figures.majority + 0.05
    assert figures.words_only < figures.majority + 0.05
