"""Tasks and simulations of tau2-bench, and runs of tau-bench before it."""
