"""Small networks that ship as plain numbers with a checksum (`gammon.eval.array_cache`)."""

import hashlib
from functools import cache
from typing import NamedTuple

from gammon.base.errors import ModelError
from gammon.base.files import shipped_files
from gammon.compiled.records import Float32Vector
from gammon.eval.array_cache import read_array


class LearnedFile(NamedTuple):
    """The file of a small network.

    Attributes:
        name: name of the file in `models/`.
        size: how many numbers it has.
        what: name of the network, for messages.
    """

    name: str
    size: int
    what: str

    @cache  # noqa: B019 - there are only two files
    def numbers(self) -> Float32Vector:
        """Return the numbers, float32 [size], mapped.

        Raises:
            ModelError: the file is missing or damaged.
        """
        paths = shipped_files(self.name)
        if not paths:
            raise ModelError(f"{self.what}, models/{self.name}, is not there")
        path = paths[0]
        try:
            numbers = read_array(path, self.size)
        except OSError as error:
            reason = error.strerror or error
            raise ModelError(f"{self.what} {str(path)!r} cannot be read: {reason}") from None
        if numbers is None:
            raise ModelError(f"{self.what} {str(path)!r} is damaged: of another size or checksum")
        return numbers

    def id(self) -> str:
        """Return twelve digits that identify the shipped network.

        Raises:
            ModelError: as for `numbers`.
        """
        return hashlib.sha256(self.numbers().data).hexdigest()[:12]
