"""The core of data frames."""
