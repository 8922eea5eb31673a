"""Every reply recorded for the samples is asked for, and no question about a golden goes without one."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.commands.window.samples import sample_request
from trace_inspector.engine.judges.recorded import RecordedJudge
from trace_inspector.engine.scoring.metric import Ask, Reply
from trace_inspector.flows.runs.evaluate_files import evaluate


class Listening(Struct):
    """The recorded judge, and what it was asked."""

    judge: RecordedJudge
    answered: set[tuple[str, str, int, int]] = field(default_factory=set)
    unanswered: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """Who answers."""
        return self.judge.name

    def ask(self, question: Ask) -> Reply:
        """The recorded reply."""
        reply = self.judge.ask(question)
        if reply.failure:
            self.unanswered.add(question.case_id)
        else:
            self.answered.add((question.metric, question.case_id, question.turn, question.sample))
        return reply


def test_every_recorded_reply_is_hit_and_no_question_is_left() -> None:
    request = sample_request()
    assert isinstance(request.judge, RecordedJudge)
    listening = Listening(request.judge)
    run = evaluate(replace(request, judge=listening))
    assert listening.answered == set(request.judge.replies)
    assert len(listening.answered) > 20
    assert listening.unanswered == {case.case_id for case in run.cases if case.trace_id in run.unpaired_traces}
