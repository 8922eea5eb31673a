"""Sessions of Claude Code: lines of a tree, its branches and side chains, read as conversations."""
