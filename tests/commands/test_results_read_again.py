"""What `evaluate --report adk=` writes is read again as the same verdicts, with their parts and what they hide."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.helpers.campaigns import is_long
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Provenance,
    RunVerdict,
    Status,
    TurnVerdict,
)
from trace_inspector.engine.running.planning import Choices
from trace_inspector.flows.judges.judge_files import judge_named
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.flows.runs.criteria_files import read_criteria
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given
from trace_inspector.flows.runs.golden_digests import with_digests
from trace_inspector.flows.runs.requested_reports import RequestedReport
from trace_inspector.flows.runs.save_reports import save_report
from trace_inspector.resources import folder

SAMPLES = folder("samples")
OTHERS = SAMPLES / "other-systems"
REPLIES = f"recorded:{SAMPLES / 'judge-replies.json'}"
ASKED = ("Hello there", "What is the price of tea?", "Do you deliver?")
SAID = ("Good day.", "Two euros.", "Yes, on Mondays.")
WHALES = ("And something quite different about whales", "I sell no whales.")


def conversation(name: str, turns: Sequence[tuple[str, str]]) -> JsonObject:
    """An eval set with one case; as a trace it is what was recorded."""
    told: list[Json] = [
        {
            "invocation_id": f"{name}-{at}",
            "user_content": {"parts": [{"text": asked}], "role": "user"},
            "final_response": {"parts": [{"text": said}], "role": "model"} if said else None,
        }
        for at, (asked, said) in enumerate(turns)
    ]
    return {"eval_set_id": name, "eval_cases": [{"eval_id": "a", "conversation": told}]}


GOLDEN = list(zip(ASKED, SAID, strict=True))
MUTATED = {
    "as it should be": [GOLDEN],
    "an extra turn": [[GOLDEN[0], WHALES, *GOLDEN[1:]]],
    "a missing turn": [[GOLDEN[0], GOLDEN[2]]],
    "other words": [[GOLDEN[0], (ASKED[1], "No idea whatsoever"), GOLDEN[2]]],
    "repeats": [GOLDEN, [GOLDEN[0], GOLDEN[2]], [*GOLDEN, WHALES]],
}


def put(path: Path, value: Json) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def both(request: Request, target: Path) -> tuple[RunVerdict, tuple[CaseVerdict, ...]]:
    """A run, and what its result file is read as."""
    run = evaluate(request)
    save_report(RequestedReport("adk", target), run, request)
    contents = open_file(target).contents
    assert [finding.code for finding in contents.findings] == []
    cases = {
        (one.path, case.place, case.id): case
        for one in request.goldens or request.traces
        for suite in one.contents.suites
        for case in suite.cases
    }
    return with_digests(run, cases), contents.reported


def told(metric: MetricVerdict) -> tuple[object, ...]:
    rubrics = tuple((one.rubric_id, one.score, one.rationale, one.text, one.votes) for one in metric.rubrics)
    evidence = metric.votes, rubrics, metric.sentences, metric.calls
    return metric.metric, metric.status, metric.score, metric.reason, metric.crashed, metric.overruled, evidence


def turn_told(turn: TurnVerdict) -> tuple[object, ...]:
    return turn.index, turn.golden_index, turn.status, turn.reason, [told(metric) for metric in turn.metrics]


def same(run: RunVerdict, reported: Sequence[CaseVerdict]) -> None:
    """Every case, turn and metric, but for what only our own conversations know."""
    assert len(run.cases) == len(reported)
    for own, found in zip(run.cases, reported, strict=True):
        assert found.provenance is Provenance.REPORTED
        for field in (
            "case_id", "suite_id", "status", "missing_turns", "extra_turns", "hides", "reason", "paired_by",
            "golden_path", "golden_digest", "candidate", "persona",
        ):  # fmt: skip
            assert getattr(found, field) == getattr(own, field), (own.case_id, field)
        assert [told(metric) for metric in found.metrics] == [told(metric) for metric in own.metrics]
        assert [turn_told(turn) for turn in found.turns] == [turn_told(turn) for turn in own.turns]
        assert {metric.provenance for metric in found.metrics} <= {Provenance.REPORTED}


@pytest.mark.parametrize("judge", [None, REPLIES])
@pytest.mark.parametrize("name", ["run-0405.json", "run-0412.json"])
def test_the_samples(name: str, judge: str | None, tmp_path: Path) -> None:
    goldens = open_given([SAMPLES / "retail.evalset.json"])
    asked = judge_named(judge) if judge else None
    run, reported = both(Request(open_given([SAMPLES / name]), goldens, judge=asked), tmp_path / "r.json")
    same(run, reported)
    assert any(one.missing_turns or one.extra_turns for one in reported) is (name == "run-0412.json")
    assert main(["audit", str(tmp_path / "r.json")]) == 0


@pytest.mark.parametrize("name", ["ces-result.json", "vertex-items.json", "agent-eval.jsonl"])
def test_the_samples_of_other_systems(name: str, tmp_path: Path) -> None:
    first, again = both(Request(open_given([OTHERS / name])), tmp_path / "r.json")
    same(first, again)
    assert again


@pytest.mark.parametrize("rules", ["", "adk"])
@pytest.mark.parametrize("about", MUTATED)
def test_what_was_changed(about: str, rules: str, tmp_path: Path) -> None:
    """Also a judge with five votes on each answer, one of whom could not be read."""
    golden = put(tmp_path / "g.json", conversation("s", GOLDEN))
    traces = [put(tmp_path / f"t{at}.json", conversation(f"t{at}", one)) for at, one in enumerate(MUTATED[about])]
    criteria: JsonObject = {"response_match_score": 0.5, "final_response_match_v2": judged_by(5)}
    wanted = put(tmp_path / "c.json", {"criteria": criteria})
    said = [f'{{"is_the_agent_response_valid": "{word}",\n}}' for word in ("valid", "valid", "invalid", "valid", "?")]
    replies: list[Json] = [
        {"metric": "final_response_match_v2", "case": "a", "turn": turn, "sample": sample, "reply": reply}
        for turn in range(4)
        for sample, reply in enumerate(said)
    ]
    judge = judge_named(f"recorded:{put(tmp_path / 'j.json', {'version': 1, 'replies': replies})}")
    request = Request(
        open_given(traces),
        open_given([golden]),
        criteria=read_criteria(wanted),
        judge=judge,
        choices=Choices(rules=rules),
    )
    run, reported = both(request, tmp_path / "r.json")
    same(run, reported)
    votes = [one.votes for verdict in reported for turn in verdict.turns for one in turn.metrics if one.votes]
    assert set(votes) == ({(1.0, 1.0, 0.0, 1.0, None)} if votes else set())
    assert votes or rules == "adk"
    assert main(["audit", str(tmp_path / "r.json")]) == 0


def judged_by(samples: int) -> JsonObject:
    return {"threshold": 0.5, "judge_model_options": {"judge_model": "m", "num_samples": samples}}


def written(path: Path) -> JsonObject:
    """A result file of ours on which there is something of everything."""
    golden = put(path.with_name("g.json"), conversation("s", GOLDEN))
    trace = put(path.with_name("t.json"), conversation("t", [GOLDEN[0], WHALES, GOLDEN[2]]))
    assert main(["evaluate", str(trace), "--golden", str(golden), "--report", f"adk={path}"]) == 1
    value: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    return value


def ours(value: JsonObject) -> JsonObject:
    cases = value["eval_case_results"]
    assert isinstance(cases, list)
    assert isinstance(cases[0], dict)
    found = cases[0]["traceInspector"]
    assert isinstance(found, dict)
    return found


WRONG: tuple[Json, ...] = (None, True, -1, 2.5, "odd", [], ["odd", None, -1, {}], {"odd": {}}, 10**400)
TRIED_EVERY, AUDITED_EVERY = 3, 4


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong)[:20])
def test_values_of_wrong_kinds_are_told_with_their_places(wrong: Json, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    value = written(path)
    known = len(open_file(path).contents.reported)
    places = [(holder, key) for holder, keys in holders(ours(value)) for key in keys]
    nth = WRONG.index(wrong)
    # Each place is tried with a third of the values and audited with some; in the long run with all of them.
    for number, (holder, key) in enumerate(places if is_long() else places[nth % TRIED_EVERY :: TRIED_EVERY]):
        good, holder[key] = holder[key], wrong
        put(path, value)
        contents = open_file(path).contents
        assert len(contents.reported) == known
        assert all(finding.pointer for finding in contents.findings)
        if is_long() or number % AUDITED_EVERY == nth % AUDITED_EVERY:
            assert main(["audit", str(path)]) in (0, 1)
        holder[key] = good


def holders(value: Json) -> list[tuple[JsonObject, list[str]]]:
    """Every object in a value, with its keys."""
    if isinstance(value, list):
        return [found for item in value for found in holders(item)]
    if not isinstance(value, dict):
        return []
    return [(value, [*value]), *(found for item in value.values() for found in holders(item))]


def test_lists_keep_what_fits(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    value = written(path)
    own = ours(value)
    own["missing_turns"], own["hides"] = [1, "two", -3], ["1 could not run", 5]
    turns = own["turns"]
    assert isinstance(turns, list)
    turns += ["odd", {"index": 77, "status": "FAILED"}, {"index": None, "golden_index": 1, "status": "odd"}]
    put(path, value)
    contents = open_file(path).contents
    (verdict,) = contents.reported
    assert (verdict.missing_turns, verdict.hides) == ((1,), ("1 could not run",))
    assert sorted(finding.code for finding in contents.findings) == [
        "no-such-turn", "unknown-status", "wrong-type", "wrong-type", "wrong-type", "wrong-type",
    ]  # fmt: skip
    assert {finding.pointer.rpartition("/")[0].rpartition("/")[2] for finding in contents.findings} >= {
        "missing_turns",
        "hides",
        "turns",
    }


def test_adks_own_status_counts_where_ours_says_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    value = written(path)
    ours(value)["status"] = "PASSED"
    put(path, value)
    contents = open_file(path).contents
    assert contents.reported[0].status is Status.FAILED
    assert [finding.code for finding in contents.findings] == ["statuses-differ"]


def test_a_later_version_of_ours_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    value = written(path)
    ours(value)["version"] = 2
    put(path, value)
    contents = open_file(path).contents
    assert (contents.reported[0].missing_turns, contents.reported[0].golden_path) == ((), "")
    assert [finding.code for finding in contents.findings] == ["other-version"]


def test_what_was_redacted_has_no_digest(tmp_path: Path) -> None:
    """A digest of the whole golden would let anyone try what was taken out."""
    golden = put(tmp_path / "g.json", conversation("s", GOLDEN))
    report = tmp_path / "r.json"
    run = ["evaluate", str(golden), "--golden", str(golden), "--report", f"adk={report}"]
    for more, has_digest in (((), True), (("--redact", "euros"), False)):
        report.unlink(missing_ok=True)
        main([*run, *more])
        assert ('"digest"' in report.read_text(encoding="utf-8")) is has_digest
