"""What data frames are made of."""
