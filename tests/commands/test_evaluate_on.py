"""`evaluate --on`: the same verdicts from any engine, by real processes; what dies, and what cannot be used."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.commands.test_evaluate_processes import runs, until
from tests.helpers.campaigns import is_long
from tests.helpers.eval_sets import call, case, turn, write_eval_set
from tests.helpers.signals import heeding_ctrl_c
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening import given_files, line_shards

ROOT = Path(__file__).parents[2]
LIMIT_S = 150.0
CASES = 9
HELPERS = "tests.helpers.engines"
pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to see a process's children"),
    pytest.mark.timeout(600),
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Three files of recordings, of which one case fails, and their goldens."""
    cases: list[Json] = [_case(at) for at in range(CASES)]
    for at in range(3):
        write_eval_set(tmp_path / "traces" / f"{at}.json", *(_case(n, wrong=n == 4) for n in range(at, CASES, 3)))
    return tmp_path / "traces", write_eval_set(tmp_path / "g.json", *cases)


def _case(at: int, *, wrong: bool = False) -> JsonObject:
    return case(f"c{at}", turn(f"q{at}", f"answer {at}", [call("look", n=-1 if wrong else at)]))


def command(files: tuple[Path, Path], *options: str) -> list[str]:
    """A command line of a process of its own."""
    traces, golden = files
    line = ["evaluate", str(traces), "--golden", str(golden), "--json", *options]
    return [sys.executable, "-m", "trace_inspector", *line]


def done(files: tuple[Path, Path], *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command, at its end."""
    return subprocess.run(
        command(files, *options),
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


def told(text: str) -> JsonObject:
    """A run without what is another each time."""
    told: JsonObject = json.loads(text)
    run = told["run"]
    assert isinstance(run, dict)
    assert {"id", "started_s"} <= run.keys()
    return {**told, "run": {key: value for key, value in run.items() if key not in ("id", "started_s")}}


def children_of(process: int) -> list[int]:
    """All processes below one."""
    found: list[int] = []
    with suppress(OSError):  # it ended just now
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *children_of(child)]
    return found


def listening(processes: Sequence[int]) -> set[str]:
    """The addresses on which processes listen, as the system writes them."""
    sockets = set()
    for process in processes:
        with suppress(OSError):
            for handle in Path(f"/proc/{process}/fd").iterdir():
                with suppress(OSError):
                    sockets.add(str(handle.readlink()))
    addresses = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _number, local, _remote, state, *_rest = fields = line.split()
            if state == "0A" and f"socket:[{fields[9]}]" in sockets:
                addresses.add(local.partition(":")[0])
    return addresses


ENGINES = [f"factory:{HELPERS}:any_order", f"factory:{HELPERS}:two_processes", "local:2", "dask:1", "dask:2"]


@pytest.mark.parametrize("engine", [*ENGINES, "local:4", "dask:4"] if is_long() else ENGINES)
def test_every_engine_gives_the_same_bits(files: tuple[Path, Path], tmp_path: Path, engine: str) -> None:
    alone = done(files, "--on", "local:1")
    assert alone.returncode == 1, alone.stderr
    results = tmp_path / "results"
    found = done(files, "--on", engine, "--results", str(results), TEST_ORDER=engine)
    assert found.returncode == 1, found.stderr
    assert found.stderr == ""
    assert told(found.stdout) == told(alone.stdout)
    manifest = json.loads((results / "trace-inspector-results.json").read_text(encoding="utf-8"))
    assert manifest["engine"] == engine
    assert 1 <= manifest["worker_processes"] <= (2 if engine[-1] not in "14" else int(engine[-1]))


@pytest.fixture
def marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where workers mark the cases that they judge, where a test has them do so."""
    folder = tmp_path / "marks"
    folder.mkdir()
    monkeypatch.setenv("TEST_MARKS", str(folder))
    return folder


@pytest.fixture
def cluster(marks: Path, tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, as a cluster has them."""
    assert marks.is_dir()
    address = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(address), "--no-dashboard"]
    started: list[subprocess.Popen[bytes]] = []
    try:
        started.append(_start("scheduler", *common, "--host", "127.0.0.1"))
        started.extend(_start("worker", *common, "--nthreads", "1", "--host", "127.0.0.1") for _ in range(2))
        # The scheduler makes the file first and writes it later.
        assert until(lambda: bool(_address(address)))
        yield _address(address), started
    finally:
        below = [child for process in started for child in children_of(process.pid)]
        for process in started:
            process.kill()
            process.wait(LIMIT_S)
        for child in filter(runs, below):
            os.kill(child, signal.SIGKILL)


def _address(path: Path) -> str:
    """The address in a scheduler's file; none as long as the file is not there or not written to its end."""
    with suppress(FileNotFoundError, json.JSONDecodeError):
        return str(json.loads(path.read_text(encoding="utf-8"))["address"])
    return ""


def _start(*line: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + line[0], *line[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_a_cluster_that_is_there_is_used_and_left_as_it_was(
    files: tuple[Path, Path], cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    address, processes = cluster
    found = done(files, "--on", f"dask:{address}")
    assert found.returncode == 1, found.stderr
    assert told(found.stdout) == told(done(files).stdout)
    assert all(process.poll() is None for process in processes)


def test_without_its_scheduler_a_run_ends_and_goes_on_with_resume(
    files: tuple[Path, Path], cluster: tuple[str, list[subprocess.Popen[bytes]]], marks: Path
) -> None:
    address, [scheduler, *_workers] = cluster
    whole = told(done(files).stdout)
    running = subprocess.Popen(
        command(files, "--on", f"factory:{HELPERS}:held_on_dask"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TEST_ADDRESS": address},
    )
    assert until(lambda: {"c5", "c7"} <= {mark.name for mark in marks.iterdir()})
    scheduler.kill()
    out, err = running.communicate(timeout=LIMIT_S)
    # 1 as one of the cases that are done failed; 3 where the scheduler was gone before their verdicts were fetched
    assert running.returncode in (1, 3), err
    assert json.loads(out)["cases"][5]["status"] == "PENDING"
    assert "its scheduler ended" in out
    assert "--resume" in out
    resumed = done(files, "--resume", "--on", f"factory:{HELPERS}:any_order")
    assert resumed.returncode == 1
    if running.returncode == 1:
        assert "3 of 9 cases are done" in resumed.stderr or "6 of 9 cases are done" in resumed.stderr
    assert told(resumed.stdout) == whole


@pytest.mark.parametrize("engine", ["dask:2", f"factory:{HELPERS}:poisoned"])
def test_a_case_that_kills_its_worker_costs_itself_alone(files: tuple[Path, Path], engine: str) -> None:
    traces, golden = files
    poison = case("poison", turn("q", "a", [call("look")]))
    write_eval_set(traces / "0.json", *(_case(at) for at in (0, 3, 6)), poison)
    write_eval_set(golden, *(_case(at) for at in range(CASES)), poison)
    found = done(
        files,
        "--on",
        engine,
        DASK_DISTRIBUTED__WORKER__PRELOAD=HELPERS,
        DASK_DISTRIBUTED__LOGGING__DISTRIBUTED="critical",
    )
    statuses = {one["id"]: one for one in json.loads(found.stdout)["cases"]}
    assert statuses["poison"]["status"] == "ERROR", found.stderr
    assert "ended unexpectedly" in statuses["poison"]["reason"]
    assert [one["id"] for one in statuses.values() if one["status"] == "ERROR"] == ["poison"]
    assert len(statuses) == CASES + 1


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_cluster_of_its_own_listens_on_loopback_and_ends_with_the_command(
    files: tuple[Path, Path], marks: Path, how: signal.Signals
) -> None:
    with heeding_ctrl_c():
        started = subprocess.Popen(
            command(files, "--on", "dask:2"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__WORKER__PRELOAD": HELPERS},
        )
    with started as process:
        try:
            assert until((marks / "c5").exists)
            below = children_of(process.pid)
            addresses = listening([process.pid, *below])
            process.send_signal(how)
            assert process.wait(LIMIT_S) == (-how if how == signal.SIGKILL else 130)
        finally:
            process.kill()
    assert addresses == {"0100007F"}
    assert until(lambda: not any(map(runs, below)))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--on", "ray"], "no such engine. Write local[:N]"),
        (["--on", "local:0"], "from 1 to 61"),
        (["--on", "local:two"], "from 1 to 61"),
        (["--on", "dask:0"], "from 1 to 61"),
        (["--on", "dask:udp://127.0.0.1:1"], "no address"),
        (["--on", "dask:tcp://127.0.0.1:99999"], "no address"),
        (["--on", "dask:tcp://10.0.0.1:8786"], "dask:tls://10.0.0.1:8786"),
        (["--on", "dask:tcp://[2001:db8::1]:8786"], "--trust-cluster"),
        (["--on", "factory:nothing"], "factory:MODULE:NAME"),
        (["--on", "factory:no_such_module_here:make"], "could not be made (ModuleNotFoundError"),
        (["--on", f"factory:{HELPERS}:no_such_name"], "could not be made (AttributeError"),
        (["--on", f"factory:{HELPERS}:broken"], "no cluster today"),
        (["--on", f"factory:{HELPERS}:no_executor"], "returned str, which is no concurrent.futures.Executor"),
        (["--on", f"factory:{HELPERS}:of_another_version"], "other rules"),
        (["--on", "local:2", "--jobs", "2"], "not allowed with"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    traces, golden = files
    with suppress(SystemExit):
        assert main(["evaluate", str(traces), "--golden", str(golden), *options]) == 2
    assert sentence in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["evaluate", str(files[0]), "--golden", str(files[1]), "--on", "dask"]) == 2
    assert "pip install 'trace-inspector[cluster]'" in capsys.readouterr().err


def test_a_scheduler_that_nobody_reaches_is_a_sentence_within_its_time(files: tuple[Path, Path]) -> None:
    found = done(files, "--on", "dask:tcp://127.0.0.1:9")
    assert found.returncode == 2
    assert "scheduler at tcp://127.0.0.1:9 cannot be used" in found.stderr
    assert found.stderr.count("\n") == 1


def test_a_large_file_of_lines_is_the_same_by_several_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks.make_big import Big, write

    lines, golden = write(Big(30, deep=False), "otlp-lines", tmp_path / "t.jsonl"), tmp_path / "g.json"
    write(Big(30, deep=False), "golden", golden)
    line = ["evaluate", str(lines), "--golden", str(golden), "--json"]
    whole = main(line), told(capsys.readouterr().out)
    monkeypatch.setattr(given_files, "HELD_BYTES", 1)
    monkeypatch.setattr(line_shards, "PART_BYTES", 200_000)
    monkeypatch.setattr(line_shards, "SHARD_BYTES", 300_000)
    for engine in ("local:1", "local:2", f"factory:{HELPERS}:any_order"):
        assert (main([*line, "--on", engine]), told(capsys.readouterr().out)) == whole
