"""`local_grounding` as a metric: scores, statuses, reasons, and what one turn knows of another."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolResult
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport, Status
from trace_inspector.engine.criteria.criteria import check
from trace_inspector.engine.grounding.decision.model import Sensitivity
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.text.sentences import Span
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.metrics.local import local_grounding
from trace_inspector.engine.metrics.local.local_grounding import MAX_SENTENCES
from trace_inspector.engine.scoring.metric import Judged, PairedTurn, Subject

(METRIC,) = (metric for metric in METRICS if metric.name == "local_grounding")


def turn(index: int, answer: str | None, result: Json = None, user: str = "") -> Turn:
    parts: tuple[Part, ...] = (ToolResult("search", result, place=f"/{index}"),) if result is not None else ()
    said = None if answer is None else (Text(answer),)
    return Turn(index, user=(Text(user),) if user else (), events=(Event("agent", parts),), final_response=said)


def judge(*turns: Turn, threshold: float | None = None) -> Judged:
    subject = Subject(tuple(PairedTurn(None, one) for one in turns), Trace("t", turns))
    judged = METRIC.judge(subject, Criterion(METRIC.name, threshold))
    assert isinstance(judged, Judged)
    return judged


def test_the_score_is_the_share_of_supported_and_not_applicable_sentences() -> None:
    answer = "Hello! There are 40 spots. There are 41 spots."
    judged = judge(turn(0, answer, {"spots": 40}))
    (verdict,) = judged.turns
    assert verdict is not None
    assert verdict.score == 2 / 3
    assert [one.support for one in verdict.sentences] == [
        SentenceSupport.NOT_APPLICABLE,
        SentenceSupport.SUPPORTED,
        SentenceSupport.CONTRADICTORY,
    ]
    assert [answer[one.start : one.end] for one in verdict.sentences] == answer.replace("! ", "!|").replace(
        ". ", ".|"
    ).split("|")
    assert verdict.reason == "1 of 3 sentences contradictory: “There are 41 spots.”"
    assert verdict.sentences[2].reason == "The result says spots: 40."
    assert (verdict.sentences[1].excerpt, verdict.sentences[1].source) == ("spots: 40", "search result")
    assert verdict.sentences[1].place == "/0"


def test_the_overall_score_is_the_mean_of_the_turns_that_have_an_answer() -> None:
    judged = judge(
        turn(0, "There are 40 spots.", {"spots": 40}),
        turn(1, None),
        turn(2, "There are 7 beds. There are 8 beds.", {"beds": 7}),
    )
    assert judged.overall.score == 0.75
    assert [verdict.score if verdict else None for verdict in judged.turns] == [1.0, None, 0.5]
    assert judged.overall.reason == "1 of 3 sentences unsupported"


@pytest.mark.parametrize(
    ("threshold", "answer", "status"),
    [
        (None, "There are 41 spots.", Status.INFORMATIONAL),
        (None, None, Status.INFORMATIONAL),
        (0.5, "There are 40 spots.", Status.PASSED),
        (0.5, "There are 41 spots.", Status.FAILED),
        (0.5, None, Status.NOT_EVALUATED),
    ],
)
def test_only_a_threshold_makes_it_pass_or_fail(threshold: float | None, answer: str | None, status: Status) -> None:
    judged = judge(turn(0, answer, {"spots": 40}), threshold=threshold)
    assert (judged.overall.status, judged.overall.threshold) == (status, threshold)
    assert judged.turns[0] is not None
    assert judged.turns[0].status is status


def test_a_turn_knows_earlier_turns_but_not_later_ones_nor_earlier_answers() -> None:
    judged = judge(
        turn(0, "There are 12 chargers and 40 spots.", {"spots": 40}),
        turn(1, "There are 12 chargers."),
        turn(2, "There are 40 spots.", {"chargers": 12}),
    )
    assert [verdict.score if verdict else None for verdict in judged.turns] == [0.0, 0.0, 1.0]


def test_thoughts_are_neither_judged_nor_believed() -> None:
    said = (Thought("Perhaps 41."), Text("There are 41 spots."))
    one = Turn(0, events=(Event("agent", (Thought("41 spots"),)),), final_response=said)
    verdict = judge(one).turns[0]
    assert verdict is not None
    assert [sentence.support for sentence in verdict.sentences] == [SentenceSupport.UNSUPPORTED]


def test_a_row_without_an_observed_turn_says_nothing() -> None:
    subject = Subject((PairedTurn(turn(0, "There are 40 spots."), None),), Trace("t"))
    judged = METRIC.judge(subject, Criterion(METRIC.name))
    assert isinstance(judged, Judged)
    assert judged.turns == (None,)
    assert judged.overall.score is None


def test_too_much_evidence_is_named_where_it_matters() -> None:
    rows: list[Json] = [{"note": "x" * 100} for _ in range(6_000)]
    verdict = judge(turn(0, "There are 41 spots.", rows)).turns[0]
    assert verdict is not None
    assert "characters of evidence were read" in verdict.reason
    assert verdict.sentences[0].reason.endswith(" characters of evidence were read.")


def test_a_very_long_answer_is_judged_in_part_and_says_so() -> None:
    verdict = judge(turn(0, "There are 40 spots. " * (MAX_SENTENCES + 5), {"spots": 40})).turns[0]
    assert verdict is not None
    assert len(verdict.sentences) == MAX_SENTENCES
    assert verdict.reason.endswith("; 2,000 of 2,005 sentences were judged")


def test_a_very_long_sentence_is_read_in_part_and_says_so() -> None:
    verdict = judge(turn(0, "spots and garages " * 1_000, {"spots": 40})).turns[0]
    assert verdict is not None
    assert "Only the first 4,000 of its 17,999 characters were read." in verdict.sentences[0].reason


def test_the_metric_says_that_it_is_ours_and_informational() -> None:
    assert (METRIC.name, METRIC.family, METRIC.informational, METRIC.needs) == (
        "local_grounding",
        "local",
        True,
        frozenset(),
    )
    assert "heuristic" in METRIC.meaning


WORDS = st.sampled_from(
    ["There", "are", "40", "spots", ".", "?", "not", "Harbour", "Garage", "“two", "words", "here”", "5 March", "8 pm",
     "$9", "R-2041", "all", "three", "about", "駐車場", "40台", "नहीं", "\n", "- ", "| a | b |", "\ud800", "\x00"]
)  # fmt: skip


@given(
    st.one_of(st.text(), st.lists(WORDS, max_size=30).map(" ".join)),
    st.one_of(st.text(), st.lists(WORDS).map(" ".join)),
)
def test_any_answer_gets_labels_and_support_has_an_excerpt(answer: str, evidence: str) -> None:
    one = turn(
        0, answer, {"text": evidence, "rows": [{"name": "Harbour Garage", "spots": 40, "open": False}]}, user=evidence
    )
    verdict = judge(one).turns[0]
    assert verdict is not None
    for sentence in verdict.sentences:
        assert 0 <= sentence.start < sentence.end <= len(answer)
        assert sentence.reason
        assert sentence.support is not SentenceSupport.DISPUTED
        assert sentence.support is not SentenceSupport.SUPPORTED or (sentence.excerpt and sentence.source)


YES, NO, OPPOSITE = SentenceSupport.SUPPORTED, SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY
NOTHING, UNKNOWN = SentenceSupport.NOT_APPLICABLE, SentenceSupport.CANNOT_TELL
MANY = (YES, NOTHING, YES, NO, UNKNOWN, UNKNOWN)


def label(monkeypatch: pytest.MonkeyPatch, *labels: SentenceSupport) -> list[Sensitivity]:
    """Let the sentences of each answer have these labels; gives the sensitivities that they were judged with."""
    seen = []

    def judge_spans(
        _answer: str, spans: Iterable[Span], _evidence: Evidence, sensitivity: Sensitivity
    ) -> list[Sentence]:
        seen.append(sensitivity)
        return [Sentence(one.start, one.end, given, "so") for one, given in zip(spans, labels, strict=True)]

    monkeypatch.setattr(local_grounding, "judge_spans", judge_spans)
    return seen


@pytest.mark.parametrize(
    ("labels", "score", "reason"),
    [
        (
            (YES, NOTHING, YES, NO, UNKNOWN, UNKNOWN),
            3 / 4,
            "1 of 6 sentences unsupported, 2 cannot be told; unsupported: “Fact 3.”",
        ),
        ((NO, OPPOSITE, OPPOSITE), 0.0, "1 of 3 sentences unsupported, 2 contradictory; unsupported: “Fact 0.”"),
        ((YES, OPPOSITE), 1 / 2, "1 of 2 sentences contradictory: “Fact 1.”"),
        ((YES, NO), 1 / 2, "1 of 2 sentences unsupported: “Fact 1.”"),
        ((YES, UNKNOWN), 1.0, "0 of 2 sentences unsupported, 1 cannot be told"),
        ((UNKNOWN,), None, "1 of 1 sentence cannot be told"),
    ],
)
def test_what_cannot_be_told_counts_neither_for_nor_against(
    labels: tuple[SentenceSupport, ...], score: float | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    label(monkeypatch, *labels)
    answer = "\n".join(f"Fact {number}." for number in range(len(labels)))
    judged = judge(turn(0, answer), threshold=0.5)
    (verdict,) = judged.turns
    assert verdict is not None
    assert (verdict.score, verdict.reason) == (score, reason)
    assert judged.overall.score == score
    assert judged.overall.reason == reason.partition(": “")[0].removesuffix("; unsupported")
    decided = Status.NOT_EVALUATED if score is None else Status.PASSED if score >= 0.5 else Status.FAILED
    assert (verdict.status, judged.overall.status) == (decided, decided)


@pytest.mark.parametrize(
    ("options", "sensitivity"),
    [
        ({}, Sensitivity.CAREFUL),
        ({"sensitivity": "careful"}, Sensitivity.CAREFUL),
        ({"sensitivity": "eager"}, Sensitivity.EAGER),
        ({"sensitivity": " Eager "}, Sensitivity.EAGER),
    ],
)
def test_the_sensitivity_reaches_who_labels(
    options: JsonObject, sensitivity: Sensitivity, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = label(monkeypatch, YES)
    one = turn(0, "Fact 0.")
    METRIC.judge(Subject((PairedTurn(None, one),), Trace("t", (one,))), Criterion(METRIC.name, None, options))
    assert seen == [sensitivity]


@pytest.mark.parametrize("stated", ["brave", 7, None, ["eager"], {"eager": True}, "e" * 5_000])
def test_another_sensitivity_is_refused_in_one_sentence(stated: Json) -> None:
    criteria = Criteria((Criterion(METRIC.name, 0.5, {"sensitivity": stated}),), "c.json")
    with pytest.raises(UsageError, match=r"sensitivity “.*” is not understood; it is “careful” or “eager”\.") as told:
        check(criteria, METRICS)
    assert len(str(told.value)) < 250
