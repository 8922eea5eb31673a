"""Our numbers beside those of the programs they must equal, on fresh random cases: `make test-peers`.

No file here is named `test_…`: the ordinary tests collect none of them, for they need an environment of their own.
"""
