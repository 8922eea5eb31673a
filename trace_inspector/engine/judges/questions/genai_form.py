"""Values as google-adk shows them to a judge, whichever way a file spells them."""

from __future__ import annotations

import json
import math

from trace_inspector.core.values.values import Json


def pretty(value: Json) -> str:
    """JSON with an indent of 2; numbers that JSON cannot hold are null, as in ADK."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), indent=2, ensure_ascii=False)


def grounding_metadata(value: Json) -> Json:
    """Grounding metadata under the names and in the order of google-genai; what it does not know stays as it is."""
    from google.genai.types import GroundingMetadata
    from pydantic import ValidationError

    try:
        known = GroundingMetadata.model_validate(value)
    except ValidationError:
        return value
    written: Json = known.model_dump(mode="json", exclude_none=True)
    return written


def _finite(value: Json) -> Json:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(held) for name, held in value.items()}
    return [_finite(held) for held in value] if isinstance(value, list) else value
