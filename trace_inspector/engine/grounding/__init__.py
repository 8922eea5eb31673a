"""Which sentences of an answer rest on what the user, the tools and the instructions said. Offline, by rules."""
