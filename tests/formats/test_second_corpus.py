"""Every file of further formats that other people wrote: its folder's format, saved byte for byte, pointed at."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import pytest

from tests.formats.test_every_format import pointers_in
from tests.helpers.json_text import text_at
from trace_inspector.core.errors import InspectorError
from trace_inspector.documents.base.document import TEXTLESS, Container
from trace_inspector.documents.editing.places import find_all
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.flows.opening.open_file import Opened, open_file

pytestmark = pytest.mark.second_corpus

Files: TypeAlias = list[tuple[Path, Opened | InspectorError]]
# The formats of each folder.
FORMATS_OF = {
    "agents-cli-config": {"agents-cli-config"},
    "atif": {"atif"},
    "deepeval": {"deepeval"},
    "inspect": {"inspect"},
    "promptfoo": {"promptfoo"},
    "langfuse": {"langfuse"},
    "langgraph-checkpoint": {"langgraph"},
    "openai-messages": {"openai-messages", "openai-completion", "openai-responses"},
    "claude-code": {"claude-code"},
    "codex-rollout": {"codex"},
    "gemini-cli": {"gemini-cli"},
    "openhands": {"openhands"},
    "swe-agent": {"swe-agent"},
}


@pytest.fixture(scope="module")
def every_file(second_corpus: Path) -> Files:
    """All files of the folders that are read, opened, or the sentence why not."""
    folders = sorted(second_corpus / name for name in FORMATS_OF)
    return [(path, _opened(path)) for folder in folders for path in sorted(folder.iterdir())]


def _opened(path: Path) -> Opened | InspectorError:
    try:
        return open_file(path)
    except InspectorError as problem:
        return problem  # a sentence; anything else that is raised fails the test


def test_each_is_what_its_folder_says(every_file: Files) -> None:
    seen: dict[str, set[str]] = {}
    for path, opened in every_file:
        seen.setdefault(path.parent.name, set()).add(opened.contents.format if isinstance(opened, Opened) else "")
    assert seen == FORMATS_OF


def test_saved_it_is_the_same_bytes_and_every_pointer_leads_somewhere(every_file: Files) -> None:
    for path, opened in every_file:
        if isinstance(opened, InspectorError):
            continue
        if opened.document.container is Container.BUNDLE:
            continue
        assert convert_files([path], opened.contents.format).data == path.read_bytes(), path
        if opened.document.container in TEXTLESS:
            continue
        given = {place for place in pointers_in(opened.contents) if place}
        lost = given - find_all(opened.document, given).keys()
        assert {place for place in lost if text_at(opened.document, place) is None} == set(), path
