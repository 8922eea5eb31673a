"""One open file: its rows and the verdicts on them; what is selected, and the words and roles that all parts share.

Imports no other folder of models.
"""
