"""A transport that keeps what is written to it, so that what comes when is in the hands of a test."""

from __future__ import annotations

import asyncio


class Written(asyncio.Transport):
    """The other end of a protocol; `is_cut_off` where it was not closed in order."""

    def __init__(self, protocol: asyncio.BaseProtocol) -> None:
        super().__init__()
        self.protocol = protocol
        self.data = bytearray()
        self.may_come = True
        self.is_cut_off = False
        self.is_full = False  # whatever is written to it
        self._is_told = self._is_closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep it."""
        self.data += data
        if self.is_full and not self._is_told and isinstance(self.protocol, asyncio.Protocol):
            self._is_told = True
            self.protocol.pause_writing()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Another one goes on."""
        self.protocol = protocol

    def pause_reading(self) -> None:
        """Nothing is to come for now."""
        self.may_come = False

    def resume_reading(self) -> None:
        """More may come."""
        self.may_come = True

    def is_closing(self) -> bool:
        """Whether it ends."""
        return self._is_closing

    def close(self) -> None:
        """It ends."""
        self._is_closing = True

    def abort(self) -> None:
        """It ends at once."""
        self._is_closing = self.is_cut_off = True
