from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from tests.documents.json_texts import all_pointers
from trace_inspector.core.edit import Set
from trace_inspector.core.errors import ReadError
from trace_inspector.documents.places import excerpt, text_at
from trace_inspector.documents.reading import read
from trace_inspector.documents.splice import apply

SUFFIXES = {".json", ".jsonl", ".ndjson"}

pytestmark = pytest.mark.corpus


@pytest.fixture
def corpus() -> list[Path]:
    folder = os.environ.get("TRACE_INSPECTOR_CORPUS")
    if not folder:
        pytest.skip("TRACE_INSPECTOR_CORPUS names no folder")
    return sorted(path for path in Path(folder).rglob("*") if path.suffix in SUFFIXES and path.is_file())


def test_every_file_reads_as_the_standard_library_reads_it(corpus: list[Path]) -> None:
    differing = []
    for path in corpus:
        try:
            value = read(path).value
        except ReadError:
            continue
        try:
            expected = json.loads(path.read_bytes())
        except ValueError:
            continue
        if path.suffix == ".json" and value != expected:
            differing.append(path.name)
    assert differing == []


def test_setting_back_the_original_text_keeps_every_byte(corpus: list[Path]) -> None:
    chance = random.Random(0)
    for path in corpus:
        try:
            document = read(path)
        except ReadError:
            continue
        for pointer in chance.choices(list(all_pointers(document.value)), k=3):
            text = text_at(document, pointer)
            assert text is not None
            shown = excerpt(document, pointer, 3)
            assert shown is not None
            if document.plain:
                assert apply(document, Set(pointer, text)).data == document.data
