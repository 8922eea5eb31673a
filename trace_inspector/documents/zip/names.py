"""Names of archive members: read in whatever encoding, and shown as paths that lead nowhere else."""

from __future__ import annotations

import re

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DRIVE = re.compile(r"^[A-Za-z]:")
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def decoded(raw: bytes) -> str:
    """A name as text. Many writers use UTF-8 without saying so; what is not UTF-8 is the DOS encoding."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp437")


def safe_path(name: str) -> str:
    """The name as a relative path: folders by “/”, nothing empty, and nothing in it that leads elsewhere."""
    path = _DRIVE.sub(_INSTEAD, _UNSAFE.sub(_INSTEAD, name.replace("\\", "/")))
    parts = (part for part in path.split("/") if part not in ("", "."))
    return "/".join(_INSTEAD if part == ".." else part for part in parts)


def leads_outside(name: str) -> bool:
    """Whether the name would lead out of the folder it were unpacked into, or is no name at all."""
    path = name.replace("\\", "/")
    return (
        path.startswith("/")
        or _DRIVE.match(path) is not None
        or ".." in path.split("/")
        or _UNSAFE.search(path) is not None
    )
