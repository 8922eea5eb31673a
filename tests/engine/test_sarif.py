"""The report `sarif`: results at lines of goldens, for other tools to show."""

from __future__ import annotations

import json

from msgspec.structs import replace

from tests.engine.test_reports import hostile_run, told
from trace_inspector.engine.reports import sarif


def test_sarif_has_a_result_for_each_failing_turn_that_the_next_run_knows_again() -> None:
    run, sources = told()
    with_place = {key: replace(one, place="/c", turns=(replace(one.turns[0], place="/c/t"),))
                  for key, one in sources.cases.items()}  # fmt: skip
    (told_run,) = json.loads(sarif.write(run, replace(sources, cases=with_place)))["runs"]
    (found,) = told_run["results"]
    assert found["level"] == "error"
    assert found["message"]["text"].startswith("failed: c\nturn 1: tool_trajectory_avg_score")
    (location,) = found["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "goldens/g.json"}, "region": {"startLine": 7, "startColumn": 3},
    }  # fmt: skip
    assert [rule["id"] for rule in told_run["tool"]["driver"]["rules"]] == [found["ruleId"]]
    moved = json.loads(sarif.write(run, replace(sources, cases=with_place, where=lambda _path, _place: (9, 1))))
    assert moved["runs"][0]["results"][0]["partialFingerprints"] == found["partialFingerprints"]
    assert moved["runs"][0]["results"][0]["locations"] != found["locations"]


def test_sarif_names_files_by_uris_and_spells_out_what_hides_text() -> None:
    run, sources = hostile_run("100% \u202e\x1b[2J")
    spaced = replace(run, cases=tuple(replace(case, golden_path="my goldens/ä%.json") for case in run.cases))
    found = json.loads(sarif.write(spaced, sources))["runs"][0]["results"]
    assert {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in found} == {
        "my%20goldens/%C3%A4%25.json"
    }
    assert not any("\u202e" in result["message"]["text"] or "\x1b" in result["message"]["text"] for result in found)
