"""What holds for every test: private folders, no network, nothing left running, a GUI that never stalls."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

# shiboken's import hook and pydantic's lazy imports do not get along unless pydantic comes first, and whole.
import pydantic.fields  # noqa: F401
import pytest
from hypothesis import HealthCheck, settings

from tests.helpers import campaigns, hangs, leaks, network, skips, slow_tests

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot  # imports before Qt is chosen fail

# The same examples every time and no clock: a slow machine is no reason to fail.
settings.register_profile(
    "project", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")

STALL_S = 5.0  # far over what a slow machine makes of a test; how short it really is, benchmarks say
CORPUS_VARIABLE = "TRACE_INSPECTOR_CORPUS"
SECOND_CORPUS_VARIABLE = "TRACE_INSPECTOR_CORPUS_SECOND"
VIEWS = Path(__file__).parent / "views"
CORPUS_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "corpus"  # there, nobody may forget to name it


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which part of the tests is run, and whether their processor time is written down (docs/testing.md)."""
    parser.addoption("--part", choices=("all", "quick", "slow"), default="all", help="without, or only, slow tests")
    parser.addoption("--times", type=Path, metavar="FOLDER", help="write the processor time of each test there")


def pytest_configure(config: pytest.Config) -> None:
    """Count what is skipped, and let signals mean what they mean at a terminal, also below a `nohup`."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    config.pluginmanager.register(skips.from_environment(CORPUS_BESIDE.is_dir()))
    limit_s: float | None = config.getoption("timeout")  # 0, below a debugger, is no limit
    config.pluginmanager.register(hangs.Watch(float(config.getini("timeout")) if limit_s is None else limit_s))
    if folder := config.getoption("times"):
        folder.mkdir(parents=True, exist_ok=True)
        config.pluginmanager.register(slow_tests.Times(folder))


@pytest.hookimpl(optionalhook=True)  # unknown where xdist is switched off
def pytest_xdist_auto_num_workers() -> int:
    """More than there are processors: tests of the window wait a third of their time, for children and timers."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """The collector need not go through what the modules hold, neither while they are imported nor ever after."""
    gc.disable()
    result = yield
    gc.collect()
    gc.freeze()
    gc.enable()
    return result


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file that has nothing for this part is not even imported."""
    return slow_tests.is_elsewhere(config, collection_path) or None


def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str) -> list[pytest.Item] | None:
    """A test of the other part is not even made, nor any of its cases."""
    return [] if slow_tests.is_left_out(collector.config, collector.nodeid, name) else None


@pytest.hookimpl(tryfirst=True)  # before those are left out that `-m` does not ask for
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what reads third-party files when nobody said where they are; what waits runs beside what computes."""
    campaigns.mark_long_forms(items)
    for marker, variable in (("corpus", CORPUS_VARIABLE), ("second_corpus", SECOND_CORPUS_VARIABLE)):
        if missing := _missing(variable):
            for item in items:
                if item.get_closest_marker(marker):
                    item.add_marker(pytest.mark.skip(reason=missing))
    if hasattr(config, "workerinput"):  # in a process of its own the order is that of the command line
        when = _interleaved(list(dict.fromkeys(item.path for item in items)))
        items.sort(key=lambda item: when[item.path])


def _interleaved(files: list[Path]) -> dict[Path, float]:
    """When each file has its turn, from 0 to 1: those of the window spread evenly among the others."""
    views = [file for file in files if VIEWS in file.parents]
    others = [file for file in files if VIEWS not in file.parents]
    return {file: at / len(group) for group in (views, others) for at, file in enumerate(group)}


def _missing(variable: str) -> str:
    named = os.environ.get(variable, "")
    if not named:
        return f"{variable} is not set"
    return "" if Path(named).is_dir() else f"{variable} names no folder"


def _folder(variable: str) -> Path:
    if missing := _missing(variable):
        pytest.skip(missing)
    return Path(os.environ[variable])


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of third-party files."""
    return _folder(CORPUS_VARIABLE)


@pytest.fixture(scope="session")
def second_corpus() -> Path:
    """The folder of third-party files of further formats."""
    return _folder(SECOND_CORPUS_VARIABLE)


@pytest.fixture(scope="session", autouse=True)
def _private_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Everything that looks for a home, a configuration or a cache finds an empty folder."""
    home = tmp_path_factory.mktemp("home")
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
            patch.setenv(variable, str(home))
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            patch.setenv(variable, str(home / variable.lower()))
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        for key in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY"):
            patch.delenv(key, raising=False)
        yield home


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """That of pytest-qt, which waits longer."""
    assert qapp
    from tests.helpers.patient_bot import PatientBot

    return PatientBot(request)


@pytest.fixture(scope="session")
def data_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that nobody made yet. Not below `tmp_path`, which most tests do without and takes milliseconds."""
    base = tmp_path_factory.mktemp("data")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def private_data(data_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has a data folder of its own; it is there once the code makes it."""
    folder = next(data_folders)
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(folder))
    return folder


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    with network.loopback_only():
        yield


@pytest.fixture(scope="session")
def leak_recorder() -> Iterator[leaks.Recorder]:
    """Hears of every thread, timer and process that starts."""
    with leaks.recording() as recorder:
        yield recorder


@pytest.fixture(autouse=True)
def _nothing_left_behind(leak_recorder: leaks.Recorder) -> Iterator[None]:
    """A test that leaves a thread, timer, process or window behind fails, and the message says which."""
    before = leaks.top_level_widgets()
    leak_recorder.take()
    yield
    started = leak_recorder.take()
    after = leaks.top_level_widgets()
    left = leaks.left_running(started) + leaks.left_open(before, after)
    if left:
        pytest.fail("The test left something behind:\n  " + "\n  ".join(left), pytrace=False)


@pytest.fixture(autouse=True)
def _never_stalls(request: pytest.FixtureRequest, _nothing_left_behind: None) -> Iterator[None]:
    """In a test of the window the main thread is watched: over 100 ms prints its stack, over five seconds fails."""
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        if not gc.isenabled():  # a test of the window was the last: what it left must end in this thread
            gc.collect()
            gc.enable()
        yield
        return
    request.getfixturevalue("qapp")
    gc.disable()  # see `work.processes.collecting`; on at once after the test, it would run while Qt ends things
    from trace_inspector.work.processes.watchdog import Watchdog

    watchdog = Watchdog()
    watchdog.start()
    yield
    watchdog.stop()
    _let_go_of_keys()
    gc.collect(1)
    if watchdog.worst_s > STALL_S:
        pytest.fail(f"The test held the main thread for {watchdog.worst_s:.1f} s; its stack is in the output above.")


def _let_go_of_keys() -> None:
    """Qt believes that Shift stays down with which a test pressed its last key: rows would be added to others."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QWidget

    if QGuiApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        nowhere = QWidget()
        QTest.keyRelease(nowhere, Qt.Key.Key_Shift)
        nowhere.deleteLater()
