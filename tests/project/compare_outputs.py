"""Runs every command, report and conversion of two checkouts on the same files, and lists every byte that differs.

    python tests/project/compare_outputs.py OLD_COMMIT [--corpus FOLDER]… [--only TEXT] [--keep FOLDER]

A net under changes that only move code: OLD_COMMIT is checked out beside this one, both get the same command lines,
and times, identifiers of runs, paths and versions are masked. Exit 0 where nothing differs, 1 otherwise. Commands and
kinds of reports are those of this checkout's tables: what the old one lacks is seen as different. Not a part of
`make test`: it takes some minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

PROJECT = Path(__file__).resolve().parents[2]
LIMIT_S = 600  # of one command line; where other programs have the machine, seconds become minutes
NOT_HANDED_ON = (
    *("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "GOOGLE_API_KEY", "GEMINI_API_KEY"),
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME"),
)
LINES_SHOWN = 12
LINES_COMPARED = 200
RULES = ("adk", "ces", "vertex", "agent-eval")
POLICIES = ("exact", "in-order", "any-order", "partial", "ces")
# First, as it tells how large the files in the data folder are, and these vary.
LISTS = (("doctor",), ("metrics",), ("metrics", "--json"), ("formats",), ("formats", "--json"))
NOT_COMPARED = {
    "listen": "waits for a program that sends to it; tests/commands and tests/flows/live have such programs",
    "mcp": "answers requests on its standard input until that ends; tests/commands asks it",
}
RUN = "../evaluate/report.adk"  # of the same file, evaluated just before
RESULTS = "../folder-results/results"
PARQUET = ".parquet"  # has when it was written in it, and is packed; `query` tells what else it holds
SESSION = '{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":"Hi"}}\n'

_MASKS = (
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?"), "TIME"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "UUID"),
    (re.compile(r"\b20\d{6}T\d{6}Z-[0-9a-f]+\b"), "RUN"),
    (re.compile(r'("\w*UnixNano": ")\d+'), r"\1NANOSECONDS"),
    (re.compile(r'("(?:\w*_s|\w*timestamp|seconds|time)": "?)\d[\d.e+-]*'), r"\1NUMBER"),
)


class TooLong(BaseException):
    """Raised where a command line does not end; no `except Exception` takes it for a failure of its own."""


class Case(Struct, frozen=True):
    """One command line, in a folder of its own below the folder of results."""

    name: str
    argv: tuple[str, ...]


def cases(inputs: Path) -> Iterator[Case]:
    """Every command on every file; commands for two files on neighbours of one folder; what rests on labels last."""
    for words in LISTS:
        yield Case("-".join(words).replace("---", "-"), words)
    yield Case("samples", ("--samples",))
    yield Case("archive", ("archive", "copies"))
    yield Case("archive-list", ("archive", "../archive/copies", "--list"))
    folders = sorted({file.parent for file in inputs.rglob("*") if file.is_file()})
    reports, labels = run_reports(), str(inputs / "samples" / "labels")
    for folder in folders:
        files = [file for file in sorted(folder.iterdir()) if file.is_file()]
        yield from _folder_cases(_name(inputs, folder), folder)
        for file in files:
            yield from _file_cases(_name(inputs, file), str(file), reports, labels)
        for first, second in pairwise(files):
            yield from _pair_cases(_name(inputs, first), str(first), str(second))
    yield Case("labels-import", ("labels", "import", labels))
    yield Case("labels-export", ("labels", "export", "-o", "labels.jsonl"))
    yield Case("labels-merge", ("labels", "merge", labels, "-o", "labels.csv"))
    yield Case("labels-modes", ("labels", "modes", labels))
    yield Case("labels-modes-json", ("labels", "modes", labels, "--json"))


def run_reports() -> tuple[str, ...]:
    """The kinds of reports of a run."""
    from trace_inspector.flows.runs.requested_reports import RUN_REPORTS

    return tuple(RUN_REPORTS)


def comparison_reports() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The kinds of pages about two traces, and about two runs."""
    from trace_inspector.engine import run_comparison
    from trace_inspector.engine.reports import trace_diff

    return tuple(report.name for report in trace_diff.REPORTS), tuple(
        report.name for report in run_comparison.REPORTS
    )


def _questions() -> tuple[str, ...]:
    from trace_inspector.flows.results.questions import QUESTIONS

    return tuple(question.name for question in QUESTIONS)


def _name(inputs: Path, path: Path) -> str:
    return re.sub(r"[^\w.-]+", "_", str(path.relative_to(inputs))) or "all"


def _as(kinds: Iterable[str], stem: str) -> list[str]:
    return [word for kind in kinds for word in ("--report", f"{kind}={stem}.{kind}")]


def _folder_cases(name: str, folder: Path) -> Iterator[Case]:
    for command in ("inspect", "validate", "audit", "coverage"):
        yield Case(f"{name}/folder-{command}", (command, str(folder)))
    yield Case(f"{name}/folder-evaluate", ("evaluate", str(folder), "--json"))
    yield Case(f"{name}/folder-results", ("evaluate", str(folder), "--results", "results"))
    yield Case(f"{name}/folder-query-list", ("query", RESULTS, "--list"))
    for question in _questions():
        yield Case(f"{name}/folder-query-{question}", ("query", RESULTS, question, "--to", "json"))


def _file_cases(name: str, file: str, reports: Iterable[str], labels: str) -> Iterator[Case]:
    for command in ("inspect", "audit", "coverage"):
        yield Case(f"{name}/{command}", (command, file))
        yield Case(f"{name}/{command}-json", (command, file, "--json"))
    yield Case(f"{name}/validate", ("validate", file))
    yield Case(f"{name}/evaluate", ("evaluate", file, *_as(reports, "report")))
    yield Case(f"{name}/evaluate-json", ("evaluate", file, "--json"))
    for rules in RULES:
        yield Case(f"{name}/evaluate-{rules}", ("evaluate", file, "--rules", rules, "--json"))
    yield Case(f"{name}/evaluate-redacted", ("evaluate", file, "--redact-secrets", "--report", "html=report.html"))
    for target in _formats():
        words = ("convert", file, "--to", target, "-o", "converted.json")
        yield Case(f"{name}/convert-{target}", words)
        yield Case(f"{name}/convert-{target}-lossy", (*words, "--allow-loss"))
    yield Case(f"{name}/promote", ("promote", file, "--into", "suite.evalset.json", "--allow-loss"))
    yield Case(f"{name}/edit", ("edit", file, "--insert", '/zzz={"a": 1.50}', "-o", "edited.json"))
    yield Case(f"{name}/explain", ("explain", RUN))
    yield Case(f"{name}/explain-json", ("explain", RUN, "--json"))
    yield Case(f"{name}/evidence", ("evidence", RUN, "-o", "page.html"))
    yield Case(f"{name}/evidence-without-texts", ("evidence", file, "--without-texts", "-o", "page.html"))
    yield Case(f"{name}/labels-sample", ("labels", "sample", file, "--n", "5", "-o", "queue.jsonl"))
    yield Case(f"{name}/calibrate", ("calibrate", RUN, "--labels", labels, "--json", "--html", "page.html"))


def _pair_cases(name: str, first: str, second: str) -> Iterator[Case]:
    yield Case(f"{name}/evaluate-next", ("evaluate", second, "--golden", first, "--json"))
    for policy in POLICIES:
        yield Case(f"{name}/diff-{policy}", ("diff", first, second, "--policy", policy))
    of_traces, of_runs = comparison_reports()
    yield Case(f"{name}/diff-pages", ("diff", first, second, *_as(of_traces, "page")))
    yield Case(f"{name}/diff-three", ("diff", first, second, first))
    yield Case(f"{name}/compare-runs", ("compare-runs", first, second, *_as(of_runs, "page")))
    rebase = ("rebase", first, "--base", first, "--new", second)
    yield Case(f"{name}/rebase", (*rebase, "--propose", "decisions.json", "--json"))
    yield Case(f"{name}/rebase-apply", (*rebase, "--decisions", "../rebase/decisions.json", "-o", "goldens"))


def _formats() -> tuple[str, ...]:
    """The names of formats that are written, by this checkout: both get the same command lines."""
    from trace_inspector.formats import FORMATS

    return tuple(known.name for known in FORMATS if known.write is not None)


def run(checkout: Path, wanted: Sequence[Case], results: Path) -> subprocess.Popen[bytes]:
    """Begin to run the cases with the code of a checkout, in a process of its own."""
    results.mkdir()
    listing = results / "cases.json"
    listing.write_text(json.dumps([[case.name, case.argv] for case in wanted]), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in NOT_HANDED_ON}
    environment |= {
        "PYTHONPATH": str(checkout),
        "HOME": str(_home(results.parent / "home")),
        "TRACE_INSPECTOR_DATA": str(results / "data"),
        "COLUMNS": "118",
        "PYTHONHASHSEED": "0",
    }
    script = Path(__file__).resolve()
    return subprocess.Popen([sys.executable, str(script), "--run", str(listing)], cwd=checkout, env=environment)


def _home(folder: Path) -> Path:
    """A home with one session of a coding agent, so that there is something to be archived."""
    session = folder / ".claude" / "projects" / "-srv-shop" / "one.jsonl"
    session.parent.mkdir(parents=True, exist_ok=True)
    session.write_text(SESSION, encoding="utf-8")
    return folder


def run_listed(listing: Path) -> None:
    """In the process with the other code: every case, one after the other."""
    main = importlib.import_module("trace_inspector.cli").main

    def end(*_signal: object) -> NoReturn:
        raise TooLong  # or the signal would end all of this

    signal.signal(signal.SIGALRM, end)
    for name, argv in json.loads(listing.read_text(encoding="utf-8")):
        folder = listing.parent / "cases" / name
        folder.mkdir(parents=True)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            signal.alarm(LIMIT_S)
            try:
                status = str(main(argv))
            except BaseException as problem:  # what escapes is a difference to be seen, whatever it is
                status = f"raised {type(problem).__name__}"
            finally:
                signal.alarm(0)
        (folder / "exit").write_text(status + "\n", encoding="utf-8")
        (folder / "stdout").write_text(out.getvalue(), encoding="utf-8", errors="backslashreplace")
        (folder / "stderr").write_text(err.getvalue(), encoding="utf-8", errors="backslashreplace")


def differences(old: Path, new: Path, checkouts: tuple[Path, Path]) -> Iterator[tuple[str, list[str]]]:
    """Each file of results that differs, with the lines that do."""
    files = ((side, file) for side in (old, new) for file in (side / "cases").rglob("*") if file.is_file())
    for name in sorted({str(file.relative_to(side)) for side, file in files if file.suffix != PARQUET}):
        raw = [side / name for side in (old, new)]
        if all(file.exists() for file in raw) and raw[0].read_bytes() == raw[1].read_bytes():
            continue  # masking costs more than all the rest
        before, after = _masked(old, name, checkouts[0]), _masked(new, name, checkouts[1])
        if before != after:
            start = next((i for i, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
            part = slice(start, start + LINES_COMPARED)  # difflib takes minutes for a whole report
            yield name, list(difflib.unified_diff(before[part], after[part], "old", "new", lineterm="", n=0))[3:]


def _masked(side: Path, name: str, checkout: Path) -> list[str]:
    try:
        text = (side / name).read_bytes().decode("utf-8", "backslashreplace")
    except FileNotFoundError:
        return ["(no such file)"]
    # Paths first: they hold numbers that look like other things.
    for path, word in (
        (Path(sys.prefix), "PYTHON"),
        (side / "data", "DATA"),
        (side, "RESULTS"),
        (checkout, "CHECKOUT"),
    ):
        text = text.replace(str(path), word)
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    return text.splitlines()


def compare(commit: str, corpora: Sequence[Path], only: str, place: Path) -> int:
    """Both checkouts side by side, then the list of what differs."""
    sys.path.insert(0, str(PROJECT))  # the tables of this checkout
    inputs = place / "inputs"
    _copy(PROJECT / "resources" / "samples", inputs / "samples")
    for corpus in corpora:
        _copy(corpus, inputs / corpus.name)
    checkout = place / "checkout"
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(PROJECT), str(checkout)], check=True)
    subprocess.run(["git", "-C", str(checkout), "checkout", "--quiet", commit], check=True)
    wanted = [case for case in cases(inputs) if only in case.name]
    started = time.monotonic()
    processes = [run(checkout, wanted, place / "old"), run(PROJECT, wanted, place / "new")]
    statuses = [process.wait() for process in processes]
    if any(statuses):
        print("A run ended early; nothing was compared.")
        return 2
    different = list(differences(place / "old", place / "new", (checkout, PROJECT)))
    for name, lines in different:
        print(f"\n{name.removeprefix('cases/')}")
        print("\n".join(f"  {line[:200]}" for line in lines[:LINES_SHOWN]))
        if len(lines) > LINES_SHOWN:
            print(f"  … {LINES_SHOWN} of {len(lines)} lines")
    print(f"\n{len(wanted)} command lines in {time.monotonic() - started:.0f} s; {len(different)} outputs differ.")
    return 1 if different else 0


def _copy(source: Path, target: Path) -> None:
    # Not links: commands write beside what they read, and both sides must find the same.
    subprocess.run(["cp", "-RL", f"{source}/.", f"{_made(target)}"], check=True)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def main() -> int:
    """The command line of this script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", help="the commit to compare with")
    parser.add_argument("--corpus", type=Path, action="append", default=[], help="a folder of more files")
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--keep", type=Path, help="a new folder in which all outputs stay")
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        run_listed(options.run)
        return 0
    if not options.commit:
        parser.error("name the commit to compare with")
    corpora = list(options.corpus)
    named = os.environ.get("TRACE_INSPECTOR_CORPUS")
    if named and not corpora:
        corpora.append(Path(named))
    if options.keep:
        return compare(options.commit, corpora, options.only, _made(options.keep.absolute()))
    with tempfile.TemporaryDirectory(prefix="compare-outputs-") as folder:
        return compare(options.commit, corpora, options.only, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
