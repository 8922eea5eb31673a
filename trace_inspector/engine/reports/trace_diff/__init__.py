"""A comparison of trajectories as a page, text or JSON. Imports trace_grid."""
