"""Evaluations of CES that other people wrote: read without loss of a step, and converted there and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trace_inspector.core.finding import Severity
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.convert_file import convert_files, save_converted
from trace_inspector.flows.opening.open_file import open_file

pytestmark = pytest.mark.corpus


def evaluations(corpus: Path) -> Iterator[Path]:
    """Every file that holds one."""
    for path in sorted((corpus / "ces-evaluation").iterdir()):
        if open_file(path).contents.format == "ces-evaluation":
            yield path


def steps_in(value: Json) -> int:
    """How many steps of expectation a raw value has, at any depth."""
    if isinstance(value, list):
        return sum(map(steps_in, value))
    if not isinstance(value, dict):
        return 0
    return sum(steps_in(item) for item in value.values()) + ("expectation" in value)


def test_every_expectation_is_read_and_nothing_is_wrong(corpus: Path) -> None:
    seen = 0
    for path in evaluations(corpus):
        opened = open_file(path)
        ((case,),) = [suite.cases for suite in opened.contents.suites]
        assert sum(len(turn.expectations) for turn in case.turns) == steps_in(opened.document.value), path
        assert case.turns or case.scenario, path
        assert [found for found in opened.contents.findings if found.severity is Severity.ERROR] == [], path
        seen += 1
    assert seen > 10


def test_there_and_back_restores_every_one(corpus: Path, tmp_path: Path) -> None:
    for path in evaluations(corpus):
        out = tmp_path / "b.json"
        made = convert_files([path], "adk-eval-set")
        assert made.gone == (), path
        save_converted(made, out)
        assert same(parse_exactly(convert_files([out], "ces-evaluation").data), parse_exactly(path.read_bytes())), (
            path
        )
