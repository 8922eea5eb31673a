"""Every lint finds what it is for and nothing in a sound suite; what it offers to mend takes its hint away."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.value_paths import with_value
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.lints import LINTS, Hint, LintContext, linted
from trace_inspector.engine.lints.criteria_needs import SCRIPTED, SIMULATED
from trace_inspector.engine.lints.suites import READ_TYPES
from trace_inspector.engine.metrics import METRICS
from trace_inspector.formats.adk.eval_set.case_change import changed
from trace_inspector.formats.adk.eval_set.eval_set import read
from trace_inspector.formats.common.format import Source

FIND: Json = {
    "name": "find",
    "parameters": {"type": "OBJECT", "properties": {"q": {"type": "STRING"}, "at": {}, "when": {}}},
}
ID = "0b7e5a7c-3f7e-4f5e-9a52-0d6f7f1b2c3d"


def case(name: str, words: str, args: JsonObject, **more: Json) -> JsonObject:
    return {
        "eval_id": name,
        "conversation": [
            {
                "user_content": {"parts": [{"text": words}]},
                "final_response": {"parts": [{"text": "Here."}]},
                "intermediate_data": {"tool_uses": [{"name": "find", "args": args}]},
                "app_details": {"agent_details": {"host": {"name": "host", "tool_declarations": [FIND]}}},
            }
        ],
        **more,
    }


SOUND: JsonObject = {
    "eval_set_id": "s",
    "eval_cases": [
        case("tables", "A table for two", {"q": "table"}),
        case("chairs", "Six chairs in the garden, please", {"q": "chairs"}),
    ],
}
CASE = "/eval_cases/0"
TURN = f"{CASE}/conversation/0"
CALL = f"{TURN}/intermediate_data/tool_uses/0"


def suite_of(value: Json) -> Suite:
    return collect("", read(Source(value, "s.json"))).suites[0]


def with_one(pointer: str, new: Json) -> JsonObject:
    value = with_value(SOUND, pointer, new)
    assert isinstance(value, dict)
    return value


def rubrics(*named: tuple[str, str, str | None]) -> Json:
    return [
        {"rubric_id": name, "rubric_content": {"text_property": text}, "type": kind} for name, text, kind in named
    ]


@each(
    ("name", "pointer", "new", "place"),
    [
        ("silent-user", f"{TURN}/user_content", {"parts": []}, TURN),
        ("silent-user", f"{TURN}/user_content/parts/0/text", " \n", TURN),
        ("no-id", "/eval_cases/1/eval_id", " ", "/eval_cases/1"),
        ("empty-answer", f"{TURN}/final_response/parts/0/text", " ", TURN),
        ("undeclared-tool", f"{CALL}/name", "fly", CALL),
        ("wrong-argument", f"{CALL}/args", {"q": 1},
         f"{CALL}/args/q"),
        ("wrong-argument", f"{CALL}/args", {"q": "a", "x": 1},
         f"{CALL}/args/x"),
        ("volatile-value", f"{CALL}/args", {"q": ID},
         f"{CALL}/args/q"),
        ("volatile-value", f"{CALL}/args", {"q": "2026-01-02T03:04:05Z"},
         f"{CALL}/args/q"),
        ("volatile-value", f"{CALL}/args", {"at": 1767322445.1},
         f"{CALL}/args/at"),
        ("volatile-value", f"{CALL}/args", {"when": [{"a": "2026-01-02"}]},
         f"{CALL}/args/when/0/a"),
        ("no-id", "/eval_cases/0/eval_id", " ", "/eval_cases/0"),
        ("repeated-id", "/eval_cases/0/eval_id", "chairs", "/eval_cases/1"),
        ("empty-rubric", "/eval_cases/0/rubrics", rubrics(("a", "", None)), "/eval_cases/0/rubrics/0"),
        ("repeated-rubric", "/eval_cases/0/rubrics", rubrics(("a", "Kind", None), ("a", "Short", None)),
         "/eval_cases/0/rubrics/1"),
        ("unread-rubric", f"{TURN}/rubrics", rubrics(("a", "Kind", "NICE")), f"{TURN}/rubrics/0"),
        ("near-duplicate", f"{TURN}/user_content/parts/0/text", "six chairs in the garden please", "/eval_cases/1"),
    ],
)  # fmt: skip
def test_each_lint_finds_its_fault_and_mends_it(name: str, pointer: str, new: Json, place: str) -> None:
    value = with_one(pointer, new)
    (hint,) = linted(suite_of(value))
    assert (hint.lint, hint.place) == (name, place)
    assert hint.sentence.endswith(".")
    assert resolve(value, hint.place) is not None
    if hint.fix is not None:
        assert list(linted(suite_of(mended(value, hint)))) == []


def mended(value: JsonObject, hint: Hint) -> Json:
    """The document after what the hint offers."""
    assert hint.fix is not None
    suite = suite_of(value)
    if hint.fix.drops_case:
        cases = value["eval_cases"]
        assert isinstance(cases, list)
        return {**value, "eval_cases": [raw for at, raw in enumerate(cases) if hint.case != f"/eval_cases/{at}"]}
    (one,) = (each for each in suite.cases if each.place == hint.case)
    raw = resolve(value, hint.case)
    assert isinstance(raw, dict)
    for change in hint.fix.changes:
        raw = changed(raw, one, change)
    return with_value(value, hint.case, raw)


def test_a_sound_suite_has_no_hints() -> None:
    assert list(linted(suite_of(SOUND))) == []


def test_a_value_with_a_matcher_is_not_compared_exactly() -> None:
    place = "/conversation/0/intermediate_data/tool_uses/0/args"
    ours: JsonObject = {"version": 1, "matchers": {place: {"match": "subset"}}}
    cases: list[Json] = [case("one", "Hello", {"q": ID}, traceInspector=ours)]
    assert list(linted(suite_of({"eval_set_id": "s", "eval_cases": cases}))) == []


def test_what_criteria_need_and_how_runs_fared() -> None:
    suite = suite_of(SOUND)
    around = LintContext(
        (Criterion("final_state", 1.0), Criterion("response_match_score", 0.8)), {"/eval_cases/1": Status.FAILED}
    )
    told = [(hint.lint, hint.case) for hint in linted(suite, around)]
    assert told == [
        ("from-failing-run", "/eval_cases/1"),
        ("criterion-lacks", "/eval_cases/0"),
        ("criterion-lacks", "/eval_cases/1"),
    ]
    bare = replace(suite, cases=tuple(replace(one, turns=()) for one in suite.cases))
    asked = LintContext(
        (
            Criterion("rubric_based_tool_use_quality_v1", 1.0, {"rubrics": [{}]}),
            Criterion("final_response_match_v2", 1.0),
        )
    )
    assert {hint.sentence.split("”")[0] for hint in linted(bare, asked)} == {"“final_response_match_v2"}


TALK: JsonObject = {"eval_id": "t", "conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": "Book."}}


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("per_turn_user_simulator_quality_v1", "needs a simulated user; “tables”"),
        ("tool_trajectory_avg_score", "needs turns with what is expected; “t”"),
        ("hallucinations_v1", ""),
        ("ces_tool_order", ""),
        ("of nobody", ""),
    ],
)
def test_a_script_and_a_simulated_user_are_judged_by_criteria_of_their_own(metric: str, said: str) -> None:
    suite = suite_of({"eval_set_id": "s", "eval_cases": [case("tables", "A table", {"q": "table"}), TALK]})
    hints = list(linted(suite, LintContext((Criterion(metric, 1.0),))))
    assert [said in hint.sentence for hint in hints] == ([True] if said else [])


def test_the_criteria_of_scripts_and_of_simulated_users_are_those_of_the_metrics() -> None:
    known = [metric for metric in METRICS if metric.family != "ces"]
    assert {metric.name for metric in known if "golden" in metric.needs} == SCRIPTED
    assert {metric.name for metric in known if "scenario" in metric.needs} == SIMULATED


def test_a_value_that_does_not_fit_goes_where_the_call_can_do_without_it() -> None:
    (hint,) = linted(suite_of(with_one(f"{CALL}/args", {"q": "a", "x": 1})))
    assert hint.fix is not None
    value = mended(with_one(f"{CALL}/args", {"q": "a", "x": 1}), hint)
    assert resolve(value, f"{CALL}/args") == {"q": "a"}
    tools: JsonObject = {"name": "find", "parameters": {"properties": {"q": {"type": "STRING"}}, "required": ["q"]}}
    strict = with_one(f"{TURN}/app_details/agent_details/host/tool_declarations", [tools])
    needed: list[Json] = [{"q": 1}, {}]
    for args in needed:
        (hint,) = (one for one in linted(suite_of(with_value(strict, f"{CALL}/args", args))) if one.case == CASE)
        assert (hint.lint, hint.fix) == ("wrong-argument", None)


def test_a_picture_is_said_too() -> None:
    file: JsonObject = {"file_data": {"file_uri": "gs://a", "mime_type": "image/png"}}
    assert list(linted(suite_of(with_one(f"{TURN}/user_content/parts", [file])))) == []


def test_the_types_that_count_as_read_are_those_of_the_metrics() -> None:
    named = {
        metric.name for metric in METRICS if "rubrics" in metric.reads and metric.name.startswith("rubric_based")
    }
    assert len(named) == len(READ_TYPES)
    assert len({lint.name for lint in LINTS}) == len(LINTS)


def test_many_cases_and_large_arguments_are_looked_at_in_bounds() -> None:
    long: JsonObject = {str(at): [at] * 10 for at in range(3_000)}
    cases: list[Json] = [
        case(f"c{at}", f"Question number {at} about {at * 7} things", {"q": "x"}) for at in range(900)
    ]
    cases.append(case("large", "What about everything", long))
    found = list(linted(suite_of({"eval_set_id": "s", "eval_cases": cases})))
    assert {hint.case for hint in found if hint.lint == "wrong-argument"} == {"/eval_cases/900"}
