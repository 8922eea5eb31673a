"""Reads the recorded answers of google-adk 2.13.0 into the engine's values."""

from __future__ import annotations

import json
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.engine.scoring.metric import Ask, PairedTurn, Reply, Subject
from trace_inspector.formats.adk.eval_set import eval_set as adk_eval_set
from trace_inspector.formats.adk.session.invocation import turn_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Source

PATH = Path(__file__).parent.parent / "data" / "adk-2.13.json"


class Vector(Struct, frozen=True):
    """One job with what ADK answers."""

    job: dict[str, Any]
    result: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.job["name"])


@cache
def recorded() -> list[Any]:
    """Every job with its output, as the file has them."""
    listed: list[Any] = json.loads(PATH.read_text(encoding="utf-8"))["vectors"]
    return listed


def vectors(metric: str | None = None, mode: str | None = None) -> list[Vector]:
    """The jobs of one metric, or of one mode."""
    return [
        Vector(entry["job"], entry["output"]["result"])
        for entry in recorded()
        if entry["job"].get("metric") == metric and entry["job"].get("mode") == mode
    ]


def turns(raw: list[Any] | None) -> tuple[Turn, ...]:
    """Invocations as ADK writes them."""
    return tuple(turn_of(Fields(invocation, ""), at, Report()) for at, invocation in enumerate(raw or []))


def subject(job: dict[str, Any]) -> Subject:
    """The two sides of a job, paired by position as ADK does."""
    golden, observed = turns(job.get("expected")), turns(job["actual"])
    rows = tuple(PairedTurn(left, right) for left, right in zip_longest(golden, observed))
    case = Case("case", turns=golden) if job.get("expected") is not None else None
    if job.get("scenario") is not None:
        case = eval_case({"eval_id": "case", "conversation_scenario": job["scenario"]})
    return Subject(rows, Trace("trace", observed), case, "adk", one_by_one=True)


def eval_case(raw: dict[str, Any]) -> Case:
    """A case as it stands in an eval set."""
    items = adk_eval_set.read(Source({"eval_set_id": "set", "eval_cases": [raw]}, "set.json"))
    return next(item for item in items if isinstance(item, Suite)).cases[0]


class ScriptedJudge(Struct):
    """Replies in call order; it keeps what it was asked."""

    replies: list[Any]
    asked: list[Ask] = field(default_factory=list)
    name: str = "scripted"
    repeats: bool = False  # the last reply, when the script is at its end
    cycles: bool = False  # all of them, when the script is at its end

    def ask(self, question: Ask) -> Reply:
        """The next reply of the script."""
        self.asked.append(question)
        at = len(self.asked) - 1
        scripted = self.replies[self._number(at)]
        match scripted:
            case str():
                return Reply(scripted)
            case {"raise": message}:
                return Reply(failure=str(message))
            case {"nothing": True}:
                return Reply(failure="no response")
            case {"parts": parts}:
                return Reply("\n".join(part["text"] for part in parts if part.get("text")))
        return Reply("")

    def _number(self, at: int) -> int:
        last = len(self.replies) - 1
        return min(at, last) if self.repeats else at % (last + 1) if self.cycles else at


def service_reply(answer: Any) -> Any:
    """What the evaluation service says when google-adk's client for it would come to this."""
    if isinstance(answer, dict):
        return {"raise": answer["error_message"]}
    result = {} if answer is None else {"score": answer}
    return json.dumps({"metricResults": [result]})


def scripted(job: dict[str, Any]) -> ScriptedJudge:
    """The judge that a job describes."""
    return ScriptedJudge(job.get("replies") or [], repeats=job.get("on_exhausted") == "repeat")


def criterion(job: dict[str, Any]) -> Criterion:
    """The criterion of a job, or what the web interface sends instead of one."""
    given = job.get("criterion", job.get("eval_metric", {}))
    if isinstance(given, dict):
        options = {} if "eval_metric" in job else {key: value for key, value in given.items() if key != "threshold"}
        threshold = given.get("threshold")
        return Criterion(job["metric"], None if threshold is None else float(threshold), options)
    return Criterion(job["metric"], float(given))
