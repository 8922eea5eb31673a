"""What an evaluation says of a case, a turn and a metric, also what a file reports. Imports alignment and below."""
