"""Logs and results of other evaluation tools. Here the rows; a folder for each tool."""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import All, Either, Holds, Keys, Within


def _inspect() -> Implementation:
    from trace_inspector.formats.eval_tools.inspect_log.log import IMPLEMENTATION

    return IMPLEMENTATION


_HEAD = All(
    Keys("version"), Within("eval", All(Keys("task"), Either(Keys("run_id"), Keys("task_id"), Keys("model"))))
)
_STARTED = All(Keys("version"), Holds("eval", dict), Holds("plan", dict))


def _is_inspect(value: Json) -> int:
    """A log as one object, or the files of an archive by their names."""
    if not isinstance(value, dict):
        return 0
    for name in ("header.json", "_journal/start.json"):
        head = value.get(name)
        if isinstance(head, dict):
            return 97 if _HEAD(Fields(head, "")) else 0
    return 96 if _HEAD(Fields(value, "")) or _STARTED(Fields(value, "")) else 0


FORMATS: tuple[Format, ...] = (
    Format(
        name="inspect",
        title="Inspect log",
        system="Inspect",
        short="logs of Inspect, .eval and JSON",
        holds="samples with their messages, what was expected of them, and the scores that were given",
        recognise=_is_inspect,
        load=_inspect,
    ),
)
