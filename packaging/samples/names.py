"""Ids and JSON text: always the same for the same story."""

from __future__ import annotations

import hashlib
import json
import uuid

from samples.story import Json


def hex_id(*of: str | int, digits: int) -> str:
    """A hexadecimal id of that many digits."""
    return hashlib.sha256("/".join(map(str, of)).encode()).hexdigest()[:digits]


def uuid_of(*of: str | int) -> str:
    """A random-looking UUID."""
    return str(uuid.UUID(hex_id(*of, digits=32), version=4))


def line(value: Json) -> str:
    """JSON on one line, as tracers put it into an attribute."""
    return json.dumps(value, ensure_ascii=False)


def pages(value: Json) -> str:
    """JSON as files hold it: two spaces, a newline at the end."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
