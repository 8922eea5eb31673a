"""Rebasing goldens: what an agent does otherwise, gathered over all cases, decided once, and put into the goldens."""
