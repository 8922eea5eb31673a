"""The package for Debian and Ubuntu: what it says of itself, what is in it, and that it installs, starts and goes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from email.parser import HeaderParser
from pathlib import Path

import pytest

from tests.helpers.screen import why_not
from tests.ship.conftest import PACKAGING, PROJECT
from trace_inspector import __version__
from trace_inspector.commands.window.qt_probe import PACKAGES

pytestmark = [pytest.mark.ship, pytest.mark.timeout(900)]
REFUSED = 77  # how installed_deb.sh ends where nobody lets it mount anything


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout


@pytest.fixture(scope="module")
def package(wheel: Path) -> Path:
    if not shutil.which("dpkg-deb"):
        pytest.skip("another operating system: dpkg-deb is not there")
    told = output(sys.executable, str(PACKAGING / "deb.py"), "--wheel", str(wheel))
    return Path(told.splitlines()[-1].rpartition(":")[0])


@pytest.fixture(scope="module")
def unpacked(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deb") / "unpacked"
    output("dpkg-deb", "--raw-extract", str(package), str(folder))
    return folder


def test_what_it_says_of_itself(package: Path) -> None:
    fields = HeaderParser().parsestr(output("dpkg-deb", "--field", str(package)))
    assert (fields["Package"], fields["Version"]) == ("trace-inspector", __version__)
    wanted = {one.split(" ")[0] for one in fields["Depends"].split(", ")}
    assert wanted >= {"python3", *PACKAGES.values()}
    major, minor = sys.version_info[:2]
    assert f"python3 (>= {major}.{minor}), python3 (<< {major}.{minor + 1})" in fields["Depends"]
    assert 100_000 < int(fields["Installed-Size"]) < 400_000


def test_what_is_in_it(unpacked: Path) -> None:
    files = {
        str(file.relative_to(unpacked)) for file in unpacked.rglob("*") if not file.is_dir() or file.is_symlink()
    }
    elsewhere = {name for name in files if not name.startswith(("opt/trace-inspector/", "usr/share/", "DEBIAN/"))}
    assert elsewhere == {"usr/bin/trace-inspector"}
    share = PACKAGING / "share"
    wanted = {str(file.relative_to(share)) for file in share.rglob("*") if file.is_file() and "man" not in file.parts}
    assert {f"usr/share/{name}" for name in wanted} <= files
    assert "usr/share/man/man1/trace-inspector.1.gz" in files
    assert "usr/share/doc/trace-inspector/copyright" in files
    assert "opt/trace-inspector/lib/python3.11/site-packages/trace_inspector/__pycache__/cli.cpython-311.pyc" in {
        name.replace(f"python3.{sys.version_info[1]}", "python3.11").replace(f"-3{sys.version_info[1]}", "-311")
        for name in files
    }


def test_nothing_in_it_tells_where_it_was_built(unpacked: Path) -> None:
    here = str(PROJECT).encode()
    library = next(unpacked.glob("opt/trace-inspector/lib/python*/site-packages"))
    ours = [
        *library.glob("trace_inspector*/**/*"),
        *unpacked.glob("opt/trace-inspector/*"),
        *unpacked.glob("DEBIAN/*"),
    ]
    assert [file for file in ours if file.is_file() and here in file.read_bytes()] == []


def test_a_reviewer_finds_nothing(unpacked: Path, tmp_path: Path) -> None:
    """Of all but the Python packages that it carries, which take minutes and are others'."""
    if not shutil.which("lintian"):
        pytest.skip("lintian is not installed")
    stage = tmp_path / "stage"
    for part in ("usr", "DEBIAN"):
        shutil.copytree(unpacked / part, stage / part, symlinks=True)
    shutil.copytree(
        unpacked / "opt" / "trace-inspector" / "bin", stage / "opt" / "trace-inspector" / "bin", symlinks=True
    )
    alone = tmp_path / "trace-inspector.deb"
    output("dpkg-deb", "--root-owner-group", "-Zgzip", "--build", str(stage), str(alone))
    done = subprocess.run(
        ["lintian", "--allow-root", "--fail-on", "error,warning", str(alone)],
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_starts_where_it_was_unpacked(unpacked: Path, tmp_path: Path) -> None:
    """What it carries is enough, also where nobody may install packages; only its Python is that of these tests."""
    if reason := why_not():
        pytest.skip(reason)
    place = Path("opt", "trace-inspector")
    home, interpreter = tmp_path / place, Path(sys.executable).resolve()
    shutil.copytree(unpacked / place, home, symlinks=True)
    (home / "bin" / "python3").unlink()
    (home / "bin" / "python3").symlink_to(interpreter)
    command = home / "bin" / "trace-inspector"
    for file, before, now in (
        (command, f"#!/{place}/bin/", f"#!{home}/bin/"),
        (home / "pyvenv.cfg", "home = /usr/bin\n", f"home = {interpreter.parent}\n"),
    ):
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, now), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(PACKAGING / "smoke.py"), str(command), "--extra", "judges"],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_installed_started_and_removed(package: Path) -> None:
    if not_here := missing_packages(package):
        pytest.skip(f"not installed by the system's packages: {', '.join(not_here)}")
    installed(package)


def missing_packages(package: Path) -> list[str]:
    """What it asks for and this machine has not; it is not fetched, as nothing is changed here."""
    listed = output("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package} ${Version}\n")
    known = [line.split() for line in listed.splitlines()]
    there = {name: version[0] for state, name, *version in known if state == "installed"}
    asked = [one.split(" | ") for one in output("dpkg-deb", "--field", str(package), "Depends").split(", ")]
    absent = [names[0] for names in asked if there.keys().isdisjoint(name.split()[0] for name in names)]
    major, minor = sys.version_info[:2]
    is_ours = there.get("python3", "").startswith(f"{major}.{minor}.")
    return absent if is_ours else [*absent, f"python3 {major}.{minor}"]


def installed(package: Path, *machine: str) -> None:
    """It is installed, started, its window used, and removed: on this machine, or on the one in a folder."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        pytest.skip("only root installs packages")
    if reason := why_not():
        pytest.skip(reason)
    alone = ["unshare", "--mount", "--propagation", "private"]
    if subprocess.run([*alone, "true"], timeout=60, check=False).returncode:
        pytest.skip("only root that may mount installs packages")
    command = [*alone, str(Path(__file__).with_name("installed_deb.sh")), str(package), sys.executable]
    command += [str(PACKAGING / "smoke.py"), *machine]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode == REFUSED:
        pytest.skip(f"only root that may mount installs packages: {done.stdout.strip()}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The program runs" in done.stdout
    assert "stay in each person's data folder" in done.stdout


@pytest.mark.campaign
def test_on_a_machine_that_has_nothing_else_what_it_depends_on_is_enough(package: Path, tmp_path: Path) -> None:
    """A Debian made for it, into which apt fetches what the package names and nothing more."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        pytest.skip("only root makes a Debian of its own, with debootstrap")
    release = output("sh", "-c", ". /etc/os-release && echo $VERSION_CODENAME").strip()
    told = output(
        "apt-get", "indextargets", "--format", "$(RELEASE) $(REPO_URI) $(COMPONENT)", "Identifier: Packages"
    )
    sources = [(place, part) for name, place, part in map(str.split, told.splitlines()) if name == release]
    assert sources, f"apt takes nothing of {release} from anywhere"
    place = sources[0][0]
    parts = sorted({part for where, part in sources if where == place})
    machine = tmp_path / "machine"
    command = ["debootstrap", "--variant=minbase", f"--components={','.join(parts)}", release, str(machine), place]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    installed(package, str(machine))
