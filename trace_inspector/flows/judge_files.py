"""The judge of a run: named by a person, or the one that the criteria a person asked for imply."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from trace_inspector.core.errors import UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.documents.reading import read
from trace_inspector.engine.judges.backend import Backend
from trace_inspector.engine.judges.gemini import GeminiBackend, is_configured
from trace_inspector.engine.judges.live import Use
from trace_inspector.engine.judges.openai import OpenAIBackend
from trace_inspector.engine.judges.recorded import RecordedJudge, recorded_judge
from trace_inspector.engine.metric import CannotJudge

KINDS = "recorded:FILE, gemini, gemini:MODEL, openai:MODEL or none"


@dataclass(frozen=True, slots=True)
class LiveChoice:
    """A judge that asks a model: how to reach it and how to use it. Nothing is opened before the first question."""

    name: str
    backend: Callable[[], Backend]
    use: Use = field(default_factory=Use)
    keeps: bool = True  # replies are kept in the data folder, and used again


def judge_named(
    name: str, use: Use | None = None, *, keeps: bool = True, environment: Mapping[str, str] = os.environ
) -> RecordedJudge | LiveChoice | None:
    """The judge of a name; "none" is nobody, whatever is configured."""
    kind, _mark, rest = name.partition(":")
    wanted = use or Use()
    if name == "none":
        return None
    if kind == "recorded" and rest:
        return _recorded(Path(rest))
    if kind in _BACKENDS and (rest or kind == "gemini"):
        return _live(kind, rest, wanted, environment, keeps=keeps)
    if name.startswith("gemini-"):
        return _live("gemini", name, wanted, environment, keeps=keeps)
    raise UsageError(f"There is no judge “{one_line(name, 60)}”; write {KINDS}.")


def implied_judge(
    use: Use | None = None, *, keeps: bool = True, environment: Mapping[str, str] = os.environ
) -> LiveChoice | None:
    """Gemini when a key or a project is configured: asking for a judged criterion starts it."""
    return _live("gemini", "", use or Use(), environment, keeps=keeps) if is_configured(environment) else None


_BACKENDS: dict[str, Callable[[Mapping[str, str], float], Backend]] = {
    "gemini": GeminiBackend,
    "openai": OpenAIBackend,
}


def _live(kind: str, model: str, use: Use, environment: Mapping[str, str], *, keeps: bool) -> LiveChoice:
    make = _BACKENDS[kind]
    named = make(environment, use.patience.call_s).name  # complains here, before anything begins
    with_model = Use(model or use.model, use.in_flight, use.fresh, use.patience)
    shown = f"{named}, {model}" if model else named
    return LiveChoice(shown, lambda: make(environment, use.patience.call_s), with_model, keeps)


def _recorded(path: Path) -> RecordedJudge:
    try:
        return recorded_judge(read(path).value, path.name)
    except CannotJudge as problem:
        raise UsageError(problem.sentence, path=str(path)) from problem
