"""Small networks that ship as plain numbers with a checksum (`gammon.eval.kept`)."""

import hashlib
from functools import cache

from gammon.base.errors import ModelError
from gammon.base.files import shipped_files
from gammon.compiled.records import Float32Vector
from gammon.eval.kept import sound


@cache
def learned(name: str, count: int, what: str) -> Float32Vector:
    """Return the numbers of a shipped network, float32 [count], mapped.

    Args:
        name: of its file in `models/`.
        count: how many numbers it has.
        what: it is, for messages.

    Raises:
        ModelError: it is not there, or is not what was written.
    """
    paths = shipped_files(name)
    if not paths:
        raise ModelError(f"{what}, models/{name}, is not there")
    path = paths[0]
    try:
        found = sound(path, count)
    except OSError as error:
        reason = error.strerror or error
        raise ModelError(f"{what} {str(path)!r} cannot be read: {reason}") from None
    if found is None:
        raise ModelError(f"{what} {str(path)!r} is damaged: of another size or checksum")
    return found


def learned_id(name: str, count: int, what: str) -> str:
    """Return twelve digits that tell a shipped network from others.

    Args and errors as for `learned`.
    """
    return hashlib.sha256(learned(name, count, what).data).hexdigest()[:12]
