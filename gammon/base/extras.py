"""Libraries that the base install leaves out, and the extras that install them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gammon.base.errors import MissingExtraError

#: The extras of the package, with the libraries of each.
EXTRAS = {
    "cluster": ("distributed",),
    "jit": ("numba",),
    "plots": ("matplotlib",),
    "train": ("pydantic", "torch"),
}


@contextmanager
def extra(name: str, user: str) -> Iterator[None]:
    """Return a context for imports from an extra; a missing library raises a clear error.

    Args:
        name: one of `EXTRAS`.
        user: the feature that needs the libraries; the error message begins with it.

    Raises:
        MissingExtraError: a library of the extra is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in EXTRAS[name]:
            raise
        how = f'pip install "gammon[{name}]"'
        if Path(__file__).parents[2].joinpath("pyproject.toml").exists():
            how = f'in the clone of gammon, pip install -e ".[{name}]"'
        raise MissingExtraError(f"{user} needs {library}: {how}") from None
