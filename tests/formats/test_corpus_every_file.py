"""Every file that other people wrote: its folder's format or a finding, whole or streamed, saved and pointed at."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import pytest

from tests.formats.test_every_format import pointers_in
from tests.helpers.json_text import text_at
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.documents.base.document import TEXTLESS, Container
from trace_inspector.documents.editing.places import find_all
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.flows.opening.open_file import Opened, open_file, stream_file

pytestmark = pytest.mark.corpus

# The formats of each folder; in all others nothing is recognised.
FORMATS_OF = {
    "adk-eval-config": {"adk-eval-config"},
    "adk-evalset": {"adk-eval-set"},
    "adk-evalset-result": {"adk-eval-result"},
    "adk-evalset-result-trpc": {"adk-eval-result"},
    "adk-legacy-eval": {"adk-legacy"},
    "adk-session": {"adk-session"},
    "derived-adk-session": {"adk-session"},
    "jaeger": {"jaeger", "otlp"},  # two files there are OTLP under Jaeger's name
    "otlp": {"otlp"},
    "spans-monocle": {"spans"},
    "spans-openinference": {"spans"},
    "spans-strands-evals": {"spans"},
    "ces-app-export": {"ces-app", "ces-resource"},
    "ces-evaluation": {"ces-app", "ces-dataset", "ces-evaluation", "ces-expectation"},
    "ces-scrapi-eval": {"ces-evaluation", "scrapi"},  # one file there is what SCRAPI exports
    "ces-scrapi-result": {"scrapi-result"},
    "vertex-eval-dataset": {"vertex-dataset"},
    "vertex-eval-result": {"vertex-result"},
    "other-inspect": {"inspect"},
    "other-langfuse": {"langfuse"},
    "other-langsmith": {"langsmith"},
    "other-swe-agent": {"swe-agent"},
    "other-tau2-bench": {"tau2"},
}


Files: TypeAlias = list[tuple[Path, Opened | InspectorError]]


@pytest.fixture(scope="module")
def every_file(corpus: Path) -> Files:
    """All files, opened, or the sentence why not."""
    paths = sorted(path for path in corpus.rglob("*") if path.is_file())
    assert len(paths) > 100
    return [(path, _opened(path)) for path in paths]


def _opened(path: Path) -> Opened | InspectorError:
    try:
        return open_file(path)
    except InspectorError as problem:
        return problem  # no JSON is a sentence; anything else that is raised fails every test


def test_each_is_what_its_folder_says_or_a_finding_says_why_not(every_file: Files) -> None:
    seen: dict[str, set[str]] = {}
    for path, opened in every_file:
        formats = seen.setdefault(path.parent.name, set())
        if isinstance(opened, Opened):
            contents = opened.contents
            formats |= {contents.format} - {""}
            codes = {finding.code for finding in contents.findings}
            assert contents.format or "not-recognised" in codes, path
    assert {folder: formats for folder, formats in seen.items() if formats} == FORMATS_OF


def test_streamed_it_holds_the_same(every_file: Files) -> None:
    for path, opened in every_file:
        if isinstance(opened, Opened):
            contents = opened.contents
            items = [*stream_file(path)]
            traces = [item for item in items if isinstance(item, Trace)]
            assert len(traces) == len(contents.traces), path
            streamed = sum(isinstance(item, Turn) for item in items) + sum(len(trace.turns) for trace in traces)
            assert streamed == sum(len(trace.turns) for trace in contents.traces), path


def test_converted_to_its_own_format_it_is_the_same_bytes(every_file: Files) -> None:
    for path, opened in every_file:
        if (
            isinstance(opened, Opened)
            and opened.contents.format
            and opened.document.container is not Container.BUNDLE
        ):
            assert convert_files([path], opened.contents.format).data == path.read_bytes(), path


def test_every_pointer_leads_somewhere(every_file: Files) -> None:
    for path, opened in every_file:
        if isinstance(opened, InspectorError) or opened.document.container in TEXTLESS:
            continue
        given = {place for place in pointers_in(opened.contents) if place}
        lost = given - find_all(opened.document, given).keys()
        assert {place for place in lost if text_at(opened.document, place) is None} == set(), path
