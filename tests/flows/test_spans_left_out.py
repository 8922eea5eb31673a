"""Spans that are only around the work need not be kept by whoever only evaluates: no turn and no finding is other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.flows.test_large_files import turn
from tests.formats.span_files import Made, jaeger, otlp
from tests.helpers.campaigns import examples
from trace_inspector.core.rows.contents import Contents, Item, ReadProgress, collect
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.documents.large import large
from trace_inspector.flows.opening.given_files import open_given
from trace_inspector.flows.opening.open_file import BytesRead, Recognised, stream_file
from trace_inspector.formats.spans import forest
from trace_inspector.formats.spans.spans import Recorded

SPANS = [span for at in range(6) for span in turn(at)]
IDS = [span.id for span in SPANS] + [f"p{at}" for at in range(12)] + ["nowhere"]


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("LARGE_BYTES", 1_000), ("CUT_BYTES", 3_000), ("GROUP_BYTES", 2_000)):
        monkeypatch.setattr(large, name, size)


def read(path: Path, *, every_span: bool) -> Contents:
    """What is read without spans, so that it can be compared."""
    items: list[Item] = []
    name = ""
    for item in stream_file(path, placed=False, every_span=every_span):
        match item:
            case Recognised(format=name):
                pass
            case Turn():
                items.append(replace(item, spans=()))
            case Trace():
                items.append(replace(item, spans=(), span_count=0))
            case BytesRead() | ReadProgress():
                pass
            case _:
                items.append(item)
    return collect(name, items)


_QUIET = st.builds(
    Made,
    st.sampled_from([f"p{at}" for at in range(12)]),
    st.sampled_from(["GET /", "queue.put", "send_data"]),
    st.sampled_from(IDS) | st.none(),
    st.integers(0, 5_000),
    failed=st.sampled_from(["", "", "", "no route"]),
)


@settings(examples(40, 2_000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(quiet=st.lists(_QUIET, min_size=1, max_size=14), at=st.data(), write=st.sampled_from((jaeger, otlp)))
def test_turns_and_findings_are_the_same(
    quiet: list[Made], at: st.DataObject, write: Callable[..., Json], tmp_path: Path
) -> None:
    """Also where spans come twice, have no parent in the file, or are each other's parents."""
    spans = list(SPANS)
    for span in quiet:
        spans.insert(at.draw(st.integers(0, len(spans))), span)
    above = at.draw(st.sampled_from([None, "a2", "m2", "p0", "nowhere"]))
    if above is not None:
        spans = [replace(span, parent=above) if span.id == "h2" else span for span in spans]
    path = tmp_path / "t.json"
    path.write_text(json.dumps(write(*spans)))
    alike = read(path, every_span=False)
    assert alike == read(path, every_span=True)
    assert alike.traces


def test_what_is_evaluated_does_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.json"
    around = [Made(f"p{at}", "queue.put", "h1", at * 100) for at in range(100)]
    path.write_text(json.dumps(jaeger(*SPANS, *around)))
    passed: list[str] = []
    down = forest._Walk.down

    def noted(self: forest._Walk, top: Recorded) -> None:
        below = [top]
        for node in below:
            below.extend(node.children)
        passed.extend(node.span.id for node in below)
        down(self, top)

    monkeypatch.setattr(forest._Walk, "down", noted)
    (given,) = open_given([path])
    assert len(given.contents.traces[0].turns) == 6
    assert not [name for name in passed if name.startswith("p")]
    passed.clear()
    list(stream_file(path))
    assert len([name for name in passed if name.startswith("p")]) == 100
