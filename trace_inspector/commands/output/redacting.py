"""The options that take secrets out of what a comparison prints and writes."""

from __future__ import annotations

import argparse

from trace_inspector.engine.redaction.options import Redaction, with_secrets


def redact_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the redaction arguments."""
    add = parser.add_argument
    add(
        "--redact-key",
        action="append",
        default=[],
        metavar="NAME",
        help="redact the value of every key with this name",
    )
    add(
        "--redact",
        action="append",
        default=[],
        metavar="PATTERN",
        help="redact all text that this regular expression matches",
    )
    add("--redact-secrets", action="store_true", help="redact what looks like a password, key or token")


def redaction_of(options: argparse.Namespace) -> Redaction:
    """The redaction options; UsageError for a pattern that cannot be used."""
    redaction = Redaction(tuple(options.redact_key), tuple(options.redact))
    return with_secrets(redaction) if options.redact_secrets else redaction
