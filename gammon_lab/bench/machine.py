"""A description of the machine that a benchmark runs on."""

import os
import platform
import sys
from pathlib import Path
from typing import Any

from gammon.compiled.kernel import variant


def machine() -> dict[str, Any]:
    """Return the processor, the number of processors, the version of Python, the kernels and the load.

    The kernels are given by their form, such as "x86-64-v3". The load is the mean number of
    runnable processes over the last minute; None where it is not known. Times that were taken under
    load are longer.
    """
    return {
        "processor": _processor(),
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "kernels": variant(),
    }


def _processor() -> str:
    """Return the name of the processor, or at least its kind."""
    if sys.platform.startswith("linux"):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
