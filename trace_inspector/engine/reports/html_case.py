"""One case of the page: its criteria, and each turn with calls side by side and the answer by sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from trace_inspector.core.alignment.step_alignment import Order
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
    TurnVerdict,
)
from trace_inspector.engine.reports.html_parts import bare, mark, more, row, score, table, text
from trace_inspector.engine.reports.report import turn_name, turn_sentence, was
from trace_inspector.engine.reports.shown import left_out
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
_LINE_CHARS = 1_000
_QUESTION_CHARS = 100
_TITLES = ("criterion", "verdict", "score", "threshold", "reason")


def case_block(case: CaseVerdict, name: str, kind: str, sources: Sources) -> str:
    """A case to unfold; one that failed is open."""
    unfolded = " open" if case.status in (Status.FAILED, Status.ERROR) else ""
    lines = [case.reason, *case.hides, f"paired {case.paired_by}" if case.paired_by else ""]
    notes = "".join(f'<p class="note">{text(line)}</p>' for line in lines if line)
    reported = sources.reported_of(case)
    metrics = _metrics(case.metrics, reported.metrics if reported else ())
    said = {turn.index: turn.metrics for turn in reported.turns} if reported else {}
    turns = "".join(_turn(case, turn, said.get(turn.index, ()), sources) for turn in case.turns[:_MOST_TURNS])
    turns += more(len(case.turns) - _MOST_TURNS, "turn")
    beside = f" – its file says {mark(reported.status)}" if reported else ""
    head = f"{mark(case.status)} {text(name)}{beside}"
    return f"<details {kind}{unfolded}><summary>{head}</summary>{notes}{metrics}{turns}</details>"


def _metrics(verdicts: Sequence[MetricVerdict], reported: Sequence[MetricVerdict] = ()) -> str:
    by_name = {verdict.metric: verdict for verdict in reported}
    titles = (*_TITLES, "its file says") if by_name else _TITLES
    return table(titles, (_metric(verdict, by_name) for verdict in verdicts))


def _metric(verdict: MetricVerdict, reported: dict[str, MetricVerdict]) -> str:
    threshold = "–" if verdict.threshold is None else f"{verdict.threshold:g}"
    said = [was(verdict.overruled), verdict.reason, *(_rubric(rubric) for rubric in verdict.rubrics), _kept(verdict)]
    reason = "<br>".join(text(line, _LINE_CHARS) for line in said if line)
    cells = text(verdict.metric), mark(verdict.status), score(verdict), threshold, reason
    return row(*cells, *([score(reported.get(verdict.metric))] if reported else ()))


def _rubric(rubric: RubricVerdict) -> str:
    """Yes or no, or the mean over several turns; the votes where they were several; the rubric and why."""
    said = _YES_NO.get(rubric.score, f"{rubric.score:.4g}" if rubric.score is not None else "")
    votes = ", ".join("–" if vote is None else f"{vote:g}" for vote in rubric.votes)
    counted = f" (votes {votes})" if len(rubric.votes) > 1 else ""
    return f"{said}{counted}: “{rubric.text or rubric.rubric_id}” {rubric.rationale}"


def _kept(verdict: MetricVerdict) -> str:
    if verdict.kept_s is None:
        return ""
    return f"by replies kept since {datetime.fromtimestamp(verdict.kept_s, UTC):%Y-%m-%d %H:%M} UTC"


def _turn(case: CaseVerdict, turn: TurnVerdict, reported: Sequence[MetricVerdict], sources: Sources) -> str:
    failing = turn.status in (Status.FAILED, Status.ERROR)
    sentence = f" {text(turn_sentence(turn))}" if failing or turn.overruled else ""
    golden, observed = sources.turns_of(case, turn)
    blocks = [
        _metrics(turn.metrics, reported),
        _calls(turn.metrics, golden, observed),
        _answers(golden, observed),
        *_sentences(turn.metrics, observed),
    ]
    asked = one_line(user_text(whole), _QUESTION_CHARS) if (whole := observed or golden) else ""
    question = f" “{text(asked)}”" if asked else ""
    unfolded = " open" if failing else ""
    return (
        f"<details{unfolded}><summary>{mark(turn.status)} {text(turn_name(turn))}{question}{sentence}</summary>"
        f"{''.join(blocks)}</details>"
    )


def _calls(verdicts: Sequence[MetricVerdict], golden: Turn | None, observed: Turn | None) -> str:
    """Expected and observed calls side by side, as the criterion that decides compared them."""
    told = [verdict for verdict in verdicts if verdict.calls]
    told.sort(key=lambda verdict: verdict.status is Status.INFORMATIONAL)
    if not told:
        return ""
    pairs = told[0].calls
    expected, made = calls_of(golden) if golden else [], calls_of(observed) if observed else []
    shown = table(
        ("expected call", "observed call", "difference"),
        (
            row(_call(expected, pair.expected), _call(made, pair.observed), text(_difference(pair)))
            for pair in pairs[:_MOST_CALLS]
        ),
    )
    return shown + more(len(pairs) - _MOST_CALLS, "call")


def _call(calls: Sequence[ToolCall], at: int | None) -> str:
    if at is None:
        return "–"
    return text(call_line(calls[at])) if at < len(calls) else text(f"call {at + 1}")


def _difference(pair: CallPair) -> str:
    if pair.match is CallMatch.ARGUMENTS:
        said = f"arguments differ: {', '.join(pair.differing)}" if pair.differing else "arguments differ"
    else:
        said = _MATCH[pair.match]
    order = _ORDER.get(pair.order, "")
    if not order:
        return said
    return order if pair.match is CallMatch.SAME else f"{said}; {order}"


def _answers(golden: Turn | None, observed: Turn | None) -> str:
    """Both answers, where there are two that differ."""
    wanted, given = (answer_text(turn) if turn else "" for turn in (golden, observed))
    if not (golden and observed) or golden.final_response is None or wanted == given:
        return ""
    return table(("expected answer", "observed answer"), (row(text(wanted), text(given)),))


def _sentences(verdicts: Sequence[MetricVerdict], observed: Turn | None) -> Iterator[str]:
    answer = answer_text(observed) if observed else ""
    for verdict in verdicts:
        if verdict.sentences and answer:
            yield f'<p class="note">{text(verdict.metric)}, sentence by sentence:</p>'
            yield f'<div class="answer">{"".join(_labelled(answer, verdict.sentences))}</div>'


def _labelled(answer: str, sentences: Sequence[Sentence]) -> Iterator[str]:
    """The answer with each sentence in its colour and what is said of it in words before it."""
    end, room = 0, _MOST_ANSWER
    for sentence in sorted(sentences, key=lambda one: one.start)[:_MOST_SENTENCES]:
        if sentence.start < end or sentence.end > len(answer) or sentence.end - end > room:
            continue
        yield bare(answer[end : sentence.start])
        yield _sentence(sentence, answer)
        room -= sentence.end - end
        end = sentence.end
    rest = answer[end:]
    yield bare(rest[: max(room, 0)])
    if len(rest) > max(room, 0):
        yield f'<span class="note"> … {left_out(len(rest) - max(room, 0), "character")}</span>'


def _sentence(sentence: Sentence, answer: str) -> str:
    said = bare(answer[sentence.start : sentence.end])
    words = sentence.support.value.replace("_", " ")
    why = f" – {text(sentence.reason, 300)}" if sentence.reason and sentence.support not in _QUIET else ""
    return f'<bdi class="{sentence.support.value}"><span class="label">[{words}{why}]</span> {said}</bdi>'


_QUIET = frozenset({SentenceSupport.SUPPORTED, SentenceSupport.NOT_APPLICABLE})
