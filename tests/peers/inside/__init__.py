"""What the peers' own Python runs. Neither this nor Trace Inspector imports the other."""
