"""An app and SCRAPI's files that other people wrote, against a plain count of what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.formats.ces_app_files import archived, put
from tests.formats.span_files import codes
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.flows.opening.open_file import open_file

pytestmark = pytest.mark.corpus
APP = "bella_notte"
MARK = f"__{APP}__"


def app_files(corpus: Path) -> dict[str, bytes]:
    """The files of the one app of which there are evaluations, under the paths from which they were taken."""
    found = {}
    for path in sorted((corpus / "ces-evaluation").glob(f"*{MARK}*")):
        kind, *rest = path.name.partition(MARK)[2].split("__", 1)
        stem = path.stem.partition(MARK)[2].split("__", 1)[-1]
        half = stem[: len(stem) // 2 - 1]  # folder and file have the same name
        found[f"{kind}/{half}/{half}.json" if rest else kind] = path.read_bytes()
    return found


@pytest.mark.parametrize("packed", [False, True])
def test_an_app_is_one_suite_with_every_evaluation(corpus: Path, tmp_path: Path, packed: bool) -> None:
    files = app_files(corpus)
    path = archived(tmp_path / "app.zip", files, "app/") / "app" if packed else put(tmp_path / "app", files)
    contents = open_file(path).contents
    assert contents.format == "ces-app"
    (suite,) = contents.suites
    assert suite.name == json.loads(files["app.json"])["displayName"]
    evaluations = {name: json.loads(data) for name, data in files.items() if name.startswith("evaluations/")}
    assert {case.id for case in suite.cases} == {value["name"] for value in evaluations.values()}
    prompts = {one.text for case in suite.cases for one in case.expectations}
    written = [json.loads(data) for name, data in files.items() if name.startswith("evaluationExpectations/")]
    assert {one["llmCriteria"]["prompt"] for one in written} <= prompts
    assert contents.criteria is not None
    # Of agents and tools nothing was taken along.
    assert set(codes(contents)) == {"unresolved-reference"}


def test_scrapis_goldens_have_every_turn_call_and_sentence(corpus: Path) -> None:
    seen = 0
    for path in sorted((corpus / "ces-scrapi-eval").glob("*.yaml")):
        value = yaml.safe_load(path.read_text("utf-8"))
        talks = [talk for talk in value.get("conversations", []) if "turns" in talk]
        if not talks:
            continue
        (suite,) = open_file(path).contents.suites
        assert [case.id for case in suite.cases] == [talk["conversation"] for talk in talks]
        for case, talk in zip(suite.cases, talks, strict=True):
            counts = [len(turn.get("tool_calls") or []) for turn in talk["turns"]]
            assert [len(calls_of(turn)) for turn in case.turns] == counts
            assert [one.text for one in case.expectations] == talk["expectations"]
            seen += 1
    assert seen
