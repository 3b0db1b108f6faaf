"""Rows grouped by keys."""
