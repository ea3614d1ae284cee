"""A match file that is being read: its games so far, and warnings about what was left out.

The readers of all formats begin each game here, add it when it is read, and get the transcript of
the match at the end.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unicodedata import normalize

from gammon.base.checks import is_whole, shown
from gammon.base.errors import FormatError
from gammon.formats.characters import one_line, visible
from gammon.formats.context import MOST_POINTS
from gammon.rules.terms import LONGEST_MATCH, Score
from gammon_study.match_files.transcript import GameReplay, GameTranscript, Remark, StoredAnalysis, Transcript

#: The most games of a session, and the most characters of a name.
_MOST_GAMES, _LONGEST_NAME = 100_000, 60

#: Called with the number of games read so far, before the next game is read. An error that it
#: raises ends the reading.
OnGame = Callable[[int], None]


@dataclass
class Reading:
    """A match file that is being read.

    Attributes:
        on_game: see `OnGame`.
        length: points of the match, 0 for money.
        games: the games that were read.
        stored: the file's analysis of actions, as in `Transcript`.
        remarks: the file's remarks on actions, as in `Transcript`.
        warnings: what had to be repaired or left out.
        follows: the score after the last game; None if its rest was left out and its winner is not
            known.
    """

    on_game: OnGame
    length: int = 0
    games: list[GameTranscript] = field(default_factory=list)
    stored: dict[tuple[int, int], StoredAnalysis] = field(default_factory=dict)
    remarks: dict[tuple[int, int], Remark] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    follows: tuple[int, int] | None = None

    def begin(self, score: Score) -> GameReplay:
        """Begin the next game at a score.

        Raises:
            FormatError: a match to this length cannot have so many games.
        """
        number = len(self.games) + 1
        check_games(number, self.length)
        self.on_game(number - 1)
        if self.follows not in (None, score.points):
            self.warnings.append(f"the score before game {number} does not follow from the game before")
        return GameReplay(score)

    @contextmanager
    def rest_left_out(self, replay: GameReplay) -> Iterator[None]:
        """Run a block; if it raises a `FormatError`, leave out the rest of the game with a warning."""
        try:
            yield
        except FormatError as error:
            place = f"game {len(self.games) + 1}, action {len(replay.actions) + 1}"
            self.warnings.append(f"{place}: {error}; the rest of the game is left out")
            replay.cut = True

    def add(self, replay: GameReplay, wins: tuple[int, int] | None, place: str = "") -> None:
        """Add a game that was read.

        Args:
            replay: the actions of the game.
            wins: as for `GameReplay.transcript`.
            place: the beginning of warnings, before the number of the game.
        """
        number = len(self.games)
        place += f"game {number + 1}"
        game = replay.transcript(wins, place, self.warnings)
        self.follows = None if replay.cut and game.winner is None else game.final_score
        self.games.append(game)
        for action, analysis in replay.stored.items():
            possible = analysis.possible()
            if possible != StoredAnalysis():
                self.stored[(number, action)] = possible
        self.remarks |= {(number, action): remark for action, remark in replay.remarks_on(game).items()}

    def transcript(
        self, names: Sequence[str], details: Iterable[tuple[str, str]], program: str
    ) -> Transcript:
        """Return the match.

        Args:
            names: the names of the players.
            details: other facts in the file; a detail without a text is left out.
            program: the program that analyzed the actions; empty if the file does not name it.

        Raises:
            FormatError: no action could be read.
        """
        if not any(game.actions for game in self.games):
            reason = self.warnings[0] if self.warnings else "no game"
            raise FormatError(f"{reason}; nothing else can be read")
        return Transcript(
            player_names(names),
            self.length,
            tuple(self.games),
            tuple(detail for detail in details if detail[1]),
            tuple(map(visible, self.warnings)),
            self.stored,
            (program or "another program") if self.stored else "",
            self.remarks,
        )


def player_names(names: Sequence[str]) -> tuple[str, str]:
    """Return the names of two players, one short line each; an empty name becomes `player 1` or `2`.

    Letters with accents get one form (NFC), whichever form the file has.
    """
    first, second = (
        normalize("NFC", one_line(name))[:_LONGEST_NAME].rstrip() or f"player {side}"
        for side, name in enumerate(names, 1)
    )
    return first, second


def whole_in(record: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """Return an entry of a record.

    Raises:
        FormatError: the entry is no whole number from `low` to `high`.
    """
    value: Any = record.get(name)
    if not is_whole(value, low, high):
        raise FormatError(f"{name} {shown(value)}: expected {low} to {high}")
    return int(value)


def check_length(length: int) -> None:
    """Check that a match can have a length.

    Raises:
        FormatError: there is no such match.
    """
    if not 0 <= length <= LONGEST_MATCH:
        raise FormatError(f"a match of {length} points: expected at most {LONGEST_MATCH}")


def check_games(number: int, length: int) -> None:
    """Check that a match can have so many games, even if half of them were begun twice.

    Args:
        number: the number of games.
        length: points of the match, 0 for money.

    Raises:
        FormatError: the match cannot have so many games.
    """
    if number > (4 * length or _MOST_GAMES):
        raise FormatError(f"game {number}: a match to {length} has fewer games")


def check_score(length: int, points: tuple[int, int]) -> None:
    """Check the score before a game of a match file.

    Args:
        length: points of the match, 0 for money.
        points: the scores of both sides.

    Raises:
        FormatError: the match is over, or the score is out of range.
    """
    most = max(points)
    if min(points) < 0:
        raise FormatError(f"a score of {min(points)}: expected 0 or more")
    if length and most >= length:
        raise FormatError(f"a score of {most} before a game of a match to {length}")
    if most > MOST_POINTS:
        raise FormatError(f"a score of {most} for money: expected at most {MOST_POINTS}")


def is_one_away(length: int, points: tuple[int, int]) -> bool:
    """Return whether exactly one side needs 1 point; only then can it be a Crawford game.

    Args:
        length: points of the match, 0 for money.
        points: the scores of both sides.
    """
    return length > 0 and max(points) == length - 1 > min(points)
