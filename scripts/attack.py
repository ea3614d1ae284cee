"""Attacks on gammon, each with a figure; SECURITY.md reports the results.

    python scripts/attack.py kills --kills 50

The package must be installed as in CONTRIBUTING.md. The exit code is 1 if there was a fault.
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
    # In a shell's background jobs interrupts are ignored; their children would inherit this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Exit in the usual way, so that started programs are ended, too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


for _attack in (flips, fuzz, kills, signals):
    main.add_command(_attack)

if __name__ == "__main__":
    main()
