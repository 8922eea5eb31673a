"""In which heap a compared case lies for a reader: as its change, but what fails and got worse stands apart."""

from __future__ import annotations

import enum


class Group(enum.Enum):
    """In the order in which they are read."""

    REGRESSED = "regressed"
    WORSE = "still failing, worse"
    IMPROVED = "improved"
    NEW = "new"
    GONE = "missing"
    NOT_COMPARABLE = "not comparable"
    UNCHANGED = "unchanged"
