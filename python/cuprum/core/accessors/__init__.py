"""Accessors of series of one kind: ``.str``, ``.dt`` and their kin."""
