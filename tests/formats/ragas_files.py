"""Rows of Ragas in the names of today and of before, as JSON and as a table, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

TABLE = (
    "user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy\n"
    'Where may I park?,"[\'Pier 4 is ""open"".\', ""It\'s\\nnear.""]",At Pier 4.,Pier 4,0.75,\n'
)


def rows() -> list[Json]:
    """A row with scores, a question alone, and a conversation."""
    asked: list[Json] = [
        {"content": "Where may I park?", "type": "human"},
        {"content": "At Pier 4.", "type": "ai"},
        {"content": "Is it open?", "type": "human"},
        {"content": "It is.", "type": "ai"},
    ]
    return [
        {
            "user_input": "Where may I park?",
            "retrieved_contexts": ["Pier 4 is open.", "Pier 5 is not."],
            "response": "At Pier 4.",
            "reference": "Pier 4",
            "faithfulness": 1.0,
            "answer_relevancy": 0.5,
            "synthesizer_name": "single_hop",
        },
        {"user_input": "Is it open?", "reference": "It is.", "reference_contexts": ["Pier 4 is open."]},
        {"user_input": asked, "reference": "Pier 4 is open.", "rubrics": {"score1": "wrong"}},
    ]


def old_row() -> JsonObject:
    """A row in the names of before."""
    return {
        "question": "Where may I park?",
        "contexts": ["Pier 4 is open."],
        "answer": "At Pier 4.",
        "ground_truths": ["Pier 4", "Pier four"],
    }
