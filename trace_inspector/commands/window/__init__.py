"""Whether a window can be shown here, and the samples where it cannot."""
