"""`python -m trace_inspector` and the installed command."""

from __future__ import annotations

import signal
import sys


def run() -> None:
    """The entry point; a frozen program's child processes start here too."""
    # Ctrl+C ends the program at once while it starts: an exception that rises in the midst of an import may be
    # swallowed there. The rest is imported here, behind that. Whoever started it to go on regardless is heeded.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    import gc
    import os

    from trace_inspector.cli import main

    # Plugins that other packages bring for pydantic have no business here, and looking for them takes time.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Or else Python's own child processes would first look for modules in the folder that they were started in.
    os.environ["PYTHONSAFEPATH"] = "1"
    if getattr(sys, "frozen", False):
        import multiprocessing

        multiprocessing.freeze_support()
    status = main()
    if "PySide6" not in sys.modules:
        gc.freeze()  # a command has closed what it opened: nobody needs to look through what is left
    sys.exit(status)


if __name__ == "__main__":
    run()
