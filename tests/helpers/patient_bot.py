"""`qtbot` for a machine that does much else: what takes a second on a quiet one may take ten there."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot, SignalInstance
from pytestqt.wait_signal import CheckParamsCb, SignalBlocker

LONGEST_MS = 60_000


class PatientBot(QtBot):
    """Waits for a minute where a test does not say for how long."""

    def waitUntil(  # noqa: N802 - the name is the library's
        self, callback: Callable[[], bool | None], *, timeout: int = LONGEST_MS
    ) -> None:
        """Until the callback says so, or asserts nothing any more."""
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(  # noqa: N802 - the name is the library's
        self,
        signal: SignalInstance,
        *,
        timeout: int = LONGEST_MS,
        raising: bool | None = None,
        check_params_cb: CheckParamsCb | None = None,
    ) -> SignalBlocker:
        """Until a signal comes."""
        return super().waitSignal(signal, timeout=timeout, raising=raising, check_params_cb=check_params_cb)
