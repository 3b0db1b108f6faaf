"""Files: `avro` and `orc` are read so far, with the names and arguments of pylibcudf."""

from pylibcuprum.io import avro, orc, types

__all__ = ["avro", "orc", "types"]
