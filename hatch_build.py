"""hatchling calls this while it builds: the package then has its library, and its man pages."""

import os
import runpy
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Made(BuildHookInterface):
    """Makes what is not in the repository.

    The library is built where it lies in a checkout too, which may be installed as it is. It is for
    the processor of this machine, unless `GAMMON_SYSTEM` names a system, and behind it others to be
    built too, such as wasm32: then it is for all processors of that (`scripts/build_library.py`).
    """

    def dependencies(self) -> list[str]:
        """Return what must be installed for the build, which is asked before it is downloaded.

        Raises:
            SystemExit: there is no library for this system.
        """
        script = runpy.run_path(self._script())
        systems = os.environ.get("GAMMON_SYSTEM", "").split() or [script["system_of"]()]
        for system in systems:
            if script["reason_against"](system):
                sys.exit(script["reason_against"](system))
        # The kernels are imported, and the man pages are written from the help of the program.
        needed = ["click>=8.1", "numpy>=2.0", script["ZIG"]]
        return needed if script["is_kept_code"]() else [*needed, script["NUMBA"]]

    def _script(self) -> str:
        return str(Path(self.root, "scripts", "build_library.py"))

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make it, before the wheel is packed."""
        root, script = Path(self.root), self._script()
        systems = os.environ.get("GAMMON_SYSTEM", "").split()
        command = [sys.executable, script, *(["--system", *systems] if systems else [])]
        if subprocess.run(command, check=False).returncode:
            sys.exit(1)  # it has said why
        known = runpy.run_path(script)["SYSTEMS"]
        tag = known[systems[0]].tag if systems else _this_platform()
        build_data["pure_python"], build_data["tag"] = False, f"py3-none-{tag}"
        build_data["artifacts"] += ["/gammon/library/*", "/gammon/wasm/*/*"]
        if version != "editable":
            # Networks and recipes stand beside the package in a checkout, and inside it in a wheel.
            # `models/steps` has networks that only the training of others used.
            models = [path for path in (root / "models").iterdir() if path.is_file()]
            build_data["force_include"] |= {str(path): f"gammon/models/{path.name}" for path in models}
        self.folder = TemporaryDirectory()
        pages = runpy.run_path(str(root / "scripts" / "write_man_pages.py"))
        for path in pages["write_man_pages"](Path(self.folder.name)):
            build_data["shared_data"][str(path)] = f"share/man/man1/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Delete what the wheel has now."""
        self.folder.cleanup()


def _this_platform() -> str:
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
