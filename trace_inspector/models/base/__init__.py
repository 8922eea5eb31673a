"""One open file, its rows and verdicts; the selection; texts, roles and tables that all parts of models share.

Imports no other folder of models.
"""
