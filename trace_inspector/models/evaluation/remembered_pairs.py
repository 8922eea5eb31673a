"""Pairings that a person made, remembered by the places of both sides; the oldest are forgotten first."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import astuple

from PySide6.QtCore import QSettings

from trace_inspector.core.alignment.hand_pair import HandPair

MOST = 2000
_KEY = "pairs-by-hand"
_FIELDS = 6


class RememberedPairs:
    """By trace, in the order in which they were made."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings
        self._pairs = {pair.trace: pair for pair in _read(settings)}

    def of(self, paths: Collection[str]) -> tuple[HandPair, ...]:
        """Those of traces in these files."""
        return tuple(pair for pair in self._pairs.values() if pair.trace_path in paths)

    def add(self, pair: HandPair) -> None:
        """A pairing takes the place of an earlier one of the same trace."""
        self._pairs.pop(pair.trace, None)
        self._pairs[pair.trace] = pair
        for trace in list(self._pairs)[:-MOST]:
            del self._pairs[trace]
        self._keep()

    def drop(self, trace: tuple[str, str, str]) -> None:
        """The proposed pairing again."""
        self._pairs.pop(trace, None)
        self._keep()

    def _keep(self) -> None:
        if self._settings is not None:
            self._settings.setValue(_KEY, json.dumps([astuple(pair) for pair in self._pairs.values()]))


def _read(settings: QSettings | None) -> list[HandPair]:
    """What was kept, as far as it is what we keep."""
    kept = settings.value(_KEY, "") if settings is not None else ""
    try:
        listed = json.loads(kept) if isinstance(kept, str) and kept else []
    except (ValueError, RecursionError):
        return []
    return [
        HandPair(*fields)
        for fields in (listed if isinstance(listed, list) else [])[-MOST:]
        if isinstance(fields, list) and len(fields) == _FIELDS and all(isinstance(text, str) for text in fields)
    ]
