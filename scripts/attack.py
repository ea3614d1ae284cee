"""Attacks on gammon, each with a figure: docs/reliability.md has what they found.

    python scripts/attack.py kills --kills 50

The package must be installed as CONTRIBUTING.md says. The exit code is 1 if there was a fault.
"""

import signal
import sys

import click
from attacks.flips import flips
from attacks.fuzz import fuzz
from attacks.kills import kills
from attacks.signals import signals


@click.group()
def main() -> None:
    """Attack gammon."""
    # A shell lets programs in the background ignore interrupts, and so would all they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # So that what was started is ended, too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


for _each in (flips, fuzz, kills, signals):
    main.add_command(_each)

if __name__ == "__main__":
    main()
