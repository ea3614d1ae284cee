"""hatchling calls this while it builds a wheel: the wheel then has the man pages."""

import runpy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManPages(BuildHookInterface):
    """Writes the man pages where the wheel takes them from."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them, before the wheel is packed."""
        self.folder = TemporaryDirectory()
        script = runpy.run_path(str(Path(self.root) / "scripts" / "write_man_pages.py"))
        for path in script["write_man_pages"](Path(self.folder.name)):
            build_data["shared_data"][str(path)] = f"share/man/man1/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Delete what the wheel has now."""
        self.folder.cleanup()
