"""No test talks to a machine other than this one."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest

from trace_inspector.work.processes import fork_server


def is_loopback(address: object) -> bool:
    """Whether an address, as sockets take it, stays on this machine. Paths of local sockets do."""
    if not isinstance(address, tuple) or not address:
        return True
    host = str(address[0])
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


@contextmanager
def loopback_only() -> Iterator[None]:
    """Make every connection beyond loopback a failed test, also where the code swallows errors."""
    originals = {name: getattr(socket.socket, name) for name in ("connect", "connect_ex")}

    def guarded(name: str) -> Any:
        def connect(self: socket.socket, address: object) -> Any:
            if not is_loopback(address):
                pytest.fail(f"The test tried to reach {address} over the network; tests stay on this machine.")
            return originals[name](self, address)

        return connect

    for name in originals:
        setattr(socket.socket, name, guarded(name))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(socket.socket, name, original)


def none_at_all(patch: pytest.MonkeyPatch) -> None:
    """Not even this machine: whatever connects or asks for an address fails, until the patches are undone."""

    def caught(*given: object, **_named: object) -> NoReturn:
        pytest.fail(f"The test tried to use the network: {given[1:]}.")

    for name in ("connect", "connect_ex", "sendto", "bind"):
        patch.setattr(socket.socket, name, caught)
    patch.setattr(socket, "getaddrinfo", caught)
    patch.setattr(fork_server, "HAS_SERVER", False)  # it is reached by a socket
