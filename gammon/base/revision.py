"""The version of gammon, with the commit if it runs from a checkout."""

import subprocess
from functools import cache
from pathlib import Path

import gammon

_ROOT = Path(__file__).resolve().parents[2]
_SECONDS = 10.0


@cache
def version_with_commit(root: Path = _ROOT) -> str:
    """Return the version, such as `0.3.0`, or in a checkout `0.3.0+g959e409b1234`.

    It ends in `.changed` if files of the checkout differ from the commit.

    Args:
        root: the folder above the package.
    """
    if not (root / ".git").exists():
        return gammon.__version__
    command = "git", "--no-optional-locks", "describe", "--always", "--abbrev=12", "--exclude=*"
    try:
        process = subprocess.run(
            [*command, "--dirty=.changed"], cwd=root, check=True, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=_SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):  # no git, or a folder that it does not trust
        return gammon.__version__
    return f"{gammon.__version__}+g{process.stdout.strip()}"
