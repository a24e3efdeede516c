"""Registers the conformance plugin where the package is not installed (an installed package registers itself)."""

from importlib.metadata import entry_points

if not any(point.name == "conformance" for point in entry_points(group="pytest11")):
    pytest_plugins = ["conformance.pytest_plugin"]
