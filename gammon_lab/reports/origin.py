"""The origin of a page of figures, in one line that programs can read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from gammon.base.revision import version_with_commit
from gammon.eval import cube_network, race_network
from gammon.eval.model_file import network_id, shipped_models

_NETWORK = r"[^ ,>]+ [0-9a-f]{12}"
_LINE = re.compile(
    r"<!-- made by `(?P<command>[^`]+)`, gammon (?P<version>\S+), "
    rf"(?P<ids>{_NETWORK}(?:, {_NETWORK})*) -->"
)


@dataclass(frozen=True)
class Origin:
    """The command, the version and the networks that made some figures.

    Attributes:
        command: as it is typed, without its folder.
        version: of gammon; figures made from a checkout also have its commit.
        networks: the id of each shipped network by its name, and of `race` and `cube`; see
            `network_id` and `LearnedFile.id`.
    """

    command: str
    version: str
    networks: Mapping[str, str]

    @classmethod
    def of(cls, command: str) -> Self:
        """Return the origin of figures that a command makes now."""
        networks = {path.stem: network_id(path.stem) for path in shipped_models()}
        small = {"race": race_network.NETWORK.id(), "cube": cube_network.NETWORK.id()}
        return cls(command, version_with_commit(), {**networks, **small})

    @classmethod
    def read(cls, page: str) -> list[Self]:
        """Return the origins in the comments of a page, in their order."""
        return [
            cls(
                match["command"], match["version"], dict(pair.split(" ") for pair in match["ids"].split(", "))
            )
            for match in _LINE.finditer(page)
        ]

    def __str__(self) -> str:
        networks = ", ".join(f"{name} {number}" for name, number in self.networks.items())
        return f"<!-- made by `{self.command}`, gammon {self.version}, {networks} -->"
