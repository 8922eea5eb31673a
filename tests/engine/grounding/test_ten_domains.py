"""A hundred and twenty sentences on ten domains that no other set has, written before they were judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.engine.grounding.grounding_example import label_of

_ROOT: Final = Path(__file__).parents[3]
_FILES: Final = ("ten-domains.yaml", "ten-domains-aside.yaml")
_WRONG: Final = frozenset({"unsupported", "contradictory"})


def _sentences() -> list[tuple[Any, dict[str, Any]]]:
    return [
        (situation["result"], sentence)
        for name in _FILES
        for situation in yaml.safe_load((_ROOT / "tests" / "data" / "grounding" / name).read_text(encoding="utf-8"))
        for sentence in situation["sentences"]
    ]


@pytest.mark.parametrize(
    ("result", "text", "label"),
    [
        pytest.param(result, sentence["text"], sentence["label"], id=sentence["text"][:60])
        for result, sentence in _sentences()
        if not sentence.get("misjudged")
    ],
)
def test_what_a_reader_calls_wrong_is_flagged_and_nothing_else(result: Any, text: str, label: str) -> None:
    assert (label_of(result, text) in _WRONG) is (label in _WRONG)


def test_what_is_misjudged_is_named_in_the_documentation() -> None:
    page = (_ROOT / "docs" / "local-grounding.md").read_text(encoding="utf-8")
    misjudged = [sentence["text"] for _result, sentence in _sentences() if sentence.get("misjudged")]
    assert [text for text in misjudged if text not in page] == []
    assert len(misjudged) < 40


@pytest.mark.parametrize(
    ("result", "text"), [(result, sentence["text"]) for result, sentence in _sentences() if sentence.get("misjudged")]
)
def test_what_is_called_misjudged_still_is(result: Any, text: str) -> None:
    label = next(sentence["label"] for _result, sentence in _sentences() if sentence["text"] == text)
    assert (label_of(result, text) in _WRONG) is not (label in _WRONG)
