"""Writes the man page and the completions into packaging/share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from shell import completions
from shell.commands import Command, commands
from shell.man_page import man_page

SHARE = Path(__file__).resolve().parent / "share"
FILES: Mapping[str, Callable[[Iterable[Command]], str]] = {
    "man/man1/trace-inspector.1": man_page,
    "bash-completion/completions/trace-inspector": completions.bash,
    "zsh/site-functions/_trace-inspector": completions.zsh,
    "fish/vendor_completions.d/trace-inspector.fish": completions.fish,
}


def main() -> None:
    """Write them."""
    every = list(commands())
    for name, write in FILES.items():
        file = SHARE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write(every), encoding="utf-8")


if __name__ == "__main__":
    main()
