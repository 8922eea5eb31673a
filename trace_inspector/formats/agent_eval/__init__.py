"""agent-eval: questions, rows, summaries; here their rows of the table. Imports adk and below."""

from __future__ import annotations

from trace_inspector.formats.agent_eval import recognisers
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import All, Either, Has, Holds, OneObject, Within


def _data() -> Implementation:
    from trace_inspector.formats.agent_eval.format import IMPLEMENTATION

    return IMPLEMENTATION


def _summary() -> Implementation:
    from trace_inspector.formats.agent_eval.summary import IMPLEMENTATION

    return IMPLEMENTATION


_QUESTION_BY_QUESTION = Holds("per_question_summary", list)
_OVERALL = Within("overall_summary", Has("llm_based_metrics", "deterministic_metrics"))

FORMATS: tuple[Format, ...] = (
    Format(
        name="agent-eval",
        title="agent-eval data",
        system="agent-eval",
        short="processed interactions, golden questions, metric files",
        holds="recorded conversations with what was expected and reported of them; goldens; criteria",
        recognise=recognisers.data,
        load=_data,
        writes=True,
    ),
    Format(
        name="agent-eval-summary",
        title="agent-eval summary",
        system="agent-eval",
        short="summaries of evaluations",
        holds="reported scores question by question, and their averages",
        recognise=OneObject(
            (95, Either(_OVERALL, All(Holds("overall_summary", dict), _QUESTION_BY_QUESTION))),
            (80, All(_QUESTION_BY_QUESTION, Has("experiment_id"))),
        ),
        load=_summary,
    ),
)
