"""Builds a package for Debian and Ubuntu into dist/: the program with its Python packages under /opt.

They are an environment of their own on the system's Python, of the version that this is run with.
"""

from __future__ import annotations

import argparse
import compileall
import gzip
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from building import build_wheel, install_wheel
from program_version import VERSION

ROOT = Path(__file__).resolve().parents[1]
NAME = "trace-inspector"
HOME = Path("opt", NAME)
# What the window and its child processes load. `trace-inspector doctor` names them too.
LIBRARIES = (
    "libc6", "libegl1", "libgl1", "libglib2.0-0 | libglib2.0-0t64", "libfontconfig1", "libdbus-1-3",
    "libwayland-client0", "libwayland-cursor0", "libxkbcommon0", "libxkbcommon-x11-0",
    "libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0", "libxcb-xkb1",
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
MAINTAINER = "The Trace Inspector contributors <nobody@localhost>"
CONTROL = """Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Section: devel
Priority: optional
Installed-Size: {kilobytes}
Depends: python3 (>= {python}), python3 (<< {next_python}), {libraries}
Description: See what an agent did, and decide what right is
 Trace Inspector opens recorded conversations of agents and the eval sets that
 say what they should have done, shows each as turns, events and tool calls,
 and scores every turn, in a window and on the command line.
"""
# Removing the package leaves what people made with it, and says so.
AFTER_REMOVAL = """#!/bin/sh
set -e
case "$1" in
  remove|purge)
    echo "{name}: runs, labels, edits that were not saved and settings stay in each person's data folder:"
    echo "  \\$TRACE_INSPECTOR_DATA, else \\$XDG_DATA_HOME/{name}, else ~/.local/share/{name}"
    ;;
esac
"""
CHANGES = """{name} ({version}) unstable; urgency=medium

  * What changed for those who use it is in CHANGELOG.md.gz beside this file.

 -- {maintainer}  {date}
"""
# What a reviewer of Debian itself would refuse, and why it is so here.
COPYRIGHT = """Trace Inspector is the work of its contributors.

Copyright: The Trace Inspector contributors
License: Apache-2.0, see /usr/share/common-licenses/Apache-2.0

The fonts Inter and JetBrains Mono in /{home} have the SIL Open Font License
1.1; their notices follow. The licences of the Python packages that are carried
along stand beside each of them, in the folders of /{home} that end in
.dist-info.

{fonts}"""
# What a reviewer of Debian itself would refuse, and why it is so here.
OVERRIDES = """# The Python packages are carried along: Debian has them in other versions or not at all.
{name}: dir-or-file-in-opt [opt/*]
{name}: embedded-library *
# The command runs in the environment that it comes with.
{name}: wrong-path-for-interpreter *
# All that it does is to tell what stays.
{name}: maintainer-script-empty [postrm]
# No public address is known yet.
{name}: bogus-mail-host Maintainer *
{name}: bogus-mail-host-in-debian-changelog *
# Packed by xz it would take four times as long to build, for 5 % less.
{name}: malformed-deb-archive *
"""


def main() -> int:
    """Build it, and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, help="what to package; without it, it is built from this checkout")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trace-inspector-deb-") as folder:
        stage = Path(folder, "stage")
        stage.mkdir(mode=0o755)
        _fill(stage, given.wheel or build_wheel(Path(folder)))
        package = ROOT / "dist" / f"{NAME}_{VERSION}_{_architecture()}.deb"
        package.parent.mkdir(exist_ok=True)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", str(stage), str(package)], check=True
        )
    print(f"{package}: {package.stat().st_size / 1e6:.0f} MB")
    return 0


def _fill(stage: Path, wheel: Path) -> None:
    major, minor = sys.version_info[:2]
    library = stage / HOME / "lib" / f"python{major}.{minor}" / "site-packages"
    install_wheel(wheel, "installers", "--no-compile", "--target", str(library))
    _tidy(library)
    shutil.copytree(library / "share", stage / "usr" / "share")
    shutil.rmtree(library / "share")
    _compile(library, stage)
    command = stage / HOME / "bin" / NAME
    command.parent.mkdir()
    (command.parent / "python3").symlink_to("/usr/bin/python3")
    (stage / HOME / "pyvenv.cfg").write_text(ENVIRONMENT.format(python=f"{major}.{minor}"), encoding="utf-8")
    command.write_text(COMMAND.format(home=HOME), encoding="utf-8")
    command.chmod(0o755)
    called = stage / "usr" / "bin" / NAME
    called.parent.mkdir()
    called.symlink_to(f"/{HOME}/bin/{NAME}")
    _document(stage / "usr" / "share")
    for file in stage.rglob("*"):  # whoever builds may keep his files to himself
        if not file.is_symlink():
            file.chmod(0o755 if file.is_dir() or file == command else 0o644)
    size = sum(file.stat().st_size for file in stage.rglob("*") if file.is_file() and not file.is_symlink())
    control = stage / "DEBIAN" / "control"
    control.parent.mkdir(mode=0o755)
    text = CONTROL.format(
        name=NAME, version=VERSION, architecture=_architecture(), kilobytes=size // 1024, maintainer=MAINTAINER,
        python=f"{major}.{minor}", next_python=f"{major}.{minor + 1}", libraries=", ".join(LIBRARIES),
    )  # fmt: skip
    control.write_text(text, encoding="utf-8")
    removal = control.with_name("postrm")
    removal.write_text(AFTER_REMOVAL.format(name=NAME), encoding="utf-8")
    removal.chmod(0o755)


def _tidy(library: Path) -> None:
    """Leave out commands of other packages, and where on the builder's disk the wheel lay."""
    shutil.rmtree(library / "bin", ignore_errors=True)
    for file in library.glob("trace_inspector-*.dist-info/direct_url.json"):
        file.unlink()


def _compile(library: Path, stage: Path) -> None:
    """Byte code comes along, of the one Python that the package asks for: who starts the program cannot write it."""
    compileall.compile_dir(
        str(library), quiet=2, workers=0, stripdir=str(stage), prependdir="/",
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )  # fmt: skip


def _document(share: Path) -> None:
    """Licence, changes and the man page, in the form that Debian wants."""
    folder = share / "doc" / NAME
    folder.mkdir(parents=True)
    fonts = "\n".join(
        one.read_text(encoding="utf-8") for one in sorted((ROOT / "resources" / "fonts").glob("*-OFL.txt"))
    )
    (folder / "copyright").write_text(COPYRIGHT.format(home=HOME, fonts=fonts), encoding="utf-8")
    changes = CHANGES.format(name=NAME, version=VERSION, maintainer=MAINTAINER, date=_date_of_release())
    _pack(folder / "changelog.gz", changes.encode())
    _pack(folder / "CHANGELOG.md.gz", (ROOT / "CHANGELOG.md").read_bytes())
    for page in [*share.glob("man/*/*")]:
        _pack(page.with_name(f"{page.name}.gz"), page.read_bytes())
        page.unlink()
    overrides = share / "lintian" / "overrides" / NAME
    overrides.parent.mkdir(parents=True)
    overrides.write_text(OVERRIDES.format(name=NAME), encoding="utf-8")


def _date_of_release() -> str:
    """When this version is dated in the changelog, as Debian writes it; the first day of 1970 where it is not yet."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[{re.escape(VERSION)}\] - (\d{{4}}-\d\d-\d\d)$", text, re.MULTILINE)
    return format_datetime(datetime.fromisoformat(found[1] if found else "1970-01-01").replace(tzinfo=UTC))


def _architecture() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


def _pack(target: Path, data: bytes) -> None:
    target.write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    sys.exit(main())
