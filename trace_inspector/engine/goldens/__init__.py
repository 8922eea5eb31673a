"""What goldens lack: coverage, proposed matchers, and promoting runs into them. Imports lints."""
