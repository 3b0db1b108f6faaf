"""Objects as a header and frames of bytes, as Dask and cuDF send them between processes."""

from __future__ import annotations

import pickle
from typing import Any, Self

__all__ = ["Serializable"]


class Serializable:
    """An object that is serialized to a header, a dict that can be pickled, and frames: pieces of memory.

    All six methods do the same: where the memory was is in the header, and what is made of it is there again. Only
    frames that you trust may be read: as in cuDF, they are pickles.
    """

    __slots__ = ()

    def serialize(self) -> tuple[dict[str, Any], list[memoryview]]:
        """Return the header and the frames.

        Examples
        --------
        >>> import cuprum
        >>> header, frames = cuprum.Series([1, 2]).serialize()
        >>> cuprum.Series.deserialize(header, frames).to_list()
        [1, 2]
        """
        frame = memoryview(pickle.dumps(self, protocol=5))
        cls: Any = type(self)
        if cls.__base__.__name__ == cls.__name__:  # a kind of it that pickles do not keep
            cls = cls.__base__
        header = {
            "type-serialized": pickle.dumps(cls),
            "device": getattr(self, "device", None),
            "frame_count": 1,
            "lengths": [frame.nbytes],
        }
        return header, [frame]

    @classmethod
    def deserialize(cls, header: dict[str, Any], frames: list[Any]) -> Self:
        """Return what a header and frames were made of, on the device where that was.

        ``TypeError`` where they are of an object of another class, ``ValueError`` for frames of other sizes.
        """
        for key in ("type-serialized", "device", "lengths"):
            if key not in header:
                raise ValueError(f"`header` has no {key!r}: it is none that serialize has made")
        lengths = [memoryview(frame).nbytes for frame in frames]
        if lengths != header["lengths"]:
            raise ValueError(f"`frames` have {lengths} bytes; the header says {header['lengths']}")
        kind = pickle.loads(header["type-serialized"])
        if not issubclass(kind, cls):
            raise TypeError(f"`header` is of a {kind.__name__}, not of a {cls.__name__}")
        made = pickle.loads(frames[0])
        device = header["device"]
        return made if device is None or made.device == device else made.to_device(device)

    def host_serialize(self) -> tuple[dict[str, Any], list[memoryview]]:
        """Return the header and the frames; see `serialize`."""
        return self.serialize()

    @classmethod
    def host_deserialize(cls, header: dict[str, Any], frames: list[Any]) -> Self:
        """Return what a header and frames were made of; see `deserialize`."""
        return cls.deserialize(header, frames)

    def device_serialize(self) -> tuple[dict[str, Any], list[memoryview]]:
        """Return the header and the frames, which are in host memory too; see `serialize`."""
        return self.serialize()

    @classmethod
    def device_deserialize(cls, header: dict[str, Any], frames: list[Any]) -> Self:
        """Return what a header and frames were made of; see `deserialize`."""
        return cls.deserialize(header, frames)
