"""Standalone programs for single cases: C++ or Python callers of aclnn that need neither pytest nor this suite."""
