"""Devices.

Data frames live on the CPU in this version; memory of a GPU is had through `cuprum.rmm`.
"""

from __future__ import annotations

from cuprum._cuprum import Device, devices

__all__ = ["Device", "devices"]
