"""`python -m trace_inspector` and the installed command."""

from __future__ import annotations

import sys


def run() -> None:
    """The entry point; a frozen program's child processes start here too."""
    try:
        # Imported here, so that Ctrl+C while the program still starts is no traceback either.
        import multiprocessing
        import os

        from trace_inspector.cli import main

        # Plugins that other packages bring for pydantic have no business here, and looking for them takes time.
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        # Or else Python's own child processes would first look for modules in the folder that they were started in.
        os.environ["PYTHONSAFEPATH"] = "1"
        multiprocessing.freeze_support()
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
