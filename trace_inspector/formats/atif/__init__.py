"""ATIF, the trajectories of Harbor and Terminal-Bench, which many agents write: read and written. Here its row."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import (
    All,
    Best,
    Either,
    Holds,
    OneObject,
    Rules,
    Surest,
    Within,
    first,
)


def _trajectory() -> Implementation:
    from trace_inspector.formats.atif.trajectory import IMPLEMENTATION

    return IMPLEMENTATION


def _states_version(fields: Fields) -> bool:
    version = fields.value.get("schema_version")
    return isinstance(version, str) and version.upper().startswith("ATIF")


# Later versions may rename what is beside the steps: a version that says ATIF is enough.
_STEPS = All(Holds("steps", list), Within("agent", Holds("name", str)))
_OF_ATIF = Either(first("steps", All(Holds("step_id", int), Holds("source", str))), Holds("final_metrics", dict))
_RULES = ((98, All(_states_version, Holds("steps", list))), (75, All(_STEPS, _OF_ATIF)))

FORMATS: tuple[Format, ...] = (
    Format(
        name="atif",
        title="ATIF trajectory",
        system="Coding agents",
        short="ATIF trajectories",
        holds="recorded conversations of agents, step by step, with tokens and costs",
        recognise=Surest(OneObject(*_RULES), Best(Rules(*_RULES))),
        load=_trajectory,
        writes=True,
    ),
)
