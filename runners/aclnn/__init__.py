"""Runs calls on a device through the C ABI of CANN; the only package that uses ctypes."""
