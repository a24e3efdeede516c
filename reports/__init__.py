"""Readers of records. The record file is the only link between running and reporting."""
