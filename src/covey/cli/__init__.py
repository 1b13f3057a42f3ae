"""The command line: verbs over the public names."""

from covey.cli.app import main

__all__ = ["main"]
