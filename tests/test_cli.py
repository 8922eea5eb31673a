from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from trace_inspector import __version__, cli, crash
from trace_inspector.commands import COMMANDS, Command, CommandModule
from trace_inspector.commands.window import display, qt_probe
from trace_inspector.settings import data_folder

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_line(*argv: str) -> tuple[int, str, str]:
        status = cli.main(argv)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_line


@pytest.fixture
def _no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version") == (0, f"trace-inspector {__version__}\n", "")


def test_help_names_every_command(run: Run) -> None:
    status, out, _err = run("--help")
    assert status == 0
    assert [command.name for command in COMMANDS if f"  {command.name} " not in out] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help(run: Run, command: Command) -> None:
    status, out, err = run(command.name, "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: trace-inspector {command.name}")


@pytest.mark.usefixtures("_no_display")
def test_without_a_display_files_cannot_be_opened(run: Run) -> None:
    status, out, err = run("trace.json")
    assert (status, out) == (2, "")
    assert "There is no display to open a window on." in err
    assert len(err.splitlines()) == 1


@pytest.mark.usefixtures("_no_display")
def test_without_a_display_the_samples_are_a_table(run: Run) -> None:
    status, out, err = run("--samples")
    assert (status, err) == (0, "")
    assert "passed" in out
    assert "FAILED" in out


ABSENT = (
    {"DISPLAY": ":54321"},
    {"DISPLAY": "nonsense"},
    {"QT_QPA_PLATFORM": "nonsense"},
    {"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":54321"},
    {"WAYLAND_DISPLAY": "no-such-socket"},
)


@pytest.fixture
def unusable(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment names a display which is not there: the first one, or the one that is asked for."""
    for name in display.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in getattr(request, "param", ABSENT[0]).items():
        monkeypatch.setenv(name, value)


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "trace_inspector", *arguments]
    return subprocess.run(line, capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="only there a display can be absent")
@pytest.mark.parametrize("unusable", ABSENT, ids=str, indirect=True)
@pytest.mark.usefixtures("unusable")
def test_a_display_that_cannot_be_opened_is_found_out_before_qt_is_asked() -> None:
    problem = display.window_problem()
    assert problem
    assert len(problem.splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only there a display can be absent")
@pytest.mark.usefixtures("unusable")
def test_a_display_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    done = program(str(tmp_path / "trace.json"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("trace-inspector: The window cannot be opened on ")
    assert "“trace-inspector doctor”" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only there a display can be absent")
@pytest.mark.usefixtures("unusable")
def test_on_a_display_that_cannot_be_opened_the_samples_are_a_table() -> None:
    done = program("--samples")
    assert (done.returncode, done.stderr) == (0, "")
    assert "FAILED" in done.stdout


def test_a_platform_that_needs_a_library_which_is_not_there_is_asked_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "libqxcb.so").write_bytes(b"no library")
    monkeypatch.setattr(qt_probe, "plugin_folder", lambda: tmp_path)
    monkeypatch.setattr(qt_probe, "probe", lambda **_asked: qt_probe.Probed(problem="libxcb-cursor0 is needed"))
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert display.window_problem() == "libxcb-cursor0 is needed"


@pytest.mark.parametrize("platforms", ["offscreen", "offscreen:size=10x10", "nonsense;minimal"])
def test_a_platform_that_needs_nothing_costs_no_process(monkeypatch: pytest.MonkeyPatch, platforms: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", platforms)
    monkeypatch.setattr(qt_probe, "probe", lambda **_asked: pytest.fail("A process was started."))
    assert display.window_problem() == ""


def test_a_wrong_option_is_a_usage_error(run: Run) -> None:
    status, _out, err = run("formats", "--no-such-option")
    assert status == 2
    assert "--no-such-option" in err


def test_two_dashes_end_the_options(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setattr(display, "has_display", lambda: False)
    status, _out, err = run("--", "--version")
    assert status == 2
    assert "no display" in err


def test_a_file_that_is_not_there_is_one_sentence(run: Run) -> None:
    status, out, err = run("inspect", "no-such-file.json")
    assert (status, out) == (2, "")
    assert "no-such-file.json" in err
    assert "Traceback" not in err
    assert len(err.splitlines()) == 1


def test_it_can_be_called_again_and_again(run: Run) -> None:
    assert run("formats") == run("formats")


def test_ctrl_c_is_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run_command", interrupted)
    status, _out, err = run("formats")
    assert status == 130
    assert err == "trace-inspector: Stopped.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
@pytest.mark.parametrize("swallows", ["finally: pass", "except BaseException: pass"], ids=["heard", "swallowed"])
def test_ctrl_c_while_the_program_starts_ends_it_whoever_would_swallow_an_exception(swallows: str) -> None:
    program = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from trace_inspector.__main__ import run\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'trace_inspector.cli':\n"
        "            try:\n"
        "                os.kill(os.getpid(), signal.SIGINT)\n"
        f"            {swallows}\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "run()\n"
    )
    done = subprocess.run([sys.executable, "-c", program, "metrics"], capture_output=True, timeout=240, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break differently there")
@pytest.mark.parametrize("command", [["metrics"], ["metrics", "--json"], ["--version"]])
def test_a_reader_that_left_is_no_error(command: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    line = [sys.executable, "-m", "trace_inspector", *command]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        line, stdout=writing, stderr=subprocess.PIPE, env=buffered, text=True, timeout=240, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", [["metrics"], ["metrics", "--json"], ["--version"]])
def test_a_full_disk_is_one_sentence(command: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "trace_inspector", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("trace-inspector: The output could not be written (")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_mistake(monkeypatch: pytest.MonkeyPatch, stream: str) -> None:
    monkeypatch.setattr(sys, stream, None)
    assert cli.main(["formats"]) == 0
    assert cli.main(["inspect", "no-such-file.json"]) == 2
    assert not (data_folder() / crash.FILE_NAME).exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_complaint_that_nobody_can_read_leaves_the_exit_code() -> None:
    with Path("/dev/full").open("wb") as full:
        line = [sys.executable, "-m", "trace_inspector", "inspect", "no-such-file.json"]
        assert subprocess.run(line, stderr=full, timeout=240, check=False).returncode == 2


@pytest.mark.parametrize("words", [["--help"], ["edit", "--help"]])
def test_help_needs_no_unicode_in_the_terminal(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trace_inspector", *words],
        env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=240,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u201c" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate"],
        ["formats", "--no-such-option"],
        ["--no-such-option"],
        ["evaluate", "x", "--fail-on", "a\n\x1b[31mb"],
        ["evaluate", "x", "--jobs", "many"],
        ["evaluate", "x", "--jobs", "99999999999"],
    ],
)
def test_a_usage_error_is_one_sentence(run: Run, words: list[str]) -> None:
    status, out, err = run(*words)
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert "\x1b" not in err
    assert "Something broke" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="no such file names there")
def test_a_file_name_forges_no_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a\nfake: passed\x1b[31m.json"
    path.write_text('{"criteria": {"response_match_score": 1}}')
    for words in (["inspect", str(path)], ["inspect", f"{path}.gone"]):
        _status, out, err = run(*words)
        assert len((out + err).splitlines()) == 1
        assert "\x1b" not in out + err


def test_output_is_plain_without_a_terminal(run: Run) -> None:
    _status, out, _err = run("formats")
    assert "\x1b" not in out
    assert out.endswith("\n")


def test_a_mistake_of_ours_is_a_sentence_and_a_report(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        cli, "COMMANDS", (Command("broken", "no command at all", lambda: cast("CommandModule", object())),)
    )
    status, out, err = run("broken", "secret-words-of-a-trace")
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert "a mistake of its own (AttributeError)" in err
    report = (data_folder() / crash.FILE_NAME).read_text()
    assert "cli.py" in report
    assert "secret" not in report
