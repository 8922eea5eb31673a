"""`diff` and `compare-runs` must not say “the same” where anything differs, nor name another place than they show."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

Call = tuple[str, JsonObject]
CALLS = "/conversation/0/intermediate_data/tool_uses"
POLICIES = ("exact", "in-order", "any-order", "partial", "ces")


def turn(*calls: Call, question: str = "How?", answer: str = "So.") -> JsonObject:
    return {
        "user_content": {"parts": [{"text": question}]},
        "final_response": {"parts": [{"text": answer}]},
        "intermediate_data": {"tool_uses": [{"name": name, "args": args} for name, args in calls]},
    }


def at_once(*calls: Call) -> JsonObject:
    """A turn of which all calls were asked for at once."""
    parts: list[Json] = [{"function_call": {"name": name, "args": args}} for name, args in calls]
    event: JsonObject = {"author": "agent", "content": {"role": "model", "parts": parts}}
    return {**turn(), "intermediate_data": {"invocation_events": [event]}}


def suite(path: Path, *turns: JsonObject, matchers: JsonObject | None = None, case: str = "one") -> Path:
    more = {"traceInspector": {"version": 1, "matchers": matchers}} if matchers else {}
    value = {"eval_set_id": path.stem, "eval_cases": [{"eval_id": case, "conversation": [*turns], **more}]}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def session(path: Path, *answers: str | None) -> Path:
    """A recorded conversation; None is a turn without an answer."""
    events: list[Json] = []
    for at, answer in enumerate(answers):
        for author, text in (("user", f"Question {at}?"), ("agent", answer)):
            part: JsonObject = {"text": text} if text is not None else {"function_call": {"name": "f", "args": {}}}
            events.append(
                {"author": author, "invocation_id": f"t{at}", "id": str(len(events)), "content": {"parts": [part]}}
            )
    value = {"app_name": "a", "user_id": "u", "id": "one", "state": {}, "last_update_time": 1.0, "events": events}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def diff(*words: object) -> int:
    return main(["diff", *map(str, words)])


def results(path: Path, **statuses: Sequence[int]) -> Path:
    """Repeats of cases: 1 passed, 2 failed, 3 not evaluated."""
    cases: list[Json] = []
    for name, repeats in statuses.items():
        for number, status in enumerate(repeats):
            metric: JsonObject = {"metric_name": "m", "threshold": 0.8, "score": 1.0, "eval_status": status}
            cases.append(
                {
                    "eval_set_id": "s", "eval_id": name, "final_eval_status": status, "session_id": f"{name}{number}",
                    "overall_eval_metric_results": [metric], "eval_metric_result_per_invocation": [],
                }
            )  # fmt: skip
    path.write_text(json.dumps({"eval_set_result_id": path.stem, "eval_set_id": "s", "eval_case_results": cases}))
    return path


def test_one_recording_of_a_folder_does_not_speak_for_the_goldens_of_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, argument in (("left", 1), ("right", 2)):
        suite(tmp_path / name / "a.evalset.json", turn(("f", {"x": argument})), case="golden")
        session(tmp_path / name / "b.json", "So.")
    assert diff(tmp_path / "left", tmp_path / "right") == 1
    assert "1 argument differs" in capsys.readouterr().out


@pytest.mark.parametrize("policy", ["partial", "ces"])
@pytest.mark.parametrize(("made", "code"), [("abc", 1), ("12", 0), ("x", 1)])
def test_a_pattern_decides_also_about_its_own_value(
    policy: str, made: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    digits: JsonObject = {f"{CALLS}/0/args/x": {"match": "regexp", "pattern": r"^\d+$"}}
    golden = suite(tmp_path / "g.json", turn(("f", {"x": "abc"})), matchers=digits)
    other = suite(tmp_path / "o.json", turn(("f", {"x": made})))
    assert diff(golden, other, "--policy", policy) == code
    criteria = tmp_path / "c.json"
    criteria.write_text(json.dumps({"criteria": {"trajectory_match": 1.0}}))
    assert main(["evaluate", str(other), "--golden", str(golden), "--criteria", str(criteria)]) == code
    capsys.readouterr()


def test_true_is_not_one_to_ces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = suite(tmp_path / "l.json", turn(("f", {"x": True})))
    right = suite(tmp_path / "r.json", turn(("f", {"x": 1})))
    assert [diff(left, right, "--policy", policy) for policy in POLICIES] == [0, 0, 0, 0, 1]
    capsys.readouterr()


def test_a_pattern_that_takes_too_long_is_a_note_and_all_else_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow: JsonObject = {f"{CALLS}/0/args/x": {"match": "regexp", "pattern": "^(a|aa)+$"}}
    calls: list[Call] = [("f", {"x": "a" * 60 + end}) for end in "bcdefghijk"]
    golden = suite(tmp_path / "g.json", turn(*calls, ("g", {"y": 1})), matchers=slow)
    other = suite(tmp_path / "o.json", turn(*reversed(calls), ("g", {"y": 2})))
    assert diff(golden, other, "--policy", "partial") == 1
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("Note: What a matcher cannot decide counts as different: the pattern at ")
    assert "y: 1 ≠ 2" in out


def test_an_answer_that_a_recording_does_not_have_was_not_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = session(tmp_path / "l.json", None), session(tmp_path / "r.json", "It is so.")
    for one, other in (paths, paths[::-1]):
        assert diff(one, other, "--policy", "any-order") == 1
        assert "1 answer differs" in capsys.readouterr().out
    value: JsonObject = {**turn(), "final_response": None}
    assert diff(suite(tmp_path / "g.json", value), suite(tmp_path / "h.json", turn())) == 0  # a golden does not ask


SWAPPED: tuple[Call, ...] = ("f", {"x": 1}), ("g", {"y": 1})


def test_another_order_of_calls_asked_for_at_once_has_a_row_where_order_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left, right = suite(tmp_path / "l.json", at_once(*SWAPPED)), suite(tmp_path / "r.json", at_once(*SWAPPED[::-1]))
    assert [diff(left, right, "--policy", policy) for policy in POLICIES] == [1, 1, 0, 0, 0]
    capsys.readouterr()
    diff(left, right)
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(" ↕ turn 1, call ")
    assert "the same call at another position (call 2), among calls made at the same time" in out[0]
    assert out[-1].startswith("2 of 2 calls match; 1 moved; parts at turn 1")


def test_arguments_that_break_the_rule_are_listed_and_no_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted: JsonObject = {f"a{at}": at for at in range(150)}
    given: JsonObject = {**wanted, "a0": "x", "a1": "x", "a149": "x", "more": 1}
    ignored: JsonObject = {f"{CALLS}/0/args/a0": {"match": "ignore"}}
    golden = suite(tmp_path / "g.json", turn(("f", wanted)), matchers=ignored)
    other = suite(tmp_path / "o.json", turn(("f", given)))
    for policy, names in (("exact", ["a0", "a1", "a149", "more"]), ("partial", ["a1", "a149"])):
        assert diff(golden, other, "--policy", policy) == 1
        listed = [line.split(":")[0].strip() for line in capsys.readouterr().out.splitlines() if " ≠ " in line]
        assert [name for name in listed if name in given] == names


def test_sentence_and_page_part_at_the_same_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls: list[Call] = [("f", {"x": at}) for at in range(3)]
    a, b, c = calls
    left, right = suite(tmp_path / "l.json", turn(a, b, c)), suite(tmp_path / "r.json", turn(c, a, b))
    assert diff(left, right, f"--report=html={tmp_path / 'd.html'}") == 1
    assert capsys.readouterr().out.splitlines()[-1] == "3 of 3 calls match; 1 moved; parts at turn 1, call 1"
    (row,) = (tmp_path / "d.html").read_text().split("They part here")[1:]
    assert row.split("<tr ")[1].count("f(x=0)") == 2


def test_the_page_has_room_for_what_differs_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many: list[Call] = [("f", {"x": 1})] * 6_000
    left = suite(tmp_path / "l.json", turn(*many, ("last", {"x": 1})))
    right = suite(tmp_path / "r.json", turn(*many, ("last", {"x": "another"})))
    assert diff(left, right, f"--report=html={tmp_path / 'd.html'}") == 1
    page = (tmp_path / "d.html").read_text()
    assert "another" in page
    assert "They part here" in page
    assert "1,002 more rows are left out" in page
    capsys.readouterr()


def test_one_row_is_no_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many: list[Call] = [("f", {"x": 1})] * 5_000  # and the answer
    path = suite(tmp_path / "l.json", turn(*many))
    assert diff(path, path, f"--report=html={tmp_path / 'd.html'}") == 0
    assert "1 more row is left out." in (tmp_path / "d.html").read_text()
    capsys.readouterr()


def test_calls_that_nobody_compared_are_not_told_as_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    silent: JsonObject = {**turn(), "intermediate_data": None}
    left = suite(tmp_path / "l.json", turn(("f", {}), ("g", {})), turn(("h", {}), question="Why?"))
    right = suite(tmp_path / "r.json", silent, turn(("h", {}), question="Why?"))
    assert diff(left, right) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 of 1 calls match"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["empty"], "“empty” is only on the first side; it has no turns."),
        (["empty", "void", "none"], "“empty” and 2 more are only on the first side; they have no turns."),
    ],
)
def test_a_conversation_without_turns_in_one_file_alone_is_told(
    names: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = [{"eval_id": name, "conversation": []} for name in names]
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "one", "conversation": [turn()]}, *empty]}
    (left := tmp_path / "l.json").write_text(json.dumps(value))
    right = suite(tmp_path / "r.json", turn())
    diff(left, right)
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("Note")] == [f"Note: {said}"]


REPEATS = {
    "passed, and one passed of ten": ([1] * 10, [1] + [3] * 9, "not comparable", 3),
    "whatever they came to": ([1] * 4, [2, 2, 3, 1], "regressed", 1),
    "worse at best": ([1, 1, 2, 2], [2, 2, 2, 3], "regressed", 1),
    "better at worst": ([2, 2], [3, 1], "improved", 0),
    "perhaps better": ([1, 2], [3, 1], "not comparable", 3),
    "all decided": ([1, 2], [2, 1], "unchanged", 0),
}


@pytest.mark.parametrize("what", REPEATS)
def test_repeats_that_nobody_decided_are_not_taken_for_passed(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, new, change, code = REPEATS[what]
    paths = results(tmp_path / "b.json", a=base), results(tmp_path / "n.json", a=new)
    assert main(["compare-runs", *map(str, paths)]) == code
    out = capsys.readouterr().out
    assert f"1 {change}" in out
    if change == "not comparable":
        assert f"not decided: {new.count(3)} of {len(new)} repeats of the candidate" in out


def test_nearly_all_is_not_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = results(tmp_path / "b.json", a=[1] * 200), results(tmp_path / "n.json", a=[1] * 199 + [2])
    main(["compare-runs", *map(str, paths)])
    out = capsys.readouterr().out
    assert "200 of 200 passed, 98 % to 100 % with 95 % confidence" in out
    assert "199 of 200 passed, 97 % to >99 % with 95 % confidence" in out


def test_of_large_arguments_the_place_is_told_that_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items: list[Json] = [{"id": at, "note": "n" * 60, "qty": at} for at in range(12)]
    others: list[Json] = [
        {**item, "qty": 70} if at == 7 else item for at, item in enumerate(items) if isinstance(item, dict)
    ]
    many: JsonObject = {f"k{at:02}": "v" * 10 for at in range(30)}
    changed: JsonObject = {**dict(reversed(many.items())), "k15": "w"}
    one = suite(tmp_path / "a.json", turn(("f", {"order": {"items": items}}), ("g", {"a": many})))
    other = suite(tmp_path / "b.json", turn(("f", {"order": {"items": others}}), ("g", {"a": changed})))
    assert diff(one, other) == 1
    said = capsys.readouterr().out.splitlines()
    assert "    order.items[7].qty: 7 ≠ 70" in said
    assert '    a.k15: "vvvvvvvvvv" ≠ "w"' in said
    assert len(said) == 5


def test_very_much_that_differs_in_one_argument_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides: list[JsonObject] = [{f"k{at}": at + more for at in range(50)} for more in (0, 1)]
    paths = [suite(tmp_path / f"{at}.json", turn(("f", {"a": side}))) for at, side in enumerate(sides)]
    assert diff(*paths) == 1
    assert "    a: 30 more" in capsys.readouterr().out.splitlines()


def test_an_answer_that_is_not_there_has_no_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said, silent = session(tmp_path / "a" / "s.json", "Yes."), session(tmp_path / "b" / "s.json", None)
    assert diff(said, silent) == 1
    out = capsys.readouterr().out.splitlines()
    assert any(line.endswith("turn 1: there is no answer") for line in out)
    assert "    - Yes." in out
    assert "    + " not in out
    assert diff(silent, said) == 1
    assert "turn 1: there is an answer only on the second side" in capsys.readouterr().out
