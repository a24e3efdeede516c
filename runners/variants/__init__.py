"""Conforming implementations that differ from the simulator: whatever is correct must raise no alarm."""
