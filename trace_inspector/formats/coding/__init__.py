"""What coding agents write on the disks of those who work with them. Here the rows; a folder for each agent."""

from __future__ import annotations

from trace_inspector.formats.coding import gemini_cli, opencode, openhands, swe_agent
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import (
    All,
    AnyKey,
    Best,
    Condition,
    Either,
    Holds,
    Keys,
    Not,
    OneObject,
    Rules,
    Some,
    Surest,
    Within,
)

SYSTEM = "Coding agents"


def _claude_code() -> Implementation:
    from trace_inspector.formats.coding.claude_code.session import IMPLEMENTATION

    return IMPLEMENTATION


def _codex() -> Implementation:
    from trace_inspector.formats.coding.codex.rollout import IMPLEMENTATION

    return IMPLEMENTATION


def _copilot_cli() -> Implementation:
    from trace_inspector.formats.coding.copilot_cli.session import IMPLEMENTATION

    return IMPLEMENTATION


def _gemini_cli() -> Implementation:
    from trace_inspector.formats.coding.gemini_cli.session import IMPLEMENTATION

    return IMPLEMENTATION


def _opencode() -> Implementation:
    from trace_inspector.formats.coding.opencode.session import IMPLEMENTATION

    return IMPLEMENTATION


def _openhands() -> Implementation:
    from trace_inspector.formats.coding.openhands.session import IMPLEMENTATION

    return IMPLEMENTATION


def _pi() -> Implementation:
    from trace_inspector.formats.coding.pi.session import IMPLEMENTATION

    return IMPLEMENTATION


def _swe_agent() -> Implementation:
    from trace_inspector.formats.coding.swe_agent.trajectory import IMPLEMENTATION

    return IMPLEMENTATION


class _Types:
    """A key has one of these texts."""

    def __init__(self, name: str, *texts: str) -> None:
        self._name = name
        self._texts = frozenset(texts)

    def __call__(self, fields: Fields) -> bool:
        value = fields.value.get(self._name)
        return isinstance(value, str) and value in self._texts


# Qwen Code writes lines of this form with `parts` in the message: those are none of Claude Code.
_SAID: Condition = Within("message", All(AnyKey("content"), Not(AnyKey("parts"))))
_OF_A_SESSION = AnyKey("sessionId", "session_id", "parentUuid", "uuid", "isSidechain")
_LINES_OF_CLAUDE_CODE = (
    (96, All(_Types("type", "user", "assistant"), _SAID, _OF_A_SESSION)),
    (94, All(_Types("type", "system"), _Types("subtype", "init"), Keys("session_id", "tools"))),
    (70, All(_Types("type", "user", "assistant"), _SAID)),
    (70, All(_Types("type", "summary"), Keys("summary", "leafUuid"))),
    (70, All(_Types("type", "file-history-snapshot"), Keys("messageId", "snapshot"))),
    (70, All(_Types("type", "queue-operation", "progress", "attachment", "last-prompt"), Keys("sessionId"))),
)
_CLAUDE_CODE = (
    *_LINES_OF_CLAUDE_CODE,
    (95, Some("loglines", Either(*(condition for _sure, condition in _LINES_OF_CLAUDE_CODE)))),
)
_CODEX = (
    (97, All(_Types("type", "session_meta", "response_item", "event_msg", "turn_context"), Holds("payload", dict))),
    (95, All(_Types("type", "thread.started"), Keys("thread_id"))),
    (95, All(_Types("type", "item.completed", "item.started"), Holds("item", dict))),
    (80, All(_Types("type", "turn.completed"), Holds("usage", dict))),
    (85, Keys("record_type")),
    (85, All(Keys("id", "timestamp"), AnyKey("instructions", "git"), Not(AnyKey("type", "role", "messages")))),
)
_GEMINI_CLI = (
    (96, Keys("sessionId", "projectHash")),
    (85, All(Keys("sessionId", "messages"), Some("messages", _Types("type", "gemini")))),
    (80, All(_Types("type", "gemini"), Keys("id", "timestamp", "content"))),
    (80, Keys("$rewindTo")),
    (93, gemini_cli.OF_A_TOOL),
    (92, gemini_cli.BEGINNING),
    (90, gemini_cli.WHOLE_RUN),
    (85, gemini_cli.FAILED_RUN),
)
_MESSAGE_OF_OPENCODE = All(Within("info", All(Keys("role"), AnyKey("sessionID", "id"))), Holds("parts", list))
_OPENCODE = (
    (97, All(Within("info", AnyKey("projectID", "slug", "directory")), Holds("messages", list))),
    (96, Some("messages", _MESSAGE_OF_OPENCODE)),
    (95, opencode.PRINTED),
)
_SPOKEN_AT_COPILOT = _Types(
    "type",
    "user.message",
    "assistant.message",
    "tool.execution_start",
    "tool.execution_complete",
    "assistant.turn_start",
)
_COPILOT_CLI = (
    (97, All(_Types("type", "session.start"), Within("data", Keys("sessionId")))),
    (95, All(_SPOKEN_AT_COPILOT, Holds("data", dict), Keys("timestamp"))),
    (75, All(Holds("data", dict), Keys("id", "timestamp", "parentId", "ephemeral"))),
)
_PI = (
    (96, All(_Types("type", "session"), Keys("id", "timestamp", "cwd"))),
    (95, All(_Types("type", "message"), Keys("timestamp"), Within("message", Keys("role")))),
)

FORMATS: tuple[Format, ...] = (
    Format(
        name="claude-code",
        title="Claude Code session",
        system=SYSTEM,
        short="Claude Code sessions",
        holds="sessions of Claude Code with their sub-agents, also streams of its SDK and web exports",
        recognise=Surest(OneObject(*_CLAUDE_CODE), Best(Rules(*_CLAUDE_CODE))),
        load=_claude_code,
    ),
    Format(
        name="codex",
        title="Codex rollout",
        system=SYSTEM,
        short="Codex rollouts",
        holds="sessions of the Codex CLI, also what codex exec prints as JSON",
        recognise=Surest(OneObject(*_CODEX), Best(Rules(*_CODEX))),
        load=_codex,
    ),
    Format(
        name="copilot-cli",
        title="Copilot CLI session",
        system=SYSTEM,
        short="sessions of GitHub Copilot CLI",
        holds="sessions of GitHub Copilot CLI with their sub-agents, as kept on disk and as printed",
        recognise=Surest(OneObject(*_COPILOT_CLI), Best(Rules(*_COPILOT_CLI))),
        load=_copilot_cli,
    ),
    Format(
        name="gemini-cli",
        title="Gemini CLI session",
        system=SYSTEM,
        short="Gemini CLI sessions",
        holds="sessions of Gemini CLI, as one object or as lines, also what it prints of a run as JSON",
        recognise=Surest(OneObject(*_GEMINI_CLI), Best(Rules(*_GEMINI_CLI))),
        load=_gemini_cli,
    ),
    Format(
        name="opencode",
        title="opencode session",
        system=SYSTEM,
        short="opencode sessions",
        holds="sessions of opencode as it exports them, also what it prints of a run as JSON",
        recognise=Surest(OneObject(*_OPENCODE), Best(Rules((95, Either(_MESSAGE_OF_OPENCODE, opencode.PRINTED))))),
        load=_opencode,
    ),
    Format(
        name="openhands",
        title="OpenHands events",
        system=SYSTEM,
        short="OpenHands conversations",
        holds="conversations of OpenHands: trajectories of its first generation, events of its SDK",
        recognise=openhands.events,
        load=_openhands,
    ),
    Format(
        name="pi",
        title="pi session",
        system=SYSTEM,
        short="sessions of pi",
        holds="sessions of the coding agent pi with the branches that were left",
        recognise=Surest(OneObject(*_PI), Best(Rules(*_PI))),
        load=_pi,
    ),
    Format(
        name="swe-agent",
        title="SWE-agent trajectory",
        system=SYSTEM,
        short="trajectories of SWE-agent and mini-SWE-agent",
        holds="a task each, and the commands that an agent gave to solve it",
        recognise=swe_agent.trajectory,
        load=_swe_agent,
    ),
)
