"""Windows: statistics of the rows around each row."""
