"""One case of the page: its criteria, and each turn with calls side by side and the answer by sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial

from markupsafe import Markup

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of, user_text
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    RubricVerdict,
    Sentence,
    SentenceSupport,
    Status,
    unpaired_turns,
)
from trace_inspector.engine.reports.pages import macro
from trace_inspector.engine.reports.report import BROKEN, rounded_score, turn_name, turn_sentence, was
from trace_inspector.engine.reports.sources import Sources

_MOST_TURNS = 200
_MOST_CALLS = 200
_MOST_SENTENCES = 200
_MOST_ANSWER = 20_000
_MATCH = {
    CallMatch.SAME: "same",
    CallMatch.RENAMED: "another tool",
    CallMatch.MISSING: "missing",
    CallMatch.EXTRA: "extra",
}
_ORDER = {Order.MOVED: "moved", Order.SWAPPED: "in another order within its group"}
_YES_NO: dict[float | None, str] = {1.0: "yes", 0.0: "no", None: "undecided"}
_QUESTION_CHARS = 100
_QUIET = frozenset({SentenceSupport.SUPPORTED, SentenceSupport.NOT_APPLICABLE})


def case_blocks(
    sources: Sources, names: Sequence[str], kinds: Callable[[CaseVerdict], str]
) -> Callable[[CaseVerdict, int], Markup]:
    """What makes the block of a case, given with its number in the run."""
    draw = macro(
        "run_case.html",
        "case_block",
        answer_parts=_answer_parts,
        answer_text=answer_text,
        answers_differ=_answers_differ,
        call_rows=_call_rows,
        question_of=_question_of,
        reason_lines=_reason_lines,
        turn_name=turn_name,
        turn_sentence=partial(turn_sentence, text=rounded_score),
        unpaired_turns=unpaired_turns,
        verdicts_by_name=verdicts_by_name,
        BROKEN=BROKEN,
        MOST_CALLS=_MOST_CALLS,
        MOST_TURNS=_MOST_TURNS,
        QUIET=_QUIET,
    )

    def block(case: CaseVerdict, index: int) -> Markup:
        reported = sources.reported_of(case)
        stated = {turn.index: turn.metrics for turn in reported.turns} if reported else {}
        return draw(case, names[index], kinds(case), reported, stated, sources)

    return block


def verdicts_by_name(verdicts: Iterable[MetricVerdict]) -> dict[str, MetricVerdict]:
    """Each criterion's verdict."""
    return {verdict.metric: verdict for verdict in verdicts}


def _reason_lines(verdict: MetricVerdict) -> list[str]:
    """Why a criterion came out so, and by which replies."""
    lines = [was(verdict.overruled), verdict.reason, *map(_rubric, verdict.rubrics), _replies(verdict)]
    return [line for line in lines if line]


def _rubric(rubric: RubricVerdict) -> str:
    """Yes or no, or the mean over several turns; the votes where they were several; the rubric and why."""
    answer = _YES_NO.get(rubric.score, f"{rubric.score:.2f}" if rubric.score is not None else "")
    votes = ", ".join("–" if vote is None else f"{vote:g}" for vote in rubric.votes)
    counted = f" (votes {votes})" if len(rubric.votes) > 1 else ""
    return f"{answer}{counted}: “{rubric.text or rubric.rubric_id}” {rubric.rationale}"


def _replies(verdict: MetricVerdict) -> str:
    if verdict.kept_s is None:
        return ""
    try:
        when = f"{datetime.fromtimestamp(verdict.kept_s, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, ValueError, OSError):  # whoever wrote an evidence pack may have written anything
        when = "another age"
    return f"from stored replies of {when}"


def _question_of(turn: Turn | None) -> str:
    return one_line(user_text(turn), _QUESTION_CHARS) if turn else ""


def _call_rows(
    verdicts: Sequence[MetricVerdict], golden: Turn | None, observed: Turn | None
) -> list[tuple[str, str, str]]:
    """An expected call, an observed one and how they differ, as the criterion that decides compared them."""
    comparing = [verdict for verdict in verdicts if verdict.calls]
    comparing.sort(key=lambda verdict: verdict.status is Status.INFORMATIONAL)
    expected, made = calls_of(golden) if golden else [], calls_of(observed) if observed else []
    return [
        (_call(expected, pair.expected), _call(made, pair.observed), _difference(pair))
        for verdict in comparing[:1]
        for pair in verdict.calls
    ]


def _call(calls: Sequence[ToolCall], index: int | None) -> str:
    if index is None:
        return ""
    return call_line(calls[index]) if index < len(calls) else f"call {index + 1}"


def _difference(pair: CallPair) -> str:
    if pair.match is CallMatch.ARGUMENTS:
        match = f"arguments differ: {', '.join(pair.differing)}" if pair.differing else "arguments differ"
    else:
        match = _MATCH[pair.match]
    order = _ORDER.get(pair.order, "")
    if not order:
        return match
    return order if pair.match is CallMatch.SAME else f"{match}; {order}"


def _answers_differ(golden: Turn | None, observed: Turn | None) -> bool:
    """Whether there are two answers, and not the same."""
    if not (golden and observed) or golden.final_response is None:
        return False
    return answer_text(golden) != answer_text(observed)


def _answer_parts(answer: str, sentences: Sequence[Sentence]) -> tuple[list[tuple[Sentence | None, str]], int]:
    """The answer in pieces, those that are sentences with them; and how many characters had no room."""
    parts: list[tuple[Sentence | None, str]] = []
    end, room = 0, _MOST_ANSWER
    for sentence in sorted(sentences, key=lambda sentence: sentence.start)[:_MOST_SENTENCES]:
        if sentence.start < end or sentence.end > len(answer) or sentence.end - end > room:
            continue
        parts += (None, answer[end : sentence.start]), (sentence, answer[sentence.start : sentence.end])
        room -= sentence.end - end
        end = sentence.end
    remaining = answer[end:]
    parts.append((None, remaining[: max(room, 0)]))
    return parts, max(0, len(remaining) - max(room, 0))
