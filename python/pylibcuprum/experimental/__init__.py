"""Streams that wait for each other."""

from pylibcuprum.experimental._join_streams import join_streams

__all__ = ["join_streams"]
