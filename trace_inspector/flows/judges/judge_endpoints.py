"""Endpoints that criteria ask for: a file never decides where calls go, a person may allow it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject


def endpoint_notes(
    criteria: Iterable[tuple[str, float | None, JsonObject]], allowed: Collection[str]
) -> tuple[str, ...]:
    """A sentence for every endpoint in criteria that is not allowed."""
    named = [(metric, url) for metric, _threshold, options in criteria if (url := _stated(options))]
    return tuple(
        f"{metric}: the base URL “{one_line(url, 120)}” is ignored, because a file may not choose where calls are "
        f"sent; --allow-endpoint {one_line(url, 120)} accepts it"
        for metric, url in named
        if url not in allowed
    )


def _stated(options: JsonObject) -> str:
    judge = _first_object(options, "judge_model_options", "judgeModelOptions")
    if not judge:
        return ""
    from trace_inspector.engine.judges.questions.questions import without_endpoint

    return without_endpoint(_first_object(judge, "judge_model_config", "judgeModelConfig"))[1]


def _first_object(options: JsonObject, *names: str) -> JsonObject:
    values: list[Json] = [options[name] for name in names if name in options]
    first = values[0] if values else None
    return first if isinstance(first, dict) else {}
