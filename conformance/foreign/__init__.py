"""Case files of other suites: what their inputs say → arguments and data of a call of our contracts."""
