"""A large file of OTLP lines is read in parts and shards, and gives what one reading of the whole file gives."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.formats.span_files import Made, agent, model, otlp, says, tool, user, wants
from tests.helpers.campaigns import is_long
from tests.helpers.eval_sets import call, case, turn, write_eval_set
from trace_inspector.core.values import spilled
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import RunVerdict, Status
from trace_inspector.flows.opening import given_files, line_parts, line_shards
from trace_inspector.flows.opening.given_files import Given, open_given, recorded_in
from trace_inspector.flows.opening.line_parts import LineShard
from trace_inspector.flows.runs.evaluate_files import Request, evaluate

SEEDS = range(200 if is_long() else 8)


def spans_of(at: int, rng: random.Random) -> list[Made]:
    """A conversation of one to three turns, each a trace of its own; only some of its spans say which one it is."""
    spans: list[Made] = []
    for nth in range(rng.choice((1, 1, 2, 3))):
        name = f"{at}-{nth}"
        own = [
            agent(f"a{name}", None, "guide", nth * 1_000),
            model(f"m{name}", f"a{name}", nth * 1_000 + 2, asked=[user(f"q{name}")], said=[wants("look", n=at)]),
            tool(f"x{name}", f"a{name}", nth * 1_000 + 3, "look", {"n": at}, {"r": at}),
            model(f"n{name}", f"a{name}", nth * 1_000 + 4, said=says(f"answer {name}")),
        ]
        for span in own:
            span.trace = f"trace-{name}"
            if "gcp.vertex.agent.invocation_id" in span.tags:
                span.tags["gcp.vertex.agent.invocation_id"] = f"e-{name}"
        rng.choice(own).tags["gen_ai.conversation.id"] = f"session-{at}"
        spans += own
    return spans


def lines_of(seed: int, far: int) -> list[str]:
    """Conversations with their spans in lines that they share, up to so many lines apart."""
    rng = random.Random(seed)
    placed = [(at + rng.uniform(0, far), span) for at in range(30) for span in spans_of(at, rng)]
    placed.sort(key=lambda pair: pair[0])
    lines: list[str] = []
    rest = [span for _at, span in placed]
    while rest:
        count = rng.randint(1, 9)
        lines.append(json.dumps(otlp(*rest[:count])))
        rest = rest[count:]
        if rng.random() < 0.1:
            lines.append("")
    return lines


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    cases: list[Json] = [
        case(f"session-{at}", *(turn(f"q{at}-{nth}", f"answer {at}-{nth}", [call("look", n=at)]) for nth in range(3)))
        for at in range(30)
    ]
    return write_eval_set(tmp_path / "g.json", *cases)


def in_parts(monkeypatch: pytest.MonkeyPatch, part: int, shard: int) -> None:
    """Every file is large, and parts and shards are small."""
    monkeypatch.setattr(given_files, "HELD_BYTES", 1)
    monkeypatch.setattr(line_shards, "PART_BYTES", part)
    monkeypatch.setattr(line_shards, "SHARD_BYTES", shard)


def opened(path: Path) -> Given:
    [given] = open_given([path], held_bytes=1 << 30)
    return given


def verdict(path: Path, golden: Path) -> RunVerdict:
    return replace(evaluate(Request((opened(path),), open_given([golden]))), id="", started_s=0)


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_give_what_the_whole_file_gives(
    tmp_path: Path, golden: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(lines_of(seed, seed % 4)) + "\n" * (seed % 2), encoding="utf-8")
    whole, expected = opened(path), verdict(path, golden)
    assert not whole.places
    in_parts(monkeypatch, 3_000 * (1 + seed % 5), 10_000 * (1 + seed % 3))
    monkeypatch.setattr(spilled, "HELD", 4 if seed % 3 else 1_000)  # the others lie on the disk
    monkeypatch.setattr(line_parts, "CUT_BYTES", 700 if seed % 2 else 1 << 20)  # longer lines are read in pieces
    given = opened(path)
    assert given.places
    assert given.digest == whole.digest
    assert len({place.file for place in given.places}) > 3
    read = {place.file: place.file.traces() for place in given.places}
    found = {trace.id: trace for place in given.places for trace in [read[place.file][place.number]]}
    assert found == {trace.id: trace for trace in whole.contents.traces}
    by_case = {(one.case_id, one.trace_id): one for one in verdict(path, golden).cases}
    assert by_case == {(one.case_id, one.trace_id): one for one in expected.cases}
    assert Status.PASSED in {one.status for one in expected.cases}


def test_what_is_held_of_a_file_is_what_pairing_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(lines_of(1, 2)), encoding="utf-8")
    in_parts(monkeypatch, 3_000, 10_000)
    for recorded in recorded_in(opened(path)):
        assert recorded.elsewhere is not None
        assert not any(one.events or one.final_response for one in recorded.trace.turns)


@pytest.mark.parametrize("change", ["bytes", "shorter", "gone"])
def test_a_file_that_changed_is_an_error_of_the_cases_that_it_concerns(
    tmp_path: Path, golden: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(lines_of(2, 0)), encoding="utf-8")
    in_parts(monkeypatch, 3_000, 10_000)
    request = Request((opened(path),), open_given([golden]))
    text = path.read_text(encoding="utf-8")
    path.unlink()
    if change != "gone":
        last = text.rindex("answer 29")
        path.write_text(text[:last] + ("another" + text[last + 7 :] if change == "bytes" else ""), encoding="utf-8")
    statuses = {one.case_id: one for one in evaluate(request).cases}
    assert statuses["session-29"].status is Status.ERROR
    assert "changed while" in statuses["session-29"].reason or change == "gone"
    assert (statuses["session-0"].status is Status.ERROR) is (change == "gone")


def test_log_records_and_whatever_hangs_together_are_read_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = lines_of(3, 1)
    logs = json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [{"traceId": "ab", "spanId": "cd"}]}]}]})
    with_logs, tied = tmp_path / "logs.jsonl", tmp_path / "tied.jsonl"
    with_logs.write_text("\n".join([*lines, logs]), encoding="utf-8")
    tied.write_text("\n".join(lines), encoding="utf-8")
    in_parts(monkeypatch, 3_000, 10_000)
    assert not opened(with_logs).places
    monkeypatch.setattr(line_shards, "MOST_BYTES", 1_000)
    assert not opened(tied).places


def test_a_broken_line_is_told_as_of_the_whole_file(
    tmp_path: Path, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.jsonl"
    lines = lines_of(4, 0)
    lines.insert(len(lines) - 3, lines[-1][:60])
    path.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr("trace_inspector.documents.large.large.LARGE_BYTES", 1)
    expected = verdict(path, golden).notes
    assert expected
    in_parts(monkeypatch, 3_000, 10_000)
    assert verdict(path, golden).notes == expected


def test_shards_hold_no_more_turns_and_bytes_than_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(lines_of(5, 0)), encoding="utf-8")
    in_parts(monkeypatch, 3_000, 1 << 30)
    monkeypatch.setattr(line_shards, "SHARD_TURNS", 10)
    files = {place.file for place in opened(path).places}
    for file in files:
        assert isinstance(file, LineShard)
        assert sum(len(trace.turns) for trace in file.traces()) <= 10
    assert len(files) > 3
