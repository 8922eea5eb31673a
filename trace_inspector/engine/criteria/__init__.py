"""By which criteria and whose rules a run is decided, and its exit code. Imports metrics."""
