"""Small configurations of agents-cli."""

from __future__ import annotations

from trace_inspector.core.values.values import JsonObject

TEMPLATE = """Judge the reply to {prompt} on a scale of 1 to 5.
Reply: {response}
Trace: {agent_data}
Answer with {"score": <integer>, "explanation": "<why>"} and nothing else."""


def configuration() -> JsonObject:
    """One judge, one function, one metric of Vertex AI, and one that is off."""
    return {
        "metrics_to_run": ["tone", "turns", "safety"],
        "custom_metrics": [
            {"name": "tone", "prompt_template": TEMPLATE},
            {"name": "turns", "custom_function": "def evaluate(instance):\n    raise SystemExit\n"},
            {"name": "spare", "custom_function_file": "metrics.py"},
        ],
    }


def in_words() -> dict[str, JsonObject]:
    """Layouts of people's own, whose metrics are only described."""
    listed: JsonObject = {"name": "tone", "type": "llm", "model": "m", "criteria": "Is it polite?", "threshold": 0.7}
    return {
        "by name": {
            "metrics": {
                "tone": {"description": "Manners.", "target_score": 4, "criteria": ["Says please."]},
                "a/b": {"description": "Length.", "target_score": 3, "criteria": ["Is short."]},
            }
        },
        "listed": {"eval_metrics": [listed, {**listed, "name": "length"}]},
    }
