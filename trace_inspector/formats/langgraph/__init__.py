"""LangGraph: the checkpoints that its SQLite saver keeps of conversations. Here its row."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import Keys, OneObject, first


def _checkpoints() -> Implementation:
    from trace_inspector.formats.langgraph.checkpoints import IMPLEMENTATION

    return IMPLEMENTATION


_A_CHECKPOINT = Keys("thread_id", "checkpoint_ns", "checkpoint_id", "parent_checkpoint_id", "checkpoint")
_A_WRITE = Keys("thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "channel", "value")


def _is_empty(fields: Fields) -> bool:
    """Whether nothing was kept yet: of a table without rows only the name is known."""
    return fields.value == {"checkpoints": [], "writes": []}


FORMATS: tuple[Format, ...] = (
    Format(
        name="langgraph",
        title="LangGraph checkpoints",
        system="LangGraph",
        short="SQLite checkpoints",
        holds="recorded conversations by thread, with the state of the graph step by step",
        recognise=OneObject(
            (97, first("checkpoints", _A_CHECKPOINT)),
            (70, first("writes", _A_WRITE)),
            (60, _is_empty),
        ),
        load=_checkpoints,
    ),
)
