"""What follows from records by arithmetic: counts, sums, extremes, durations, conversions, orders in time."""
