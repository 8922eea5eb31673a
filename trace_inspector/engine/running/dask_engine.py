"""Dask distributed, the extra `cluster`: a cluster of its own on this machine, or a scheduler that is there already.

Its protocol runs code of whoever reaches it. So a cluster that is started here listens on loopback alone, and one
beyond this machine is reached by TLS, unless a person says that its network is trusted.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import multiprocessing
import os
import re
import threading
import warnings
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.running.engine import MOST_WORKERS, Engine, worker_count
from trace_inspector.engine.running.handshake import identity, refuse_others
from trace_inspector.extras import CLUSTER, missing

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

_LOOPBACK = "127.0.0.1"
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
_CONNECT_S = 10
_CLOSE_S = 15
_WORKERS_S = 60
_SETTINGS = {
    # A shard that ended its worker is bisected here; a second try of the whole only ends one worker more.
    "distributed.scheduler.allowed-failures": 0,
    "distributed.comm.timeouts.connect": f"{_CONNECT_S}s",
    "distributed.comm.retry.count": 0,
    "distributed.worker.daemon": True,
}


@contextlib.contextmanager
def dask_engine(rest: str, *, trust: bool) -> Iterator[Engine]:
    """The engine of `dask:REST`: a number of workers, an address, or nothing."""
    if not_installed := missing(CLUSTER):
        raise UsageError(f"Dask cannot be used: {not_installed}")
    is_own = not rest or rest.isdigit()
    count = worker_count(rest) if rest and is_own else min(os.cpu_count() or 1, MOST_WORKERS)
    if not is_own:
        _check_address(rest, trust=trust)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # its own words for what is said here in a sentence
    import dask

    with dask.config.set(_SETTINGS), contextlib.ExitStack() as stack:
        client = _own_cluster(stack, count) if is_own else _reached(stack, rest)
        name = f"dask:{count}" if is_own else f"dask:{rest}"
        _shake_hands(client, name)
        threads = sum(client.nthreads().values())
        # Without `pure` a shard that is tried again would be answered by its first failure.
        yield Engine(name, client.get_executor(pure=False), max(1, threads))


def _check_address(text: str, *, trust: bool) -> None:
    match = _ADDRESS.fullmatch(text)
    shown = one_line(text, 60)
    if match is None or not 0 < int(match[3]) < 1 << 16:
        raise UsageError(
            f"--on dask:{shown}: this is no address. Write dask:tcp://HOST:PORT, dask:tls://HOST:PORT or dask:N."
        )
    if match[1] == "tcp" and not trust and not _is_loopback(match[2]):
        raise UsageError(
            f"--on dask:{shown}: whoever reaches or reads this connection can run code on both sides. Use "
            f"dask:tls://{match[2]}:{match[3]}, or say --trust-cluster for a network that you trust."
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _own_cluster(stack: contextlib.ExitStack, count: int) -> Client:
    from distributed import Client, LocalCluster

    stack.callback(_kill_others, frozenset(multiprocessing.active_children()))
    try:
        cluster = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host=_LOOPBACK,
            dashboard_address=f"{_LOOPBACK}:0",
            worker_dashboard_address=f"{_LOOPBACK}:0",
            silence_logs=logging.CRITICAL,
        )
    except Exception as problem:
        raise UsageError(f"No Dask cluster could be started on this machine: {_cause(problem)}.") from problem
    stack.callback(_closed_quietly, cluster)
    client = Client(cluster, set_as_default=False)
    stack.callback(_closed_quietly, client)
    return client


def _reached(stack: contextlib.ExitStack, address: str) -> Client:
    from distributed import Client

    client: Client
    try:
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
        stack.callback(_closed_quietly, client)
        client.wait_for_workers(1, timeout=_WORKERS_S)
    except Exception as problem:
        raise UsageError(
            f"The Dask scheduler at {address} cannot be used: {_cause(problem)}. Check the address, and that it and "
            "a worker are running."
        ) from problem
    return client


def _shake_hands(client: Client, name: str) -> None:
    """UsageError unless every worker has our program, rules and Python."""
    try:
        replies = client.run(identity, on_error="return")
    except Exception as problem:
        raise UsageError(f"The workers of {name} do not answer: {_cause(problem)}.") from problem
    for worker, reply in replies.items():
        if isinstance(reply, BaseException):
            raise UsageError(
                f"The worker {worker} cannot run Trace Inspector ({_cause(reply)}). Install this version of it there."
            )
    refuse_others(replies)


def _closed_quietly(opened: Client | LocalCluster) -> None:
    """Close a client or a cluster, within a limit; where the other side is gone already there is nothing to say."""
    closing = threading.Thread(target=_close, args=(opened,), name="dask-close", daemon=True)
    closing.start()
    closing.join(_CLOSE_S)


def _close(opened: Client | LocalCluster) -> None:
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opened.close(timeout=_CONNECT_S)


def _kill_others(before: frozenset[BaseProcess]) -> None:
    """End what a cluster that does not close has left: the program ends whatever Dask waits for."""
    for child in frozenset(multiprocessing.active_children()) - before:
        child.kill()


def _cause(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {one_line(str(problem), 160)}" if str(problem) else type(problem).__name__
