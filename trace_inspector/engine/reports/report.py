"""What a report is: a run as the text of one file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict

# Neither XML 1.0 nor HTML has a way to write these, and UTF-8 has none for half a character.
_ILLEGAL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Report:
    """One line of REPORTS."""

    name: str
    title: str
    write: Callable[[RunVerdict], str]


def case_names(cases: Sequence[CaseVerdict]) -> list[str]:
    """A name for each case: its id; where it has several traces, with the file and the id that tell them apart."""
    names = [case.case_id for case in cases]
    for more in ([PurePath(case.trace_path).name for case in cases], [case.trace_id or "" for case in cases]):
        counts = Counter(names)
        names = [
            f"{name} ({own})" if counts[name] > 1 and own else name for name, own in zip(names, more, strict=True)
        ]
    return names


def legal(text: str) -> str:
    """Text without the characters that no report can carry; each leaves a mark."""
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


def score_text(verdict: MetricVerdict) -> str:
    """A score in few digits, with a decimal point; a dash for none."""
    return "–" if verdict.score is None else f"{verdict.score:.4g}"


def turn_name(turn: TurnVerdict) -> str:
    """The turn in words, counted from 1."""
    if turn.index is None:
        return f"missing turn {(turn.golden_index or 0) + 1}"
    return f"extra turn {turn.index + 1}" if _is_extra(turn) else f"turn {turn.index + 1}"


def why(case: CaseVerdict) -> list[str]:
    """One sentence for everything that failed or broke, turn by turn; then what kept criteria from deciding."""
    sentences = [case.reason] if case.reason and case.status is not Status.PASSED else []
    sentences += [
        f"{turn_name(turn)}: {turn_sentence(turn)}"
        for turn in case.turns
        if turn.status in (Status.FAILED, Status.ERROR)
    ]
    if not sentences:
        sentences = [
            f"{verdict.metric}: {verdict.reason}"
            for verdict in case.metrics
            if verdict.reason and verdict.status in (Status.FAILED, Status.ERROR, Status.NOT_EVALUATED)
        ]
    return sentences


def turn_sentence(turn: TurnVerdict) -> str:
    """Why a turn failed."""
    if turn.reason:
        return turn.reason
    return "; ".join(
        f"{verdict.metric} {score_text(verdict)}{f' ({verdict.reason})' if verdict.reason else ''}"
        for verdict in turn.metrics
        if verdict.status in (Status.FAILED, Status.ERROR)
    )


def _is_extra(turn: TurnVerdict) -> bool:
    return turn.golden_index is None and bool(turn.reason)
