"""The man page and the completions of shells, made from the same parsers that read the command line."""
