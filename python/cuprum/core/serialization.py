"""Objects as a header and frames of bytes, as Dask and cuDF send them between processes."""

from __future__ import annotations

import pickle
from typing import Any, Self

from cuprum.core.devices import usable_device

__all__ = ["Serializable"]


class Serializable:
    """An object that is serialized to a header, a dict that can be pickled, and frames: pieces of memory.

    All six methods do the same: where the memory was is in the header, and what is made of it is there again. Only
    frames that you trust may be read: as in cuDF, they are pickles.
    """

    __slots__ = ()

    def serialize(self) -> tuple[dict[str, Any], list[memoryview]]:
        """Return the object as a header and frames of bytes.

        Returns
        -------
        header : dict
            What the object is, the device, and the sizes of the frames; it can be pickled.
        frames : list of memoryview
            The memory.

        See Also
        --------
        deserialize : Make the object again.

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
        """Return the object that a header and frames were made of.

        Parameters
        ----------
        header : dict
            The header that `serialize` has returned.
        frames : list of bytes-like
            The frames that it has returned, in their order.

        Returns
        -------
        object
            The object, on the device where it was; without that GPU here, where data come in.

        Raises
        ------
        TypeError
            For a header of an object of another class.
        ValueError
            For a header that is none, and for frames of other sizes.

        Notes
        -----
        Frames are pickles: read only those that you trust.

        Examples
        --------
        >>> import cuprum
        >>> header, frames = cuprum.DataFrame({"a": [1, None]}).serialize()
        >>> cuprum.DataFrame.deserialize(header, [bytes(frame) for frame in frames])
              a
        0     1
        1  <NA>
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
        return made if device is None else made.to_device(usable_device(device))

    def host_serialize(self) -> tuple[dict[str, Any], list[memoryview]]:
        """Return the object as a header and frames of bytes in host memory; the same as `serialize`.

        Returns
        -------
        header : dict
            What the object is, the device, and the sizes of the frames.
        frames : list of memoryview
            The memory.

        Examples
        --------
        >>> import cuprum
        >>> header, frames = cuprum.Series([1, 2]).host_serialize()
        >>> header["frame_count"], len(frames)
        (1, 1)
        """
        return self.serialize()

    @classmethod
    def host_deserialize(cls, header: dict[str, Any], frames: list[Any]) -> Self:
        """Return the object that a header and frames were made of; the same as `deserialize`.

        Parameters
        ----------
        header : dict
            The header that `host_serialize` has returned.
        frames : list of bytes-like
            The frames that it has returned, in their order.

        Returns
        -------
        object
            The object, on the device where it was; without that GPU here, where data come in.

        Examples
        --------
        >>> import cuprum
        >>> header, frames = cuprum.Series([1, 2]).host_serialize()
        >>> cuprum.Series.host_deserialize(header, frames).to_list()
        [1, 2]
        """
        return cls.deserialize(header, frames)

    def device_serialize(self) -> tuple[dict[str, Any], list[memoryview]]:
        """Return the object as a header and frames of bytes in host memory, too; the same as `serialize`.

        Returns
        -------
        header : dict
            What the object is, the device, and the sizes of the frames.
        frames : list of memoryview
            The memory.

        Examples
        --------
        >>> import cuprum
        >>> header, frames = cuprum.Series([1, 2]).to_device("emulator").device_serialize()
        >>> header["device"]
        'emulator'
        """
        return self.serialize()

    @classmethod
    def device_deserialize(cls, header: dict[str, Any], frames: list[Any]) -> Self:
        """Return the object that a header and frames were made of; the same as `deserialize`.

        Parameters
        ----------
        header : dict
            The header that `device_serialize` has returned.
        frames : list of bytes-like
            The frames that it has returned, in their order.

        Returns
        -------
        object
            The object, on the device where it was; without that GPU here, where data come in.

        Examples
        --------
        >>> import cuprum
        >>> header, frames = cuprum.Series([1, 2]).to_device("emulator").device_serialize()
        >>> cuprum.Series.device_deserialize(header, frames).device
        'emulator'
        """
        return cls.deserialize(header, frames)
