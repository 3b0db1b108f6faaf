"""Functions that make columns of one kind from what users have."""
