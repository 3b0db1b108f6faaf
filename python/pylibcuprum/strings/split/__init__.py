"""Text cut into parts."""

from pylibcuprum.strings.split import partition, split

__all__ = ["partition", "split"]
