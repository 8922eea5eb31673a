"""`python -m trace_inspector` and the installed command."""

from __future__ import annotations

import multiprocessing
import sys

from trace_inspector.cli import main


def run() -> None:
    """The entry point; a frozen program's child processes start here too."""
    multiprocessing.freeze_support()
    sys.exit(main())


if __name__ == "__main__":
    run()
