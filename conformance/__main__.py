"""``python -m conformance``, and the console script."""

import sys


def main() -> int:
    """Run one command; returns the exit status. Ctrl-C is no crash, not even before there is a command line."""
    try:
        # Deferred so that Ctrl-C does not meet with half of the imports.
        from conformance import cli

        return cli.main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
