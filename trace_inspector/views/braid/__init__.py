"""Many runs as one braid, and beside it what failing ones have in common."""
