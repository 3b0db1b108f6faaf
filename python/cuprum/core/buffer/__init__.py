"""Memory that objects share: who uses it, who was given its address, and who may write to it.

Examples
--------
>>> import cuprum
>>> with cuprum.option_context("copy_on_write", True):
...     s = cuprum.Series([1, 2, 3])
>>> shallow = s.copy(deep=False)
>>> shallow.data.owner == s.data.owner
True
>>> address = shallow.data.get_ptr(mode="write")
>>> shallow.data.owner == s.data.owner
False
"""

from cuprum._cuprum import Buffer, BufferOwner, as_buffer
from cuprum.core.buffer.spill_lock import SpillLock, acquire_spill_lock, get_spill_lock
from cuprum.core.buffer.spill_manager import SpillManager, SpillStatistics, get_global_manager

__all__ = [
    "Buffer",
    "BufferOwner",
    "SpillLock",
    "SpillManager",
    "SpillStatistics",
    "acquire_spill_lock",
    "as_buffer",
    "get_global_manager",
    "get_spill_lock",
]
