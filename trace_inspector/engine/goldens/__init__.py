"""What goldens lack: coverage, proposed cases, what promoting adds to. Imports lints."""
