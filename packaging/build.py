"""Builds the stand-alone program, one folder, into dist/."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = (
    ROOT / "dist" / "trace-inspector" / ("trace-inspector.exe" if sys.platform == "win32" else "trace-inspector")
)


def main() -> int:
    """Run PyInstaller on the spec, and say how large the result is."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(ROOT / "dist"), "--workpath", str(ROOT / "build")]
    done = subprocess.run([*command, str(ROOT / "packaging" / "trace-inspector.spec")], cwd=ROOT, check=False)
    if done.returncode:
        return done.returncode
    size = sum(file.stat().st_size for file in PROGRAM.parent.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{PROGRAM.parent}: {size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
