"""What the panel of details shows beside goldens. Imports base."""
