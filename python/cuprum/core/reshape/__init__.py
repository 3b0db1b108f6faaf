"""Frames of other shapes: put together, joined, and columns, rows and labels in each other's places."""
