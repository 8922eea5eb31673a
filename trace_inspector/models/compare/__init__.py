"""Two trajectories side by side. Imports golden."""
