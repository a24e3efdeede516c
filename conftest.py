"""Registers the conformance plugin for every run in this checkout."""

pytest_plugins = ["conformance.pytest_plugin"]
