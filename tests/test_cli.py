from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from trace_inspector import __version__, cli, crash
from trace_inspector.commands import COMMANDS, Command
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


def test_a_wrong_option_is_a_usage_error(run: Run) -> None:
    status, _out, err = run("formats", "--no-such-option")
    assert status == 2
    assert "--no-such-option" in err


def test_two_dashes_end_the_options(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setattr(cli, "has_display", lambda: False)
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


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break differently there")
@pytest.mark.parametrize("command", [["metrics"], ["metrics", "--json"], ["--version"]])
def test_a_reader_that_left_is_no_error(command: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    line = [sys.executable, "-m", "trace_inspector", *command]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        line, stdout=writing, stderr=subprocess.PIPE, env=buffered, text=True, timeout=30, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_output_is_plain_without_a_terminal(run: Run) -> None:
    _status, out, _err = run("formats")
    assert "\x1b" not in out
    assert out.endswith("\n")


def test_a_mistake_of_ours_is_a_sentence_and_a_report(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "COMMANDS", (Command("broken", "terminal", "no command at all"),))
    status, out, err = run("broken", "secret-words-of-a-trace")
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert "Something broke inside (AttributeError)" in err
    report = (data_folder() / crash.FILE_NAME).read_text()
    assert "cli.py" in report
    assert "secret" not in report
