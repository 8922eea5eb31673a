"""Three small conversations that part in every way, and the HTML reports of what `diff` finds in them.

`python -m tests.helpers.report_files` writes the golden files in tests/data anew; look at them before they are kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.helpers.eval_sets import call, case, turn
from trace_inspector.core.values.values import Json
from trace_inspector.engine.trace_diff.rule import comparison_named
from trace_inspector.flows.runs.compare_files import compare
from trace_inspector.flows.runs.redacted_reports import OF_FILES

FOLDER = Path(__file__).parent.parent / "data"
MARKUP = "<script>document.title = 'ran'</script><img src=x onerror=alert(1)> & “quotes”"
PLACES = call("places", query="parking", radius_m=800)
WEB = call("web")


def _golden() -> list[Json]:
    return [
        turn("Where can I park?", "Six dollars an hour.", [PLACES, call("stops")]),
        turn("And at night?", MARKUP, [call("rates", night=True, tags=["a", "b"])]),
        turn("Thanks", "You are welcome."),
    ]


def _baseline() -> list[Json]:
    return [
        turn("Where can I park?", "Six dollars an hour.", [call("stops"), PLACES]),
        turn("And at night?", "Free.", [call("rates", night="yes", tags=["a", "c"])]),
    ]


def _candidate() -> list[Json]:
    return [
        turn("Where can I park?", "Five dollars an hour.", [call("places", query="parking lots", radius_m=800)]),
        turn("And at night?", "Free.", [call("rates", night="yes", tags=["a", "c"]), call("web", q=MARKUP), WEB]),
        turn("Thanks", "You are welcome."),
    ]


# Each report by the sides that it compares.
REPORTS: Mapping[str, tuple[str, ...]] = {
    "report-two-sides.html": ("golden", "candidate"),
    "report-three-sides.html": ("golden", "baseline", "candidate"),
}


def written(folder: Path, sides: tuple[str, ...]) -> str:
    """The HTML report of these sides; nothing in it depends on where the files lie."""
    made = {"golden": _golden, "baseline": _baseline, "candidate": _candidate}
    paths = [Path(f"{name}.evalset.json") for name in sides]
    with chdir(folder):
        for name, path in zip(sides, paths, strict=True):
            path.write_text(json.dumps({"eval_set_id": name, "eval_cases": [case("parking", *made[name]())]}))
        return OF_FILES["html"].write(compare(paths, comparison_named("exact")))


def main() -> None:
    """Write them anew."""
    for name, sides in REPORTS.items():
        with TemporaryDirectory() as folder:
            (FOLDER / name).write_text(written(Path(folder), sides), "utf-8")


if __name__ == "__main__":
    main()
