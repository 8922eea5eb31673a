"""What the agent had seen, cut into passages and indexed by words, keys and values."""
