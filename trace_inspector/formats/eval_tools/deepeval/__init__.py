"""DeepEval's test runs, goldens and cache of results."""
