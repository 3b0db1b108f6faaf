"""pandas' own tests, read from the installed package, with Cuprum in pandas' place (``make pandas-suite``).

`run` copies the tests and sets what they import as pandas to `names` and `comparison`; `report` says how each
test ended.
"""
