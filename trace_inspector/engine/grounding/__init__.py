"""Which sentences of an answer are supported by the user, the tools and the instructions. Offline, by rules."""
