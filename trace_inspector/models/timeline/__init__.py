"""A trace over time. Imports base."""
