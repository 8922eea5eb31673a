"""promptfoo's configurations and results."""
