"""The timeline: lanes of a conversation on one clock, with ruler, minimap, percentiles and context size.

Imports the window context, blocks and widgets.
"""
