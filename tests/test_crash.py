from __future__ import annotations

import faulthandler
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from trace_inspector import crash


def fail(words: str) -> None:
    raise ValueError(words)


def fail_again(words: str) -> None:
    try:
        fail(words)
    except ValueError as inner:
        raise RuntimeError(words) from inner


def failed(words: str) -> BaseException:
    with pytest.raises(RuntimeError) as caught:
        fail_again(words)
    return caught.value


def test_a_report_has_types_and_places_and_nothing_of_the_words() -> None:
    text = crash.report(failed("the customer's address"), ["WARNING jobs: read %s"])
    assert "builtins.RuntimeError" in text
    assert "builtins.ValueError" in text
    assert "tests/test_crash.py:" in text
    assert "in fail" in text
    assert "  WARNING jobs: read %s" in text
    assert "address" not in text
    assert str(Path.home()) not in text


def test_a_report_of_a_long_chain_ends() -> None:
    error: BaseException = ValueError()
    for _ in range(1_000):
        outer = RuntimeError()
        outer.__cause__ = error
        error = outer
    assert crash.report(error).count("RuntimeError") == crash.MAX_CHAIN


def test_what_nobody_caught_is_written_told_and_shown_once(tmp_path: Path) -> None:
    told: list[str] = []
    with crash.guarded(tmp_path, lambda: ["last"], told.append):
        error = failed("secret")
        sys.excepthook(type(error), error, error.__traceback__)
    assert len(told) == 1
    assert crash.take_earlier(tmp_path) == told[0].strip()
    assert crash.take_earlier(tmp_path) == ""


def test_a_thread_that_fails_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)  # pytest has its own while a test runs
    told: list[str] = []
    with crash.guarded(tmp_path, list, told.append):
        thread = threading.Thread(target=fail, args=("secret",))
        thread.start()
        thread.join()
    assert len(told) == 1
    assert "builtins.ValueError" in told[0]


def test_one_process_does_not_report_for_ever(tmp_path: Path) -> None:
    told: list[str] = []
    with crash.guarded(tmp_path, list, told.append):
        for _ in range(crash.MAX_REPORTS + 5):
            sys.excepthook(ValueError, ValueError(), None)
    assert len(told) == crash.MAX_REPORTS


def test_everything_is_as_before_afterwards(tmp_path: Path) -> None:
    before = (sys.excepthook, threading.excepthook, faulthandler.is_enabled())
    with crash.guarded(tmp_path, list, lambda _text: None):
        assert sys.excepthook is not before[0]
    assert (sys.excepthook, threading.excepthook, faulthandler.is_enabled()) == before


def test_a_kept_error_is_shown_at_the_next_start(tmp_path: Path) -> None:
    file = crash.keep(failed("secret"), tmp_path)
    kept = crash.take_earlier(tmp_path)
    assert file.parent == tmp_path
    assert "builtins.RuntimeError" in kept
    assert "secret" not in kept


def test_no_folder_means_nothing_failed(tmp_path: Path) -> None:
    assert crash.take_earlier(tmp_path / "never made") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals end a process differently there")
def test_a_hard_crash_leaves_its_stack_for_the_next_start(tmp_path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import os, signal
        from pathlib import Path
        from trace_inspector import crash
        def deep() -> None:
            os.kill(os.getpid(), signal.SIGSEGV)
        with crash.guarded(Path({str(tmp_path)!r}), list, print):
            deep()
        """
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=240, check=False)
    assert done.returncode != 0
    text = crash.take_earlier(tmp_path)
    assert "Segmentation fault" in text
    assert "in deep" in text
