"""The judge selected in the window: a value without any key, and the judge it stands for.

Cheap to import: the window's own process only carries the value.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

if TYPE_CHECKING:
    from trace_inspector.flows.judges.judge_files import AnyJudge

NONE, RECORDED, GEMINI, OPENAI, CONFIGURED = "", "recorded", "gemini", "openai", "configured"
DEFAULT_MODEL = "gemini-2.5-flash"
DEFAULT_ENDPOINT = "http://127.0.0.1:11434/v1"
IN_FLIGHT = 16
_GEMINI_HOST = "generativelanguage.googleapis.com"
_KEYS = {GEMINI: ("GOOGLE_API_KEY", "GEMINI_API_KEY"), OPENAI: ("OPENAI_API_KEY",)}


class JudgeChoice(Struct, frozen=True):
    """Which judge to ask. `fresh` ignores stored replies, with `fresh_turn` only for that turn.

    `allowed` are the endpoints that criteria may name, `grounding_model` is the folder of a classifier, which is
    asked whatever the judge.
    """

    kind: str = NONE
    model: str = ""
    endpoint: str = ""  # of an OpenAI-compatible server
    recorded: str = ""  # the file of replies
    in_flight: int = IN_FLIGHT
    fresh: bool = False
    fresh_turn: int | None = None
    keeps: bool = True
    allowed: tuple[str, ...] = ()
    grounding_model: str = ""

    @property
    def live(self) -> bool:
        """Whether the judge is called over the network."""
        return self.kind in (GEMINI, OPENAI, CONFIGURED)

    @property
    def who(self) -> str:
        """Model and host, as text."""
        match self.kind:
            case "recorded":
                return "recorded replies"
            case "gemini":
                return f"{self.model or DEFAULT_MODEL} @ {_gemini_host(os.environ)}"
            case "openai":
                return f"{self.model or 'no model named'} @ {_host(self.url)}"
            case "configured":
                return "as the environment configures"
        return "no judge"

    @property
    def account(self) -> str:
        """The account of its key in the keyring; one endpoint never gets the key of another."""
        return f"{self.kind} {_host(self.url)}" if self.kind == OPENAI else self.kind

    @property
    def url(self) -> str:
        """The URL of the OpenAI-compatible server."""
        return self.endpoint or os.environ.get("OPENAI_BASE_URL", "") or DEFAULT_ENDPOINT


def key_variable(choice: JudgeChoice, environment: MutableMapping[str, str] = os.environ) -> str:
    """The environment variable that holds the judge's key; "" when none does."""
    return next((name for name in _KEYS.get(choice.kind, ()) if environment.get(name)), "")


def variable_named(choice: JudgeChoice) -> str:
    """The environment variable that is checked first for the judge's key."""
    return _KEYS.get(choice.kind, ("",))[0]


def configure(choice: JudgeChoice, environment: MutableMapping[str, str] = os.environ) -> None:
    """Set up the environment of this process for the judge. Only for a process that does nothing else.

    A key in the environment has priority over one in the keyring.
    """
    from trace_inspector.flows.judges.key_ring import stored_key

    if choice.kind == OPENAI and choice.endpoint:
        environment["OPENAI_BASE_URL"] = choice.endpoint
    if choice.kind in _KEYS and not key_variable(choice, environment):
        key = stored_key(choice.account).key
        if key:
            environment[variable_named(choice)] = key


def judge_of(choice: JudgeChoice, environment: MutableMapping[str, str] = os.environ) -> AnyJudge | None:
    """The selected judge, or None. Criteria count as asked for: the person has seen what the judge will be asked."""
    from trace_inspector.engine.judges.call_limits import Use
    from trace_inspector.engine.running.judging import NOBODY
    from trace_inspector.engine.scoring.metric import MODEL, SERVICE
    from trace_inspector.flows.judges.judge_files import JudgeOptions, implied_judge, judge_named, only_classifier

    if choice.kind == NONE and not choice.grounding_model:
        return None
    if choice.kind == RECORDED:
        return judge_named(f"recorded:{choice.recorded}")
    use = Use(in_flight=choice.in_flight, fresh=choice.fresh, fresh_turn=choice.fresh_turn)
    options = JudgeOptions(
        use, choice.keeps, asked_for=True, endpoints=choice.allowed, grounding_model=choice.grounding_model
    )
    if choice.kind == NONE:
        return only_classifier(options, NOBODY[MODEL], NOBODY[SERVICE])
    configure(choice, environment)
    if choice.kind == CONFIGURED:
        return implied_judge(options, environment)
    return judge_named(f"{choice.kind}:{choice.model}" if choice.model else choice.kind, options, environment)


def without_login(url: str) -> str:
    """The URL without user name and password, which must not be stored in settings."""
    head, mark, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{head}{mark}{authority.rpartition('@')[2]}{slash}{path}" if mark else url.rpartition("@")[2]


def _gemini_host(environment: Mapping[str, str]) -> str:
    base = environment.get("GOOGLE_GEMINI_BASE_URL", "")
    is_vertex = environment.get("GOOGLE_GENAI_USE_VERTEXAI", "").lower() in ("1", "true")
    return _host(base) if base else "Vertex AI" if is_vertex else _GEMINI_HOST


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or url
    except ValueError:
        return url
