"""The name of the system, which the build needs before anything is installed."""

import platform
import sys


def system_of() -> str:
    """Return the system and the processor's family, such as "linux-x86_64"."""
    family = {"amd64": "x86_64", "arm64": "aarch64"}
    machine = platform.machine().lower()
    return f"{sys.platform}-{family.get(machine, machine)}"
