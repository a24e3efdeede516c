"""Adapters to implementations: the torch reference, the simulator, and real devices through ctypes."""
