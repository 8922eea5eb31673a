"""The criteria and rules by which a run is decided, and its exit code. Imports metrics."""
