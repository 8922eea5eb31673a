"""Rollouts of Codex of both generations, of a sub-agent, and what `codex exec --json` prints, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

THREAD = "0199-main"


def record(kind: str, second: float, **payload: Json) -> JsonObject:
    """One record with its envelope; `kind_` is the type within."""
    inner = {name.removesuffix("_"): value for name, value in payload.items()}
    return {"timestamp": f"2026-05-01T10:00:{second:06.3f}Z", "type": kind, "payload": inner}


def meta(identity: str = THREAD, **more: Json) -> JsonObject:
    """The first record of a rollout."""
    base: Json = {"text": "You are a coder."}
    return record("session_meta", 0, id=identity, cwd="/srv/shop", originator="codex_cli_rs", cli_version="0.120.0",
                  base_instructions=base, source="cli", **more)  # fmt: skip


def item(kind: str, second: float, **payload: Json) -> JsonObject:
    """What the model saw."""
    return record("response_item", second, type=kind, **payload)


def event(kind: str, second: float, **payload: Json) -> JsonObject:
    """What the user saw."""
    return record("event_msg", second, type=kind, **payload)


def said(role: str, words: str, second: float) -> JsonObject:
    """A message that the model saw or wrote."""
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", second, role=role, content=[{"type": kind, "text": words}])


def tokens(second: float, whole: tuple[int, int, int, int], last: tuple[int, int, int, int]) -> JsonObject:
    """A count from the beginning, and of the last reply: input, cached, output, reasoning."""
    names = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens")
    total: Json = dict(zip(names, whole, strict=True))
    single: Json = dict(zip(names, last, strict=True))
    return event(
        "token_count", second, info={"total_token_usage": total, "last_token_usage": single}, rate_limits=None
    )


def rollout() -> list[Json]:
    """Three turns, of which the second is taken back; a failing command, a patch, a sub-agent and a compaction."""
    return [
        meta(git={"branch": "main"}),
        said("developer", "<permissions instructions>Ask.</permissions instructions>", 0),
        said("user", "<environment_context>/srv/shop</environment_context>", 0),
        event("task_started", 1, turn_id="t1"),
        record("turn_context", 1, turn_id="t1", model="gpt-large", effort="high", cwd="/srv/shop"),
        said("user", "Why is the price wrong?", 1),
        event("user_message", 1, message="Why is the price wrong?", images=[]),
        event("agent_reasoning", 2, text="**Looking**"),
        item("reasoning", 2, summary=[{"type": "summary_text", "text": "**Looking**"}], encrypted_content="x"),
        item("function_call", 3, name="exec_command", arguments='{"cmd": "make"}', call_id="c1"),
        event("token_count", 3, info=None, rate_limits={"primary": {"used_percent": 1.0}}),
        tokens(3, (1000, 800, 60, 50), (1000, 800, 60, 50)),
        item("function_call_output", 4, call_id="c1", output="Exit code: 2\nWall time: 1\nOutput:\nno rule"),
        event("exec_command_end", 4, call_id="c1", exit_code=2, stdout="no rule"),
        item("custom_tool_call", 5, name="apply_patch", input="*** Begin Patch\n*** End Patch", call_id="c2"),
        tokens(5, (2500, 2000, 80, 50), (1500, 1200, 20, 0)),
        tokens(5, (2500, 2000, 80, 50), (1500, 1200, 20, 0)),
        item("custom_tool_call_output", 6, call_id="c2", output='{"output": "Done", "metadata": {"exit_code": 0}}'),
        event("patch_apply_end", 6, call_id="c2", success=True, stdout="Done", changes={"price.py": {}}),
        event("agent_message", 7, message="The price is fixed."),
        said("assistant", "The price is fixed.", 7),
        tokens(7, (4000, 3000, 100, 60), (1500, 1000, 20, 10)),
        event("task_complete", 8, turn_id="t1", duration_ms=7400, last_agent_message="The price is fixed."),
        said("user", "Make it thre.", 20),
        event("user_message", 20, message="Make it thre."),
        said("assistant", "Thre?", 21),
        event("thread_rolled_back", 22, num_turns=1),
        said("user", "Make it three.", 30),
        event("user_message", 30, message="Make it three."),
        item("web_search_call", 31, id="w1", status="completed", action={"type": "search", "query": "three"}),
        item("local_shell_call", 32, call_id="c3", status="completed", action={"type": "exec", "command": ["ls"]}),
        item("function_call_output", 33, call_id="c3", output=[{"type": "input_text", "text": "price.py"}]),
        item("function_call", 34, name="spawn_agent", arguments='{"message": "Find it."}', call_id="c4"),
        item("function_call_output", 35, call_id="c4", output='{"agent_id": "0199-sub"}'),
        record("compacted", 36, message="What was said before: much.", replacement_history=[]),
        event("stream_error", 37, message="The line broke; trying again."),
        record("oracle", 38, vision="dim"),
        item("ghost_snapshot", 38, ghost_commit={"id": "0"}),
        said("assistant", "It is three now.", 39),
        event("turn_aborted", 40, reason="interrupted"),
    ]  # fmt: skip


def sub_agent() -> list[Json]:
    """The rollout of the sub-agent, which repeats what its parent said before."""
    spawn: Json = {"parent_thread_id": THREAD, "depth": 1, "agent_nickname": "Ada", "agent_role": "explorer"}
    own = [meta("0199-sub", subagent_history_start_ordinal=3), meta()]
    own[0]["payload"] = {**_payload(own[0]), "source": {"subagent": {"thread_spawn": spawn}}}
    lines = [
        *own,
        said("user", "Make it three.", 30),
        said("user", "Find it.", 35),
        item("function_call", 36, name="exec_command", arguments='{"cmd": "ls"}', call_id="c9"),
        item("function_call_output", 36, call_id="c9", output="Process exited with code 0\nOutput:\nprice.py"),
        said("assistant", "In price.py.", 37),
    ]
    return [{**line, "ordinal": number} for number, line in enumerate(lines)]


def _payload(line: JsonObject) -> JsonObject:
    payload = line["payload"]
    assert isinstance(payload, dict)
    return payload


def without_envelopes() -> list[Json]:
    """A rollout as it was written before August 2025."""
    head: JsonObject = {"id": "old-1", "timestamp": "2025-06-01T10:00:00Z", "instructions": "Be brief.", "git": {}}
    lines = [said("user", "List the files.", 1), item("reasoning", 2, summary=[]),
             item("function_call", 2, name="shell", arguments='{"command": ["ls"]}', call_id="c1"),
             item("function_call_output", 3, call_id="c1", output='{"output": "", "metadata": {"exit_code": 1}}'),
             said("assistant", "There are none.", 4)]  # fmt: skip
    return [head, {"record_type": "state"}, *(_payload(line) for line in lines)]


def exec_stream() -> list[Json]:
    """Two turns as `codex exec --json` prints them; tokens are counted from the beginning."""

    def done(identity: str, kind: str, moment: str = "completed", **more: Json) -> JsonObject:
        return {"type": f"item.{moment}", "item": {"id": identity, "type": kind, **more}}

    command: Json = "ls"
    return [
        {"type": "thread.started", "thread_id": "run-1"},
        {"type": "turn.started"},
        done("i0", "reasoning", text="Looking"),
        done("i1", "command_execution", "started", command=command, status="in_progress"),
        done("i1", "command_execution", command=command, aggregated_output="price.py", exit_code=0),
        done("i2", "file_change", changes=[{"path": "price.py", "kind": "update"}], status="failed"),
        done("i3", "mcp_tool_call", server="shop", tool="find", arguments={"what": "price"}, status="completed",
             result={"content": []}, error=None),
        done("i4", "todo_list", items=[{"text": "Look", "completed": True}]),
        done("i5", "agent_message", text="It is three now."),
        {"type": "turn.completed", "usage": {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": 10}},
        {"type": "turn.started"},
        done("i6", "web_search", query="three"),
        done("i7", "error", message="Slow."),
        done("i8", "oracle", vision="dim"),
        {"type": "turn.failed", "error": {"message": "The line broke."}},
        {"type": "turn.started"},
        done("i9", "agent_message", text="Done."),
        {"type": "turn.completed", "usage": {"input_tokens": 150, "cached_input_tokens": 60, "output_tokens": 15}},
    ]  # fmt: skip
