"""Real sessions of Claude Code: calls, results, tokens and turns as an independent count finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.trace.trace import turn_usage
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file


def whole(counts: JsonObject, name: str) -> int:
    """A count, 0 where there is none."""
    count = counts.get(name)
    return count if isinstance(count, int) else 0


def plain_counts(lines: Iterable[Json]) -> Counter[str]:
    """Counted by independent code: calls, results, and the tokens that a message's last line states."""
    counts: Counter[str] = Counter()
    tokens: dict[str, tuple[int, int]] = {}
    for number, record in enumerate(lines):
        message = record.get("message") if isinstance(record, dict) else None
        if not isinstance(record, dict) or not isinstance(message, dict):
            continue
        content = message.get("content")
        kinds = [block["type"] for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        counts["calls"] += kinds.count("tool_use") + (record.get("type") == "tool")
        counts["results"] += kinds.count("tool_result") + (record.get("type") == "tool")
        usage = message.get("usage")
        if isinstance(usage, dict) and message.get("model") != "<synthetic>":
            prompt = sum(whole(usage, f"{kind}input_tokens") for kind in ("", "cache_creation_", "cache_read_"))
            tokens[str(message.get("id") or number)] = (prompt, whole(usage, "output_tokens"))
    counts["prompt"] = sum(prompt for prompt, _ in tokens.values())
    counts["output"] = sum(output for _, output in tokens.values())
    return counts


# What a person finds who reads the files: the turns with words of the user in all conversations.
SPOKEN_TURNS = {
    "aider_bugfix": 11, "cline_vscode_setup": 2, "acompact": 1, "edge_cases": 3, "large": 4, "small": 3,
    "compaction_session": 2, "sample_session": 2,
}  # fmt: skip


@pytest.mark.second_corpus
def test_real_sessions_hold_what_a_plain_count_finds(second_corpus: Path) -> None:
    paths = sorted((second_corpus / "claude-code").iterdir())
    assert len(paths) >= 8
    for path in paths:
        opened = open_file(path)
        value = opened.document.value
        turns = [turn for trace in opened.contents.traces for turn in trace.turns]
        parts = [part for turn in turns for event in turn.events for part in event.parts]
        usage = [turn_usage(turn) for turn in turns]
        found = {
            "calls": sum(isinstance(part, ToolCall) for part in parts),
            "results": sum(isinstance(part, ToolResult) for part in parts),
            "prompt": sum(each.prompt or 0 for each in usage),
            "output": sum(each.candidates or 0 for each in usage),
        }
        assert found == plain_counts(value if isinstance(value, list) else []), path
        name = next(name for name in SPOKEN_TURNS if path.stem.endswith(name))
        assert sum(bool(turn.user) for turn in turns) == SPOKEN_TURNS[name], path
