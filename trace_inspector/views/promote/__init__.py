"""“Promote”: a recorded conversation becomes a golden, or goldens go into another suite. Imports window context."""
