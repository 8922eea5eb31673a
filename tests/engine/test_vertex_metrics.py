"""Vertex AI's computed metrics: tables of what goes in and what is decided. Sections are those of the reference."""

from __future__ import annotations

import pytest

from tests.engine.builders import case, judged, trace, turn
from tests.helpers.tables import each
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.engine.scoring.metric import CannotJudge
from trace_inspector.engine.vertex.answers import rouge_1, rouge_l_sum

A, B, C = (ToolCall(name, {"x": 1}) for name in "abc")
OTHER = ToolCall("a", {"x": 2})

EXACT, IN_ORDER, ANY_ORDER = "trajectory_exact_match", "trajectory_in_order_match", "trajectory_any_order_match"
PRECISION, RECALL = "trajectory_precision", "trajectory_recall"


def paths(expected: list[ToolCall], made: list[ToolCall], metric: str) -> CaseVerdict:
    """One golden turn and one observed turn, by Vertex AI's rules."""
    golden, observed = case("c", turn("q", "a", expected)), trace("t", turn("q", "a", made))
    return judged(golden, observed, metric, rules="vertex")


@each(
    ("section", "expected", "made", "exact", "in_order", "any_order", "precision", "recall"),
    [
        # B6 names the metrics and what a path is made of; what they count is [I], as docs/criteria.md says it.
        ("B6 toolName and toolInput are the same", [A, B], [A, B], 1, 1, 1, 1, 1),
        ("B6 [I] the order counts where the name says so", [A, B], [B, A], 0, 0, 1, 1, 1),
        ("B6 [I] calls among others", [A, B], [A, C, B], 0, 1, 1, 2 / 3, 1),
        ("B6 [I] one is missing", [A, B], [A], 0, 0, 0, 1, 1 / 2),
        ("B6 [I] shares look at each call by itself", [A], [A, A], 0, 1, 1, 1, 1),
        ("B6 [I] a path has a call twice only when it is made twice", [A, A], [A], 0, 0, 0, 1, 1),
        ("B6 toolInput counts", [A], [OTHER], 0, 0, 0, 0, 0),
        ("E1 an empty list means no calls", [], [], 1, 1, 1, 1, 1),
        ("E1 an empty list, and a call is made", [], [A], 0, 1, 1, 0, 1),
        ("B6 [I] nothing is called", [A], [], 0, 0, 0, 0, 0),
    ],
)
def test_paths(
    section: str,
    expected: list[ToolCall],
    made: list[ToolCall],
    exact: float,
    in_order: float,
    any_order: float,
    precision: float,
    recall: float,
) -> None:
    wanted = {EXACT: exact, IN_ORDER: in_order, ANY_ORDER: any_order, PRECISION: precision, RECALL: recall}
    found = {name: paths(expected, made, name).metrics[0] for name in wanted}
    assert {name: verdict.score for name, verdict in found.items()} == wanted, section
    for verdict in found.values():
        assert verdict.status is (Status.PASSED if verdict.score == 1 else Status.FAILED)
        assert bool(verdict.reason) == (verdict.score != 1)


def test_a_conversation_is_one_path_however_it_is_parted_into_turns() -> None:
    golden = case("c", turn("q", "a", [A]), turn("r", "b", [B]))
    observed = trace("t", turn("q", "a", [A, B]), turn("r", "b", []))
    verdict = judged(golden, observed, EXACT, rules="vertex")
    assert verdict.metrics[0].score == 1.0
    assert [len(one.metrics) for one in verdict.turns] == [0, 1]  # it stands at the last turn


def test_our_own_precision_goes_turn_by_turn_and_vertex_counts_the_conversation() -> None:
    golden = case("c", turn("q", "a", [A]), turn("r", "b", [B]))
    observed = trace("t", turn("q", "a", [A, B, C]), turn("r", "b", [B]))
    assert judged(golden, observed, PRECISION).metrics[0].score == pytest.approx((1 / 3 + 1) / 2)
    assert judged(golden, observed, PRECISION, rules="vertex").metrics[0].score == 3 / 4


@each("metric", [EXACT, IN_ORDER, ANY_ORDER, PRECISION, RECALL, "tool_name_match"])
def test_a_golden_without_calls_decides_nothing(metric: str) -> None:
    verdict = judged(case("c", turn("q", "a")), trace("t", turn("q", "a", [A])), metric, rules="vertex")
    assert verdict.metrics[0].status is Status.NOT_EVALUATED
    assert verdict.metrics[0].reason == "the golden does not say which calls to expect"


@pytest.mark.parametrize(
    ("section", "options", "made", "score", "reason"),
    [
        ("B6 trajectory_single_tool_use", {"tool_name": "a"}, [B, A], 1.0, ""),
        ("B6 trajectory_single_tool_use", {"tool_name": "a"}, [B], 0.0, "no call of “a”"),
        (
            "B6 [I] without a name nothing is decided",
            {},
            [A],
            None,
            "trajectory_single_tool_use: the option “tool_name” is missing; name the tool to be used",
        ),
    ],
)
def test_a_single_tool(
    section: str, options: dict[str, Json], made: list[ToolCall], score: float | None, reason: str
) -> None:
    verdict = judged(None, trace("t", turn("q", "a", made)), "trajectory_single_tool_use", 1.0, options, "vertex")
    assert (verdict.metrics[0].score, verdict.metrics[0].reason) == (score, reason), section


def call(name: str, args: Json | Absent = ABSENT) -> ToolCall:
    """A call with these arguments."""
    return ToolCall(name, args)


@each(
    ("section", "expected", "made", "valid", "name", "keys", "values"),
    [
        # B6 names the metrics; what they count is [I], as docs/criteria.md says it.
        ("B6 tool_*, the same call", call("f", {"x": 1, "y": 2}), call("f", {"x": 1, "y": 2}), 1, 1, 1, 1),
        ("B6 tool_parameter_kv_match", call("f", {"x": 1, "y": 2}), call("f", {"x": 1, "y": 3}), 1, 1, 1, 1 / 2),
        ("B6 tool_parameter_key_match", call("f", {"x": 1, "y": 2}), call("f", {"x": 1}), 1, 1, 1 / 2, 1 / 2),
        ("B6 [I] more than expected is free", call("f", {"x": 1}), call("f", {"x": 1, "y": 2}), 1, 1, 1, 1),
        ("E2 absent is not null", call("f", {"x": None}), call("f", {}), 1, 1, 0, 0),
        ("B6 tool_name_match", call("f", {"x": 1}), call("g", {"x": 1}), 1, 0, 0, 0),
        ("B6 [I] no arguments on both sides", call("f"), call("f", None), 1, 1, 1, 1),
        ("B6 [I] arguments where none are expected", call("f"), call("f", {"x": 1}), 1, 1, 0, 0),
        ("B2 args is an object", call("f", {"x": 1}), call("f", [1]), 0, 1, 0, 0),
        ("B6 [I] a valid call names its tool", call(""), call(""), 0, 1, 1, 1),
        ("B6 [I] nothing is called", call("f"), None, 0, 0, 0, 0),
    ],
)
def test_the_first_call(
    section: str, expected: ToolCall, made: ToolCall | None, valid: float, name: float, keys: float, values: float
) -> None:
    wanted = {
        "tool_call_valid": valid,
        "tool_name_match": name,
        "tool_parameter_key_match": keys,
        "tool_parameter_kv_match": values,
    }
    calls = [] if made is None else [made, C]
    assert {one: paths([expected], calls, one).metrics[0].score for one in wanted} == wanted, section


@pytest.mark.parametrize(
    ("section", "made", "score"),
    [("E1 an empty list means no calls", [], 1.0), ("E1 an empty list, and a call is made", [A], 0.0)],
)
def test_no_call_expected(section: str, made: list[ToolCall], score: float) -> None:
    assert paths([], made, "tool_name_match").metrics[0].score == score, section


@each(
    ("section", "reference", "answer", "exact", "unigrams", "longest"),
    [
        # B6 names the metrics; the figures are those of rouge-score 0.1.2 without stemmer.
        ("B6 exact_match", "the cat sat", "the cat sat", 1, 1, 1),
        ("B6 [I] ROUGE knows no capitals", "the cat sat", "The cat sat", 0, 1, 1),
        ("B6 rouge_1 knows no order", "the cat sat", "sat the cat", 0, 1, 2 / 3),
        ("B6 rouge_1 is an F-measure", "the cat sat on the mat", "a cat sat", 0, 4 / 9, 4 / 9),
        ("B6 rouge_l_sum goes line against line", "one two\nthree four", "three four\none two", 0, 1, 1),
        ("B6 rouge_1 counts a word as often as it is said", "a a a", "a", 0, 1 / 2, 1 / 2),
        ("B6 rouge_l_sum counts no word more often than it is said", "a\na", "a", 0, 2 / 3, 2 / 3),
        ("B6 rouge_l_sum, of two longest subsequences the later", "b b", "b c\nb", 0, 4 / 5, 4 / 5),
        ("B6 [I] without a stemmer", "cats running", "cat runs", 0, 0, 0),
        ("B6 only Latin letters without marks are words there", "Größe", "gr e", 0, 1, 1),
        ("B6 nothing on both sides", "", "", 1, 0, 0),
        ("B6 no answer", "x", "", 0, 0, 0),
    ],
)
def test_answers(section: str, reference: str, answer: str, exact: float, unigrams: float, longest: float) -> None:
    golden, observed = case("c", turn("q", reference)), trace("t", turn("q", answer))
    wanted = {"exact_match": exact, "rouge_1": unigrams, "rouge_l_sum": longest}
    found = {name: judged(golden, observed, name, rules="vertex").metrics[0].score for name in wanted}
    assert found == pytest.approx(wanted), section


def test_the_stemmer_is_a_choice() -> None:
    golden, observed = case("c", turn("q", "cats running")), trace("t", turn("q", "cat running"))
    options: dict[str, Json] = {"useStemmer": True}
    assert judged(golden, observed, "rouge_1", 0.8).metrics[0].score == 0.5
    assert judged(golden, observed, "rouge_1", 0.8, options).metrics[0].score == 1.0


def test_only_the_last_answer_is_compared() -> None:
    golden = case("c", turn("q", "x"), turn("r", "y"))
    assert judged(golden, trace("t", turn("q", "-"), turn("r", "y")), "exact_match").metrics[0].score == 1.0


@pytest.mark.parametrize(
    ("section", "expected", "said", "reason"),
    [
        ("E1 the expected answer is goldenResponse.text", None, "a", "the golden has no answer"),
        ("E1 the final answer is the last agent text", "a", None, "the trace does not end with an answer"),
    ],
)
def test_an_answer_that_nobody_states_decides_nothing(
    section: str, expected: str | None, said: str | None, reason: str
) -> None:
    verdict = judged(case("c", turn("q", expected)), trace("t", turn("q", said)), "rouge_1")
    assert (verdict.metrics[0].status, verdict.metrics[0].reason) == (Status.NOT_EVALUATED, reason), section


def test_texts_of_any_length_are_compared_or_refused() -> None:
    long = "word " * 3_000
    assert rouge_1(long, long) == 1.0
    with pytest.raises(CannotJudge, match="too long"):
        rouge_l_sum(long, long)


@pytest.mark.parametrize("rules", ["", "vertex", "adk"])
def test_turns_that_are_missing_or_extra_decide_nothing_by_vertex_rules(rules: str) -> None:
    golden, observed = case("c", turn("q", "x"), turn("r", "y")), trace("t", turn("q", "y"))
    verdict = judged(golden, observed, "exact_match", rules=rules)
    assert verdict.status is (Status.FAILED if rules == "" else Status.PASSED)
    assert verdict.missing_turns == (1,)
