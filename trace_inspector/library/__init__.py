"""What `import trace_inspector` offers to other programs: reading, evaluating, comparing, promoting, calibrating.

One facade over the flows, as the commands are. Names and fields are kept by semantic versioning (docs/api.md).
"""
