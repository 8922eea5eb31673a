"""The exception for a comparison without a result; in its own module, because it needs no metric."""

from __future__ import annotations

from trace_inspector.core.errors import InspectorError


class CannotJudge(InspectorError):
    """A metric has nothing to go on, or its criterion is broken; the sentence becomes the verdict's reason."""
