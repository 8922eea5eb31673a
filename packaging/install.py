"""Installs the program for everybody below a prefix, and takes it away again: `install` and `uninstall`.

It has an environment of its own in PREFIX/lib/trace-inspector; the command and what desktops and shells look for are
links to it. Which links were made stands in a list beside it, so that only those are taken away.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from building import build_wheel, install_wheel

ROOT = Path(__file__).resolve().parents[1]
NAME = "trace-inspector"
LIST = "installed-links.txt"


def main(argv: list[str] | None = None) -> int:
    """Install or uninstall; 2 with a sentence where that is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("install", "uninstall"))
    parser.add_argument("--prefix", type=Path, default=Path("/usr/local"))
    given = parser.parse_args(argv)
    prefix = given.prefix.absolute()
    try:
        return install(prefix) if given.what == "install" else uninstall(prefix)
    except OSError as problem:
        print(f"{problem.filename or prefix}: {problem.strerror}. Name another place with PREFIX=….", file=sys.stderr)
        return 2


def install(prefix: Path) -> int:
    """Make the environment, then the links."""
    home = prefix / "lib" / NAME
    if home.exists() and not (home / LIST).is_file():
        print(f"{home} is there already, and was not made by “make install”. Nothing was changed.", file=sys.stderr)
        return 2
    taken = [link for link, _target in _links(prefix, home) if _is_anothers(link, home)]
    if taken:
        print(f"{taken[0]} is there already, and belongs to something else. Nothing was changed.", file=sys.stderr)
        return 2
    if home.exists():
        uninstall(prefix, quiet=True)
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    (home / LIST).touch()
    with tempfile.TemporaryDirectory(prefix="trace-inspector-wheel-") as folder:
        install_wheel(build_wheel(Path(folder)), "installers", python=[str(home / "bin" / "python")])
    made = []
    for link, target in _links(prefix, home):
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
        made.append(str(link.relative_to(prefix)))
        (home / LIST).write_text("\n".join(made) + "\n", encoding="utf-8")
    print(f"Installed: {prefix / 'bin' / NAME}")
    return 0


def uninstall(prefix: Path, *, quiet: bool = False) -> int:
    """Take away what was installed; what people made with it stays, and where that is is said."""
    home = prefix / "lib" / NAME
    if not (home / LIST).is_file():
        print(f"Nothing that “make install” made is below {prefix}.", file=sys.stderr)
        return 2
    for line in (home / LIST).read_text(encoding="utf-8").splitlines():
        link = prefix / line
        if link.is_symlink() and not _is_anothers(link, home):
            link.unlink()
    shutil.rmtree(home)
    if not quiet:
        print("Uninstalled. Runs, labels, edits that were not saved and settings stay where they are:")
        print("  $TRACE_INSPECTOR_DATA, else $XDG_DATA_HOME/trace-inspector, else ~/.local/share/trace-inspector")
    return 0


def _links(prefix: Path, home: Path) -> Iterator[tuple[Path, Path]]:
    """Each link and where it leads."""
    yield prefix / "bin" / NAME, home / "bin" / NAME
    share = ROOT / "packaging" / "share"
    icon = Path("icons", "hicolor", "scalable", "apps", f"org.traceinspector.{NAME.replace('-', '')}.svg")
    for file in (*(one.relative_to(share) for one in sorted(share.rglob("*")) if one.is_file()), icon):
        yield prefix / "share" / file, home / "share" / file


def _is_anothers(link: Path, home: Path) -> bool:
    """Whether something is there that is no link into the environment."""
    if not link.is_symlink():
        return link.exists()
    return not link.readlink().is_relative_to(home)


if __name__ == "__main__":
    sys.exit(main())
