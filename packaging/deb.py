"""Builds a package for Debian and Ubuntu into dist/: the program with its Python packages under /opt.

They are an environment of their own on the system's Python, of the version that this is run with.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME = "trace-inspector"
HOME = Path("opt", NAME)
LIBRARIES = (
    "libegl1", "libgl1", "libglib2.0-0 | libglib2.0-0t64", "libfontconfig1", "libdbus-1-3", "libxkbcommon0",
    "libxkbcommon-x11-0", "libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0",
)  # fmt: skip
ENVIRONMENT = """home = /usr/bin
include-system-site-packages = false
version = {python}
"""
COMMAND = """#!/{home}/bin/python3
from trace_inspector.__main__ import run

if __name__ == "__main__":
    run()
"""
CONTROL = """Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: The Trace Inspector contributors <nobody@localhost>
Section: devel
Priority: optional
Installed-Size: {kilobytes}
Depends: python3 (>= {python}), python3 (<< {next_python}), {libraries}
Description: See what an agent did, and decide what right is
 Trace Inspector opens recorded conversations of agents and the eval sets that
 say what they should have done, shows each as turns, events and tool calls,
 and scores every turn, in a window and on the command line.
"""


def main() -> int:
    """Build it, and say how large it is."""
    with tempfile.TemporaryDirectory(prefix="trace-inspector-deb-") as folder:
        stage = Path(folder, "stage")
        _fill(stage)
        package = ROOT / "dist" / f"{NAME}_{_version()}_{_architecture()}.deb"
        package.parent.mkdir(exist_ok=True)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", str(stage), str(package)], check=True
        )
    print(f"{package}: {package.stat().st_size / 1e6:.0f} MB")
    return 0


def _fill(stage: Path) -> None:
    major, minor = sys.version_info[:2]
    library = stage / HOME / "lib" / f"python{major}.{minor}" / "site-packages"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-compile"]
    constraints = ["-c", str(ROOT / "constraints.txt")]
    with tempfile.TemporaryDirectory(prefix="trace-inspector-build-") as tools:
        subprocess.run([*pip, *constraints, "--target", tools, "hatchling"], check=True)
        subprocess.run(
            [*pip, *constraints, "--no-build-isolation", "--target", str(library), f"{ROOT}[judges]"],
            env={**os.environ, "PYTHONPATH": tools}, check=True,
        )  # fmt: skip
    shutil.rmtree(library / "bin", ignore_errors=True)
    shutil.copytree(library / "share", stage / "usr" / "share")
    shutil.rmtree(library / "share")
    (stage / "usr" / "share" / "doc" / NAME).mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", stage / "usr" / "share" / "doc" / NAME / "copyright")
    command = stage / HOME / "bin" / NAME
    command.parent.mkdir()
    (command.parent / "python3").symlink_to("/usr/bin/python3")
    (stage / HOME / "pyvenv.cfg").write_text(ENVIRONMENT.format(python=f"{major}.{minor}"), encoding="utf-8")
    command.write_text(COMMAND.format(home=HOME), encoding="utf-8")
    command.chmod(0o755)
    called = stage / "usr" / "bin" / NAME
    called.parent.mkdir()
    called.symlink_to(f"/{HOME}/bin/{NAME}")
    for file in library.rglob("*"):  # whoever builds may keep his files to himself
        file.chmod(0o755 if file.is_dir() or file.stat().st_mode & 0o100 else 0o644)
    size = sum(file.stat().st_size for file in stage.rglob("*") if file.is_file() and not file.is_symlink())
    control = stage / "DEBIAN" / "control"
    control.parent.mkdir()
    text = CONTROL.format(
        name=NAME, version=_version(), architecture=_architecture(), kilobytes=size // 1024,
        python=f"{major}.{minor}", next_python=f"{major}.{minor + 1}", libraries=", ".join(LIBRARIES),
    )  # fmt: skip
    control.write_text(text, encoding="utf-8")


def _version() -> str:
    text = (ROOT / "trace_inspector" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    if found is None:
        raise SystemExit("version.py names no version")
    return found[1]


def _architecture() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
