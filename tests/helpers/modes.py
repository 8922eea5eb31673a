"""What others may do with the files below a folder, and a window that writes all it writes by itself.

`python -m tests.helpers.modes FILE...` opens the files in the real program, pastes a text, changes a setting and says
while it runs, and once more after it ended, what others could get at.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

OTHERS = 0o077


def open_to_others(folder: Path) -> list[str]:
    """The folder and all below it that anybody else may read, write or list, each with its mode."""
    below = (Path(above) / name for above, folders, files in os.walk(folder) for name in (*folders, *files))
    return [
        f"{path.relative_to(folder.parent)} {stat.S_IMODE(path.lstat().st_mode):o}"
        for path in (folder, *below)
        if path.lstat().st_mode & OTHERS and not path.is_symlink()
    ]


def names_below(folder: Path) -> set[str]:
    """What lies directly in a folder."""
    return {path.name for path in folder.iterdir()}


def say(*lines: str) -> None:
    """Tell whoever started this."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def main() -> None:
    """Run the window until all of that is done."""
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QApplication

    from trace_inspector.models.base.open_file import FileState
    from trace_inspector.settings import data_folder
    from trace_inspector.views.shell.application import open_window
    from trace_inspector.views.shell.main_window import MainWindow

    app = QApplication([])
    look = QTimer()
    is_pasted = False

    def go_on() -> None:
        nonlocal is_pasted
        window = next((one for one in app.topLevelWidgets() if isinstance(one, MainWindow)), None)
        files = window.desk.workspace.files.in_order if window is not None else ()
        if window is None or len(files) < len(sys.argv) - 1 or any(file.state is FileState.LOADING for file in files):
            return
        if not is_pasted:
            is_pasted = True
            QGuiApplication.clipboard().setText('{"pasted": true}')
            window.commands.actions["open-clipboard"].trigger()
            window.desk.settings.setValue("theme", "dark")
            window.desk.settings.sync()
            return
        look.stop()
        say("names", *sorted(names_below(data_folder())))
        say("open", *open_to_others(data_folder()))
        window.saving.leave()

    look.timeout.connect(go_on)
    look.start(20)
    status = open_window(sys.argv[1:], samples=False)
    say("after", *open_to_others(data_folder()))
    sys.exit(status)


if __name__ == "__main__":
    main()
