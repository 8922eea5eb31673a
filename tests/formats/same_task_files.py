"""One task as three coding agents did it: a question, a command with what it printed, an answer."""

from __future__ import annotations

import json
from pathlib import Path

from tests.formats import claude_code_files, codex_files, gemini_cli_files
from trace_inspector.core.values.values import Json, JsonObject

ASKED = "What does the garage cost?"
PRINTED = "Pier 4: 12 dollars an hour"
ANSWER = "Pier 4 costs 12 dollars an hour."


def claude_code(answer: str = ANSWER, *commands: str) -> list[Json]:
    """A session of Claude Code with a line for each command."""
    lines: list[Json] = [claude_code_files.said("u1", None, 1, ASKED)]
    before = "u1"
    for number, command in enumerate(commands or ("cat prices",)):
        call = claude_code_files.called(f"c{number}", "Bash", command=command)
        lines += [
            claude_code_files.replied(f"a{number}", before, 2, f"m{number}", call, usage=claude_code_files.TOKENS),
            claude_code_files.answered(f"r{number}", f"a{number}", 3, f"c{number}", PRINTED),
        ]
        before = f"r{number}"
    said = claude_code_files.text(answer)
    return [*lines, claude_code_files.replied("z1", before, 9, "mz", said, usage=claude_code_files.TOKENS)]


def codex(answer: str = ANSWER, *commands: str) -> list[Json]:
    """A rollout of Codex."""
    lines: list[Json] = [codex_files.meta(), codex_files.said("user", ASKED, 1)]
    for number, command in enumerate(commands or ("cat prices",)):
        arguments = json.dumps({"command": command})
        lines += [
            codex_files.item("function_call", 2, name="Bash", arguments=arguments, call_id=f"c{number}"),
            codex_files.tokens(2, (100 * (number + 1), 0, 10 * (number + 1), 0), (100, 0, 10, 0)),
            codex_files.item(
                "function_call_output", 3, call_id=f"c{number}", output=f"Exit code: 0\nOutput:\n{PRINTED}"
            ),
        ]
    return [*lines, codex_files.said("assistant", answer, 9)]


def gemini_cli(answer: str = ANSWER, *commands: str) -> JsonObject:
    """A session of Gemini CLI."""
    calls: list[Json] = [
        {
            **gemini_cli_files.call(f"c{number}", "Bash", "success"),
            "args": {"command": command},
            "result": gemini_cli_files.answer(f"c{number}", "Bash", output=PRINTED),
        }
        for number, command in enumerate(commands or ("cat prices",))
    ]
    tokens = gemini_cli_files.TOKENS
    messages: list[Json] = [
        gemini_cli_files.message("user", "m1", 1, ASKED),
        gemini_cli_files.message("gemini", "m2", 3, "", model="gemini-x", tokens=tokens, toolCalls=calls),
        gemini_cli_files.message("gemini", "m3", 9, answer, model="gemini-x", tokens=tokens),
    ]
    return {**gemini_cli_files.HEAD, "messages": messages}


WRITTEN = {"claude-code": claude_code, "codex": codex, "gemini-cli": gemini_cli}


def session_of(folder: Path, agent: str, answer: str = ANSWER, *commands: str, name: str = "") -> Path:
    """A session of one of the agents as a file."""
    value = WRITTEN[agent](answer, *commands)
    if isinstance(value, list):
        path = folder / f"{name or agent}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in value), encoding="utf-8")
    else:
        path = folder / f"{name or agent}.json"
        path.write_text(json.dumps(value), encoding="utf-8")
    return path
