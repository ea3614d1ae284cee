"""Build the wheels of all systems on one machine: `python scripts/build_wheels.py`.

They go to `dist/`, one for each system of `scripts/build_library.py`. Each works with all versions
of Python, since its library does not depend on Python. Wheels are made from the committed files, in
a separate folder: no other file of the checkout gets into a wheel, and no library of another
system into the checkout. The kernels are captured once for all systems.

git, hatchling, and the build requirements of `pyproject.toml` must be installed.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from build_library import SYSTEMS

TOP = Path(__file__).resolve().parents[1]
#: The largest size of a wheel in bytes.
LARGEST = 12_000_000


def committed(folder: Path) -> Path:
    """Unpack the committed files into a new folder, and return the folder."""
    packed = folder.with_suffix(".tar")
    subprocess.run(["git", "-C", TOP, "archive", "-o", packed, "HEAD"], check=True)
    shutil.unpack_archive(packed, folder, filter="data")
    return folder


def build_wheels(dist: Path) -> list[Path]:
    """Build the wheels into a folder, and return their paths.

    Raises:
        SystemExit: a wheel is larger than `LARGEST`.
    """
    wheels = []
    with TemporaryDirectory() as scratch:
        source, libraries = committed(Path(scratch) / "source"), Path(scratch) / "libraries"
        script = source / "scripts" / "build_library.py"
        subprocess.run([sys.executable, script, "--folder", libraries, "--system", *SYSTEMS], check=True)
        modules = [name for name, system in SYSTEMS.items() if system.is_module]
        for name in modules:
            (source / "gammon" / "wasm").mkdir(exist_ok=True)
            shutil.move(libraries / name, source / "gammon" / "wasm" / name)
        for name, system in SYSTEMS.items():
            if name in modules:
                continue
            # The build finds the library there, and does not build it again.
            shutil.rmtree(source / "gammon" / "library", ignore_errors=True)
            shutil.move(libraries / name, source / "gammon" / "library")
            subprocess.run(
                [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", scratch],
                cwd=source,
                env=os.environ | {"GAMMON_SYSTEM": name},
                check=True,
            )
            [wheel] = Path(scratch).glob(f"*-{system.tag}.whl")
            if wheel.stat().st_size > LARGEST:
                raise SystemExit(f"{wheel.name}: {wheel.stat().st_size} bytes are too many")
            dist.mkdir(exist_ok=True)
            wheels.append(Path(shutil.move(wheel, dist / wheel.name)))
    return wheels


if __name__ == "__main__":
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    for path in build_wheels(TOP / "dist"):
        print(f"{path.name}: {path.stat().st_size:,} bytes")
