"""Sessions of GitHub Copilot CLI, as kept on disk and as printed, with their sub-agents."""
