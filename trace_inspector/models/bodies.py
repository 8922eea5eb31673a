"""What rows look into: pickled cases, traces, turns and spans, opened one at a time when somebody looks."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from typing import TypeAlias

from trace_inspector.core.golden import Case, Suite
from trace_inspector.core.trace import Span, Trace, Turn

Body: TypeAlias = Suite | Case | Trace | Turn | tuple[Span, ...]

_KEPT_OPEN = 24


class Bodies:
    """As they came from the child that read the file; those looked at lately stay open."""

    def __init__(self) -> None:
        self.pickled: list[bytes] = []
        self._open: OrderedDict[int, Body] = OrderedDict()

    def __getitem__(self, number: int) -> Body:
        body = self._open.get(number)
        if body is None:
            body = self._open[number] = pickle.loads(self.pickled[number])  # written by our own child, over a pipe
            if len(self._open) > _KEPT_OPEN:
                self._open.popitem(last=False)
        self._open.move_to_end(number)
        return body
