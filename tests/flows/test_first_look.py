"""What is told of a large file before it is read: turns that stand at its beginning when it is, or nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.formats.span_files import Made, agent, jaeger, model, otlp, says, tool, user, wants
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.documents.large import large
from trace_inspector.flows.opening import first_look as looking
from trace_inspector.flows.opening.first_look import FirstLook, first_look
from trace_inspector.flows.opening.open_file import stream_file

TURNS = 60


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("CUT_BYTES", 900), ("GROUP_BYTES", 2_000)):
        monkeypatch.setattr(large, name, size)
    for name, size in (("WORTH_BYTES", 1_000), ("LEAST_BYTES", 6_000), ("_SHARE", 2)):
        monkeypatch.setattr(looking, name, size)


def turn(at: int, trace: str = "t1") -> list[Made]:
    """A turn with a call, and transport around it."""
    start, invocation = at * 1_000, f"e-{at}"
    spans = [
        Made(f"h{at}", "GET /", None, start, 900),
        replace(agent(f"a{at}", f"h{at}", "guide"), at=start + 1),
        model(f"m{at}", f"a{at}", start + 2, asked=[user(f"q{at}")], said=[wants("look")], invocation=invocation),
        tool(f"x{at}", f"a{at}", start + 3, "look", {"n": at}, {"r": at}),
        model(f"n{at}", f"a{at}", start + 4, said=says(f"answer {at}"), invocation=invocation),
    ]
    return [replace(span, trace=trace) for span in spans]


DEEP = [span for at in range(TURNS) for span in turn(at)]
MANY = [span for at in range(TURNS) for span in turn(at, f"t{at}")]


def put(path: Path, value: Json) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def told(path: Path) -> list[Trace | Turn]:
    """All traces and turns, as they are told when the file is read."""
    return [item for item in stream_file(path) if isinstance(item, Trace | Turn)]


@pytest.mark.parametrize("write", [jaeger, otlp])
@pytest.mark.parametrize("spans", [DEEP, MANY], ids=["deep", "many"])
def test_the_first_turns_are_those_of_the_whole_file(
    write: Callable[..., Json], spans: list[Made], tmp_path: Path
) -> None:
    path = put(tmp_path / "t.json", write(*spans))
    look, whole = first_look(path), told(path)
    assert look.format in ("jaeger", "otlp")
    turns = [item for item in look.items if isinstance(item, Turn)]
    assert looking.ENOUGH_TURNS <= len(turns) < TURNS / 2
    assert turns == [item for item in whole if isinstance(item, Turn)][: len(turns)]
    heads = [item.id for item in look.items if isinstance(item, Trace)]
    assert heads == [item.id for item in whole if isinstance(item, Trace)][: len(heads)]


@pytest.mark.parametrize(
    "spans",
    [
        random.Random(5).sample(DEEP, len(DEEP)),
        DEEP[::-1],
        sorted(DEEP, key=lambda span: span.id[0]),  # all tops, then all model calls, …
    ],
    ids=["shuffled", "newest first", "by kind"],
)
def test_spans_in_another_order_tell_nothing_early(spans: list[Made], tmp_path: Path) -> None:
    assert first_look(put(tmp_path / "t.json", jaeger(*spans))).items == ()


def test_a_trace_whose_own_spans_grow_is_the_last_one_told(tmp_path: Path) -> None:
    grows = [*turn(0), *(Made(f"p{at}", "poll", None, 500_000 + at) for at in range(400)), *MANY[5:]]
    assert sum(isinstance(item, Trace) for item in first_look(put(tmp_path / "t.json", jaeger(*grows))).items) == 1


def test_nothing_is_told_early_of_what_is_read_soon_or_told_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path / "t.json", jaeger(*DEEP))
    monkeypatch.setattr(looking, "BUILT_AT_END_BYTES", path.stat().st_size - 1)
    assert first_look(path) == FirstLook()
    monkeypatch.setattr(looking, "BUILT_AT_END_BYTES", path.stat().st_size)
    assert first_look(path).items
    monkeypatch.setattr(looking, "WORTH_BYTES", path.stat().st_size + 1)
    assert first_look(path) == FirstLook()


def test_formats_that_are_read_whole_tell_nothing_early(tmp_path: Path) -> None:
    case: Json = {"eval_id": "a", "conversation": []}
    path = put(tmp_path / "s.json", {"eval_set_id": "s", "eval_cases": [case] * 1_000})
    assert first_look(path) == FirstLook()
