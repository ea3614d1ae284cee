"""Match files while they are read: games one after the other, and what had to be left out.

Readers of all formats begin each game here, add what they have read of it, and get the
transcript of the match in the end.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from unicodedata import normalize

from gammon.base.errors import FormatError
from gammon.formats.characters import one_line, visible
from gammon.rules.terms import Score
from gammon_study.match_files.stored import StoredAnalysis
from gammon_study.match_files.transcript import GameReplay, GameTranscript, Transcript

#: No session has more games, and no name more characters.
_MOST_GAMES, _LONGEST_NAME = 100_000, 60

#: Called with the number of games read so far, before the next one is read. What it raises ends
#: the reading.
OnGame = Callable[[int], None]


@dataclass
class Reading:
    """A match file that is being read.

    Attributes:
        on_game: see `OnGame`.
        length: points of the match, 0 for money.
        games: those that were read.
        stored: what the file says of their actions, as in `Transcript`.
        warnings: what had to be repaired or left out.
        follows: the score that follows from the last game, if all of that was read.
    """

    on_game: OnGame
    length: int = 0
    games: list[GameTranscript] = field(default_factory=list)
    stored: dict[tuple[int, int], StoredAnalysis] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    follows: tuple[int, int] | None = None

    def begin(self, score: Score) -> GameReplay:
        """Begin the next game at a score.

        Raises:
            FormatError: the match has fewer games.
        """
        number = len(self.games) + 1
        check_games(number, self.length)
        self.on_game(number - 1)
        if self.follows not in (None, score.points):
            self.warnings.append(f"the score before game {number} does not follow from the game before")
        return GameReplay(score)

    @contextmanager
    def rest_left_out(self, replay: GameReplay) -> Iterator[None]:
        """Leave the rest of a game out where the block comes to an error in it."""
        try:
            yield
        except FormatError as error:
            place = f"game {len(self.games) + 1}, action {len(replay.actions) + 1}"
            self.warnings.append(f"{place}: {error}; the rest of the game is left out")
            replay.cut = True

    def add(self, replay: GameReplay, wins: tuple[int, int] | None, place: str = "") -> None:
        """Add a game that was read.

        Args:
            replay: of its actions.
            wins: as for `GameReplay.transcript`.
            place: begins a warning; the game's number unless given.
        """
        number = len(self.games)
        place += f"game {number + 1}"
        game = replay.transcript(wins, place, self.warnings)
        self.follows = None if replay.cut and game.winner is None else game.final_score
        self.games.append(game)
        for action, said in replay.stored.items():
            possible = said.possible()
            if possible != StoredAnalysis():
                self.stored[(number, action)] = possible

    def transcript(
        self, names: Sequence[str], details: Iterable[tuple[str, str]], program: str, more: str = ""
    ) -> Transcript:
        """Return the match.

        Args:
            names: of the players.
            details: what else the file says; those without a text are left out.
            program: that said what the file says of actions; empty where it is not named.
            more: ends the error.

        Raises:
            FormatError: no action could be read.
        """
        if not any(game.actions for game in self.games):
            reason = self.warnings[0] if self.warnings else "no game"
            raise FormatError(f"{reason}; nothing else can be read{more}")
        return Transcript(
            player_names(names),
            self.length,
            tuple(self.games),
            tuple(each for each in details if each[1]),
            tuple(map(visible, self.warnings)),
            self.stored,
            (program or "another program") if self.stored else "",
        )


def player_names(names: Sequence[str]) -> tuple[str, str]:
    """Return two names of players in one short line each; an empty one becomes a number.

    A letter with an accent has one form (NFC), whichever a file has.
    """
    first, second = (
        normalize("NFC", one_line(name))[:_LONGEST_NAME].rstrip() or f"player {side}"
        for side, name in enumerate(names, 1)
    )
    return first, second


def check_games(number: int, length: int) -> None:
    """Check that a match can have as many games, even if half of them were begun twice.

    Args:
        number: of the games.
        length: points of the match, 0 for money.

    Raises:
        FormatError: it cannot.
    """
    if number > (4 * length or _MOST_GAMES):
        raise FormatError(f"game {number}: a match to {length} has fewer games")
