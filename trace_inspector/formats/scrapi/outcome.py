"""The names and flags of outcomes in SCRAPI's results."""

from __future__ import annotations

from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.formats.ces.common.enums import OUTCOME, enum_word
from trace_inspector.formats.common.fields import Fields, Report

_STATUSES = {"PASS": Status.PASSED, "FAIL": Status.FAILED, "SKIPPED": Status.SKIPPED}
_SPELLINGS = {"PASSED": "PASS", "FAILED": "FAIL", "MET": "PASS", "NOT MET": "FAIL"}


def stated(fields: Fields, name: str, report: Report) -> Status:
    """The status that a name or number stands for; an unknown one is reported and decides nothing."""
    value = fields.get(name)
    word = _SPELLINGS.get(value.upper()) if isinstance(value, str) else None
    return _STATUSES.get(word or enum_word(fields, name, OUTCOME, report), Status.NOT_EVALUATED)


def flagged(value: Json | Absent) -> Status:
    """The status that true and false stand for; nothing else decides."""
    if value is ABSENT or not isinstance(value, bool):
        return Status.NOT_EVALUATED
    return Status.PASSED if value else Status.FAILED
