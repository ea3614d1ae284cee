"""The design of the noise study: which errors there are, and who meets whom."""

from collections.abc import Mapping
from typing import NamedTuple

from gammon.match.player import Player

__all__ = [
    "BEST", "EQUITY", "FILTERED", "MEASURED", "RECIPES", "SMALL", "Meeting", "Source",
    "decisions_of", "games_of", "meetings", "networks_of", "player_of", "players_of",
    "sizes_of",
]  # fmt: skip

#: The network of all players whose errors are noise. It judges how lucky the dice were.
BEST = "leaf"
#: Two networks that have learned too little, by their recipes, and one that is too small.
RECIPES = ("early", "middle")
SMALL = "probe"
#: The kind of errors that most matches are about.
EQUITY = "equity"
#: Sizes of errors, by their kind; see `gammon.eval.erring`.
_SIZES: dict[str, tuple[float, ...]] = {
    EQUITY: (0.0, 0.01, 0.02, 0.03, 0.05, 0.1),
    "outputs": (0.01, 0.02, 0.03, 0.05),
    "alike-8": (0.03, 0.06, 0.1),
    "alike-3": (0.04, 0.08, 0.15),
    "alike-1": (0.05, 0.1, 0.2),
}
_QUICK_SIZES = {EQUITY: (0.0, 0.1), "outputs": (0.05,), "alike-3": (0.15,)}
#: Players of this depth search a part of each tree only.
FILTERED = 7
_FILTER = "normal"
#: Errors of the players of depth 5 and depth 7, beside those of the equity, and the networks'
#: own, at depth 5.
_DEEP = (("outputs", 0.03), ("alike-3", 0.08))
_DEEPEST = (0.0, 0.03, 0.1)
#: The same number as an error of the equity and of each output: at depth 5 the share of games
#: won is wanted to one per cent, which takes this number of games.
_PRECISE, _PRECISE_GAMES = ((EQUITY, 0.03), ("outputs", 0.03)), 600
#: Other matches end at a standard error, in points a game, or at a number of games. Those of
#: depth 7 take too long for more than a few.
_UNTIL = {1: 0.007, 3: 0.007, 5: 0.015}
_MOST_GAMES = {1: 10_000, 3: 10_000, 5: 4_000, FILTERED: 60}
_QUICK_GAMES = 12
#: The size of the errors of each kind that are measured, and of how many decisions.
MEASURED = {EQUITY: 0.05, "outputs": 0.03, "alike-8": 0.06, "alike-3": 0.08, "alike-1": 0.1}
_DECISIONS, _QUICK_DECISIONS = 1000, 10


class Source(NamedTuple):
    """The source of a player's errors: noise of a kind and size, or a network.

    Attributes:
        name: the kind of the noise, or the name of the network.
        size: the standard deviation of the noise, 0 for a network's own errors.
    """

    name: str
    size: float = 0.0

    @property
    def is_network(self) -> bool:
        """Whether these are a network's own errors."""
        return self.name in (*RECIPES, SMALL)

    def __str__(self) -> str:
        return self.name if self.is_network else f"{self.name} {self.size:g}"


class Meeting(NamedTuple):
    """A match of the study.

    Attributes:
        source: of the deeper player's errors.
        depth: of that player; the other one has depth 1.
        clean: whether the other one has no errors; else it has the same.
    """

    source: Source
    depth: int
    clean: bool = False

    @property
    def folder(self) -> str:
        """The name of its folder."""
        against = "clean" if self.clean else "same"
        return f"{self.source}-depth-{self.depth}-{against}".replace(" ", "-")

    def __str__(self) -> str:
        against = "no errors" if self.clean else "the same errors"
        return f"{self.source}, depth {self.depth} against depth 1 with {against}"


def sizes_of(quick: bool) -> Mapping[str, tuple[float, ...]]:
    """Return the sizes of errors by their kind."""
    return _QUICK_SIZES if quick else _SIZES


def networks_of(quick: bool) -> tuple[str, ...]:
    """Return the names of the networks that are weak by themselves."""
    return (SMALL,) if quick else (*RECIPES, SMALL)


def meetings(quick: bool) -> list[Meeting]:
    """Return all matches, those that take long last."""
    found = []
    noises = [Source(kind, size) for kind, sizes in sizes_of(quick).items() for size in sizes]
    for source in [*noises, *map(Source, networks_of(quick))]:
        if source != (EQUITY, 0.0):
            found.append(Meeting(source, 1, True))
            if source.name == EQUITY:
                found.append(Meeting(source, 3, True))
        found.append(Meeting(source, 3))
    if not quick:
        deep = [Source(EQUITY, size) for size in _SIZES[EQUITY]]
        deep += [Source(*each) for each in _DEEP] + list(map(Source, networks_of(quick)))
        found += [Meeting(source, 5) for source in deep]
        found += [Meeting(Source(EQUITY, size), 5, True) for size in _SIZES[EQUITY] if size]
        found += [Meeting(Source(EQUITY, size), FILTERED) for size in _DEEPEST]
    return found


def games_of(meeting: Meeting, quick: bool) -> tuple[int, float | None]:
    """Return the games of a match at most, and the standard error that ends it early."""
    if quick:
        return _QUICK_GAMES, None
    if meeting.source in _PRECISE and meeting.depth == 5 and not meeting.clean:
        return _PRECISE_GAMES, None
    return _MOST_GAMES[meeting.depth], _UNTIL.get(meeting.depth)


def decisions_of(quick: bool) -> int:
    """Return how many decisions the errors are measured of."""
    return _QUICK_DECISIONS if quick else _DECISIONS


def player_of(source: Source, models: Mapping[str, str]) -> Player:
    """Return the player of depth 1 with these errors.

    Args:
        source: of the errors.
        models: the networks by name, as a player names them.
    """
    if source.is_network:
        return Player(model=models[source.name])
    return Player(model=BEST, noise=source.size, errors=source.name)


def players_of(meeting: Meeting, models: Mapping[str, str]) -> tuple[Player, Player]:
    """Return the players of a match, the deeper one first; see `player_of`."""
    shallow = player_of(meeting.source, models)
    chosen = _FILTER if meeting.depth == FILTERED else ""
    deep = shallow._replace(depth=meeting.depth, filter=chosen)
    return deep, Player(model=BEST) if meeting.clean else shallow
