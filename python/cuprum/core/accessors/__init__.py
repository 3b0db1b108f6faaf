"""What a series of one kind can do: ``.str``, ``.dt`` and their kin."""
