"""The reader of evidence packs: damaged, hostile and later ones; nothing that it names leads elsewhere."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.formats import evidence_files
from trace_inspector.cli import main
from trace_inspector.core.errors import ReadError
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import ABSENT
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.documents.page.document import data_in, element_with
from trace_inspector.flows.opening.open_file import open_file

ODD: tuple[Any, ...] = (None, True, -1, 10**30, 1e308, "", "x", [], {}, [[]], {"part": "Text"}, {"part": "none"})


def page_with(value: object, folder: Path) -> Path:
    path = folder / "pack.html"
    path.write_text(f"<!DOCTYPE html><html><body>{element_with(json.dumps(value).encode())}</body></html>")
    return path


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(item, dict | list):
            yield from places(item)


def test_whatever_stands_anywhere_is_a_finding_and_never_a_crash(tmp_path: Path) -> None:
    whole = json.loads(data_in(evidence_files.page()))
    count = sum(1 for _place in places(whole))
    draw = random.Random(1)
    for number in draw.sample(range(count), min(count, 250)):
        value = copy.deepcopy(whole)
        holder, key = list(places(value))[number]
        holder[key] = draw.choice(ODD)
        opened = open_file(page_with(value, tmp_path))
        for trace in opened.contents.traces:
            for turn in trace.turns:
                assert resolve(opened.document.value, turn.place) is not ABSENT
                assert turn.final_event is None or 0 <= turn.final_event < len(turn.events)


def test_a_damaged_turn_is_named_and_the_rest_is_shown(tmp_path: Path) -> None:
    value = json.loads(data_in(evidence_files.page()))
    value["sides"][0]["traces"][0]["turns"][0]["user"] = "text"
    contents = open_file(page_with(value, tmp_path)).contents
    assert [finding.pointer for finding in contents.findings if finding.code == "damaged"] == [
        "/sides/0/traces/0/turns/0"
    ]
    assert len(contents.traces) == 2


def test_a_place_that_a_pack_names_is_not_believed(tmp_path: Path) -> None:
    value = json.loads(data_in(evidence_files.page()))
    value["sides"][0]["traces"][0]["place"] = "no pointer"
    assert open_file(page_with(value, tmp_path)).contents.traces[0].place == "/sides/0/traces/0"


def test_a_later_version_is_read_with_a_warning(tmp_path: Path) -> None:
    value = json.loads(data_in(evidence_files.page())) | {"trace_inspector_evidence": 2, "more": 1}
    contents = open_file(page_with(value, tmp_path)).contents
    assert "newer-version" in {finding.code for finding in contents.findings}
    assert len(contents.traces) == 2


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.html"
    path.write_text(f"<!DOCTYPE html><html>{element_with(b' ' * 60_000_000)}</html>")
    with pytest.raises(ReadError, match="zip bomb"):
        open_file(path)


def test_a_pack_is_not_evaluated_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pack.html"
    path.write_bytes(evidence_files.page())
    assert main(["evaluate", str(path)]) == 2
    assert "as they were reported" in capsys.readouterr().err


def test_a_pack_of_a_pack_shows_the_same(tmp_path: Path) -> None:
    path, again = tmp_path / "pack.html", tmp_path / "again.html"
    path.write_bytes(evidence_files.page())
    assert main(["evidence", str(path), "-o", str(again)]) == 0
    first, second = open_file(path).contents, open_file(again).contents
    assert second.traces == first.traces
    assert second.reported == first.reported


def test_a_verdict_is_reported_whatever_a_pack_calls_it(tmp_path: Path) -> None:
    value = json.loads(data_in(evidence_files.page()))
    for verdict in value["sides"][0]["verdicts"]:
        verdict["provenance"] = "recomputed"
        for part in (verdict, *verdict.get("turns", ())):
            for metric in part.get("metrics", ()):
                metric["provenance"] = "human"
    reported = open_file(page_with(value, tmp_path)).contents.reported
    assert {verdict.provenance for verdict in reported} == {Provenance.REPORTED}
    assert {turn.provenance for verdict in reported for turn in verdict.turns} == {Provenance.REPORTED}
    assert {metric.provenance for verdict in reported for metric in verdict.metrics} == {Provenance.REPORTED}


def test_a_golden_that_found_no_conversation_keeps_its_verdict(tmp_path: Path) -> None:
    value = json.loads(data_in(evidence_files.page()))
    side = value["sides"][0]
    side["traces"].pop(0)
    verdict = open_file(page_with(value, tmp_path)).contents.reported[-1]
    assert (verdict.trace_id, verdict.status) == (None, Status.FAILED)
    assert verdict.golden_place == side["suites"][0]["cases"][0]["place"]
    side["suites"] = []
    contents = open_file(page_with(value, tmp_path)).contents
    assert len(contents.reported) == 1
    assert "about-nothing" in {finding.code for finding in contents.findings}


def test_what_it_notes_is_told(tmp_path: Path) -> None:
    value = json.loads(data_in(evidence_files.page())) | {"notes": ["It lacks the content of x.", 1, "a\nb" * 900]}
    notes = [each.message for each in open_file(page_with(value, tmp_path)).contents.findings if each.code == "note"]
    assert notes[0] == "It lacks the content of x."
    assert len(notes) == 2
    assert len(notes[1]) <= 300
