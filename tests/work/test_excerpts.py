from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.test_adk_eval_result_reader import case, invocation, results, row
from trace_inspector.core.errors import ReadError
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.work.reading.excerpts import ExcerptReader, ExcerptRequest


def test_places_inside_a_text_that_holds_json_show_their_stretch_of_it(tmp_path: Path) -> None:
    path = tmp_path / "r.evalset_result.json"
    path.write_text(json.dumps(json.dumps(results(case(row(0, invocation(0)), row(1, invocation(1)))))))
    (trace,) = open_file(path).contents.traces
    reader = ExcerptReader()
    for turn in trace.turns:
        shown = reader(ExcerptRequest(str(path), turn.place, 200))
        (line,) = shown.lines
        marked = line[shown.start[1] : shown.end[1]]
        assert json.loads(json.loads(f'"{marked}"'))["invocation_id"] == turn.id
        assert (shown.first_line, shown.first_column) == (1, 1)
        assert shown.shown_bytes == shown.total_bytes == len(marked)


def test_a_place_that_is_gone_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a": "[1]"}')
    reader = ExcerptReader()
    assert reader(ExcerptRequest(str(path), "/a/0", 0)).total_bytes == 1
    path.write_text('{"a": "[now: text]"}')
    with pytest.raises(ReadError, match="not in the file any more"):
        reader(ExcerptRequest(str(path), "/a/0", 0))
