"""Values of CES's messages as the client gives them: calls, answers, outcomes, thresholds by their metric."""

from __future__ import annotations

import re
import struct
from typing import Any

STATUS = {"PASS": "PASSED", "FAIL": "FAILED", "SKIPPED": "SKIPPED"}


GENERATED = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def single(number: Any) -> Any:
    """A number in 32 bits, as these messages hold their scores."""
    return None if number is None else struct.unpack("f", struct.pack("f", float(number)))[0]


def plain(value: Any) -> Any:
    """A Struct: all of its numbers are doubles."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def short(resource: str, shown: str = "") -> str:
    last = resource.rpartition("/")[2]
    return shown if shown and (not last or GENERATED.fullmatch(last)) else last


def resource(one: Any) -> str:
    toolset = one.get("toolset_tool", {})
    return one.get("tool") or "/".join(filter(None, (toolset.get("toolset"), toolset.get("tool_id"))))


def call(one: Any) -> Any:
    return [resource(one), plain(one["args"]) if "args" in one else None, one.get("id")]


def answer(one: Any) -> Any:
    given = plain(one["response"]) if "response" in one else None
    return [short(resource(one), one.get("display_name", "")), given, one.get("id")]


def compose(statuses: Any) -> str:
    seen = set(statuses)
    return next((one for one in ("FAILED", "ERROR", "PASSED") if one in seen), "NOT_EVALUATED")


def status(one: Any, key: str = "outcome") -> str:
    return STATUS.get(one.get(key), "NOT_EVALUATED")


def together(statuses: Any) -> str:
    listed = list(statuses)
    return "SKIPPED" if listed and set(listed) == {"SKIPPED"} else compose(listed)


def by_score(one: Any) -> str:
    return {1: "PASSED", 0: "FAILED"}.get(one.get("score"), "NOT_EVALUATED")


def thresholds(stated: Any) -> Any:
    """Thresholds and switches by the metric that they are of."""
    golden = stated.get("golden_evaluation_metrics_thresholds", {})
    found: dict[str, Any] = {}
    put(found, "similarity", golden.get("turn_level_metrics_thresholds", {}), "semantic_similarity_success_threshold")
    put(found, "channel", golden.get("turn_level_metrics_thresholds", {}), "semantic_similarity_channel")
    put(
        found, "invocation", golden.get("turn_level_metrics_thresholds", {}),
        "overall_tool_invocation_correctness_threshold",
    )  # fmt: skip
    put(
        found, "parameters", golden.get("expectation_level_metrics_thresholds", {}),
        "tool_invocation_parameter_correctness_threshold",
    )  # fmt: skip
    put(found, "extra calls", golden.get("tool_matching_settings", {}), "extra_tool_call_behavior")
    for key in ("golden", "scenario", ""):
        name = f"{key}_hallucination_metric_behavior".removeprefix("_")
        put(found, f"hallucination {key}".strip(), stated, name)
    return found


def put(found: dict[str, Any], name: str, owner: Any, key: str) -> None:
    """A stated threshold or word; a number that no enumeration has says nothing that is known."""
    said = owner.get(key)
    if isinstance(said, str) and not said.endswith("_UNSPECIFIED"):
        found[name] = said
    elif isinstance(said, int | float) and not key.endswith(("channel", "behavior")):
        found[name] = single(said)


def counts(stated: Any, kind: str) -> bool:
    """Whether hallucination decides. The deprecated switch stood for goldens before they had one of their own."""
    settings = thresholds(stated)
    named = "hallucination scenario" if kind == "scenario" else "hallucination golden"
    older = None if kind == "scenario" else settings.get("hallucination")
    return bool(settings.get(named, older) == "ENABLED")


def target(one: Any) -> str:
    return short(one.get("target_agent", ""), one.get("display_name", ""))


def chunks(one: Any) -> Any:
    listed = one.get("chunks", [])
    return {
        "calls": [call(chunk["tool_call"]) for chunk in listed if "tool_call" in chunk],
        "answers": [answer(chunk["tool_response"]) for chunk in listed if "tool_response" in chunk],
        "words": [said for chunk in listed for key in ("text", "transcript") if (said := chunk.get(key)) is not None],
        "transfers": [target(chunk["agent_transfer"]) for chunk in listed if "agent_transfer" in chunk],
    }


def duration(text: Any) -> Any:
    return None if text is None else round(float(text[:-1]) * 1e9)
