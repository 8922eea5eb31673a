"""Keyrings to try with: one that keeps keys in a file, one that hangs, one that breaks and tells a secret."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.compat import properties
from keyring.errors import PasswordDeleteError

BACKEND = "PYTHON_KEYRING_BACKEND"
FILE = "TRACE_INSPECTOR_TEST_DRAWER"
SECRET = "sk-very-secret-0123456789"
HANG_S = 10.0


class Drawer(KeyringBackend):
    """Keeps keys in the file that the environment names."""

    @properties.classproperty
    def priority(self) -> float:
        return 5.0

    def get_password(self, service: str, username: str) -> str | None:
        return _held().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        _put({**_held(), f"{service}/{username}": password})

    def delete_password(self, service: str, username: str) -> None:
        held = _held()
        if held.pop(f"{service}/{username}", None) is None:
            raise PasswordDeleteError(username)
        _put(held)


class Stuck(Drawer):
    """Waits for a person who never comes."""

    def get_password(self, service: str, username: str) -> str | None:
        threading.Event().wait(HANG_S)
        return super().get_password(service, username)


class Broken(Drawer):
    """Says more than it should."""

    def get_password(self, service: str, username: str) -> str | None:
        raise OSError(f"{service}/{username}: {SECRET}")


def _held() -> dict[str, str]:
    path = Path(os.environ[FILE])
    held: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return held


def _put(held: dict[str, str]) -> None:
    Path(os.environ[FILE]).write_text(json.dumps(held), "utf-8")
