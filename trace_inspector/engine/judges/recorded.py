"""A judge that repeats replies from a file. Nothing is asked, and verdicts say so."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.values.values import Json
from trace_inspector.engine.scoring.metric import Ask, CannotJudge, Reply

VERSION = 1

_Key = tuple[str, str, int, int]


class RecordedJudge(Struct, frozen=True):
    """Replies by metric, case, turn and sample; they fit every trace of the case."""

    name: str
    replies: dict[_Key, str]

    def ask(self, question: Ask) -> Reply:
        """The recorded reply, or a failed call."""
        text = self.replies.get((question.metric, question.case_id, question.turn, question.sample))
        if text is not None:
            return Reply(text)
        place = f"{question.case_id}, turn {question.turn + 1}, sample {question.sample + 1}"
        return Reply(failure=f"no reply is recorded for {place}")


def recorded_judge(value: Json, file_name: str) -> RecordedJudge:
    """The judge that a file is: {"version": 1, "replies": [{"metric", "case", "turn", "sample", "reply"}]}."""
    if not isinstance(value, dict) or value.get("version") != VERSION or not isinstance(value.get("replies"), list):
        raise CannotJudge("this holds no recorded replies of version 1.")
    listed = value["replies"]
    replies = dict(_entry(entry, index) for index, entry in enumerate(listed if isinstance(listed, list) else []))
    return RecordedJudge(f"recorded replies from {file_name}; no model was asked", replies)


def _entry(entry: Json, index: int) -> tuple[_Key, str]:
    if isinstance(entry, dict):
        metric, case, reply = entry.get("metric"), entry.get("case"), entry.get("reply")
        turn, sample = entry.get("turn"), entry.get("sample")
        words = isinstance(metric, str) and isinstance(case, str) and isinstance(reply, str)
        if words and isinstance(turn, int) and isinstance(sample, int):
            return (str(metric), str(case), turn, sample), str(reply)
    raise CannotJudge(f"reply {index + 1} lacks one of metric, case, turn, sample and reply.")
