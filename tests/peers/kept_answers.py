"""Keeps answers of the peers of agreement for `make test`: `python -m tests.peers.kept_answers PYTHON` asks again."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.peers.agreement import COMPARISONS
from tests.peers.comparison import Comparison
from tests.peers.peer import PROJECT, Peer
from trace_inspector.core.values.values import Json, JsonObject

FILE = PROJECT / "tests" / "data" / "agreement.json"
_SEED = "kept"
_NUMBERS = {"agreement-tables": 100, "agreement-raters": 60, "agreement-pairs": 40}


def kept() -> list[tuple[Comparison, Json, Json]]:
    """Every comparison with a case and their answer to it."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    return [
        (comparison, each["case"], each["theirs"]) for comparison in COMPARISONS for each in stored[comparison.name]
    ]


def main() -> None:
    """Ask for the answers and write them."""
    written: JsonObject = {}
    with Peer(str(Path(sys.argv[1])), "tests.peers.inside.agreement") as peer:
        for comparison in COMPARISONS:
            cases = [comparison.case(_SEED, index) for index in range(_NUMBERS[comparison.name])]
            peer.ask(comparison.job, cases)
            written[comparison.name] = [
                {"case": case, "theirs": comparison.heard(theirs)}
                for case, theirs in zip(cases, peer.answers(), strict=True)
            ]
    FILE.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
