"""Games or matches of two players: units of work, stopping early, and the files written."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from gammon.base.checks import path_of, plain, shown
from gammon.base.errors import SettingError
from gammon.base.files import unwritable, write_text
from gammon.base.folder import is_held, run_folder
from gammon.base.parallel import HERE, Pool, run_units
from gammon.base.plugins import FORMATS, plugin
from gammon.base.settings import Flag, Number, SettingKind, Text, Whole
from gammon.base.store import Unit
from gammon.engine.luck import luck_at
from gammon.eval.evaluators import load_evaluator, search_networks
from gammon.formats.gnubg_id import format_position_id
from gammon.formats.met_file import met_entry, met_of, met_of_entry
from gammon.formats.position import parse_start
from gammon.match.game import Effort, play_matches
from gammon.match.player import Player, match_player_of, parse_player, program_named
from gammon.match.result import GameRecord, MatchResult, Numbers, are_matches, as_json, result_of
from gammon.rules.board import OPENING
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import CUBELESS, LONGEST_MATCH, Score, Terms, parse_stakes, stakes_of

#: Version of the lines in a folder's files. Before 2, games without the cube were different;
#: before 3, static values counted gammons that were no longer possible.
_FORMAT = 3
#: Pairs of games in a unit, by the depth of the deeper player, so that a unit takes seconds;
#: another program has its own number.
_PAIRS = {1: 50, 3: 10, 5: 1, 7: 1, 9: 1}
#: Fewest pairs for which a standard error may stop a match.
_LEAST_PAIRS = 100
#: Valid values of the settings, and the settings that may also be None.
_SETTINGS: dict[str, SettingKind] = {
    "games": Whole(4),
    "seed": Whole(0, 2**64 - 1),
    "length": Whole(0, LONGEST_MATCH),
    "luck": Text(),
    "until_se": Number("a number above 0", 5e-324),
    "mat": Flag(),
    "cubeful": Flag(),
    "jacoby": Flag(),
    "opening": Text(),
}
_MAY_BE_NONE = "luck", "until_se"


@dataclass(frozen=True)
class MatchSettings:
    """The settings of single games, or of matches with the cube.

    Attributes:
        a: the first player.
        b: the second player.
        games: the largest number of games, or of matches if they have a length; an even number,
            since they are played in pairs with the same dice.
        out: the folder for the files; an interrupted match resumes from it.
        seed: seed of dice and noise.
        pool: the processes that play.
        luck: the network that values rolls; None: the luck of the dice is not removed.
        until_se: stop once the adjusted standard error is at most this, in points per game or,
            in matches, as a chance to win one, but not before 200 games or matches; None: play
            all games.
        mat: also write the games as text for other programs.
        stakes: A's terms without the cube, given as `Payoffs` or as text.
        length: points of a match, which has the cube; 0 for single games.
        cubeful: play single games with the cube.
        jacoby: in games for money, gammons count only after the cube is turned.
        met: the match equity table, or its file, by which gammon plays matches and judges the
            luck of their dice. Kazaross-XG2 unless given.
        opening: where games begin, seen from the player who begins: a name or an ID, as for
            `gammon.formats.position.parse_start`.
        on_result: called with the result so far.

    Raises:
        SettingError, FormatError: a setting is invalid.
    """

    a: Player
    b: Player
    games: int
    out: Path
    seed: int = 1
    pool: Pool = HERE
    luck: str | None = "leaf"
    until_se: float | None = None
    mat: bool = False
    stakes: Terms = CUBELESS
    length: int = 0
    cubeful: bool = False
    jacoby: bool = False
    met: MatchEquityTable | str | Path | None = None
    opening: str = "backgammon"
    on_result: Callable[[MatchResult], None] = lambda result: None

    def __post_init__(self) -> None:
        for name, kind in (("a", Player), ("b", Player), ("pool", Pool)):
            if not isinstance(getattr(self, name), kind):
                given = shown(getattr(self, name))
                raise SettingError(f"{name} {given}: expected a {kind.__name__}")
        if not callable(self.on_result):
            raise SettingError(f"on_result {shown(self.on_result)}: expected a function")
        validated = {"out": path_of("out", self.out), "stakes": stakes_of(self.stakes)}
        for name, setting in _SETTINGS.items():
            value = getattr(self, name)
            if value is not None or name not in _MAY_BE_NONE:
                validated[name] = setting.checked(name, value)
        parse_start(self.opening)
        for name, value in validated.items():
            object.__setattr__(self, name, value)

    @property
    def start(self) -> Score:
        """The score that each match begins with."""
        if self.cubeful or self.length:
            return Score(self.length, jacoby=self.jacoby)
        return Score(live=False, payoffs=self.stakes.payoffs)


def _pairs_of(player: Player) -> int:
    if player.program is not None:
        name, value = player.program
        return program_named(name).pairs(value)
    return _PAIRS[player.depth]


def _play(unit: Unit) -> dict[str, Any]:
    """Play a unit's pairs; runs in worker processes."""
    a, b = parse_player(unit["a"]), parse_player(unit["b"])
    start, met = _start(unit), met_of_entry(unit["met"])
    players = match_player_of(a, start.terms(0), met), match_player_of(b, start.terms(1), met)
    judge = None
    if unit["luck"] is not None:
        judge = partial(luck_at, load_evaluator(unit["luck"]), met=met)
    pairs = range(unit["first"], unit["first"] + unit["pairs"])
    opening = parse_start(unit.get("opening", "backgammon"))
    batch = play_matches(players, pairs, unit["seed"], judge, start, opening)
    return {"games": batch.games, **asdict(batch.effort)}


def _start(unit: Unit) -> Score:
    """Return the score that the matches of a unit begin with."""
    if unit["live"]:
        return Score(unit["length"], jacoby=unit["jacoby"])
    return Score(live=False, payoffs=parse_stakes(unit["stakes"]).payoffs)


def _networks(settings: MatchSettings) -> dict[str, str]:
    """Return the IDs of the networks of both players and of the luck."""
    names = {player.model for player in (settings.a, settings.b) if player.program is None}
    return search_networks(*names, *([settings.luck] if settings.luck else []))


def _facts(settings: MatchSettings) -> dict[str, Any]:
    """Return the settings that decide the games, including the networks."""
    start, opening = settings.start, parse_start(settings.opening)
    return {
        **({} if opening == OPENING else {"opening": format_position_id(opening)}),
        "format": _FORMAT, "a": str(settings.a), "b": str(settings.b), "seed": settings.seed,
        "luck": settings.luck, "networks": _networks(settings), "length": start.length,
        "jacoby": start.jacoby, "live": start.live, "stakes": str(settings.stakes.payoffs),
        "met": met_entry(met_of(settings.met)),
    }  # fmt: skip


def _units(settings: MatchSettings, facts: dict[str, Any]) -> list[Unit]:
    size = min(_pairs_of(settings.a), _pairs_of(settings.b))
    pairs = settings.games // 2
    return [{**facts, "first": first, "pairs": min(size, pairs - first)} for first in range(0, pairs, size)]


def _fits(unit: Unit, batch: Any) -> bool:
    """Return whether a batch read from a file has the valid games and effort of a unit."""
    numbers = range(2 * unit["first"], 2 * (unit["first"] + unit["pairs"]))
    try:
        times = [seconds for seconds in _cpu_seconds(batch) if seconds is not None]
        return (
            len(batch["decisions"]) == len(_cpu_seconds(batch)) == 2
            and all(
                type(number) in (int, float) and 0 <= number < 1e12
                for number in (*batch["decisions"], *times)
            )
            and are_matches(batch["games"], numbers, _start(unit))
        )
    except (KeyError, TypeError):
        return False


def check_match(settings: MatchSettings) -> None:
    """Check the settings before a match begins.

    Raises:
        SettingError: some settings exclude each other, or no player can have them.
        FormatError, GammonError: the file of a match equity table is invalid or cannot be read.
        GammonError: another program is not installed.
    """
    for player in (settings.a, settings.b):
        parse_player(str(player))  # as the workers do
    if settings.games % 2:
        raise SettingError(f"games {settings.games}: expected an even number")
    if settings.mat and parse_start(settings.opening) != OPENING:
        raise SettingError(f"mat with the start {settings.opening!r}: expected backgammon's opening")
    _check_cube(settings)
    _check_programs(settings)


def has_one_connection(player: Player) -> bool:
    """Return whether a player is a program that plays one game at a time, in this process alone."""
    return player.program is not None and program_named(player.program[0]).alone


def _check_programs(settings: MatchSettings) -> None:
    """Check that other programs can play these games, for this number of workers, and are installed."""
    # Workers on other machines have their own programs, and finished games need no program.
    must_start = settings.pool.scheduler is None and not is_held(settings.out)
    for player in (settings.a, settings.b):
        if player.program is None:
            continue
        name, value = player.program
        program = program_named(name)
        program.check(str(player), settings.start.live)
        if program.alone and settings.pool != HERE:
            raise SettingError(f"{player} with several workers: expected one, its connection")
        if settings.stakes != CUBELESS:
            raise SettingError(
                f"{player} for stakes {settings.stakes.payoffs}: expected money, for which "
                "other programs play"
            )
        if must_start:
            program.check_installed(value)


def _check_cube(settings: MatchSettings) -> None:
    """Check that the settings of the cube fit the kind of games."""
    if settings.jacoby and (settings.length or not settings.cubeful):
        where = f"a match of {settings.length}" if settings.length else "games without the cube"
        raise SettingError(f"Jacoby rule in {where}: expected it for money with the cube")
    met = met_of(settings.met)
    if settings.met is not None and not settings.length:
        raise SettingError(f"met {met.name!r} in games for money: expected a match's length")
    if not settings.start.live:
        return
    if settings.stakes != CUBELESS:
        raise SettingError(
            f"stakes {settings.stakes.payoffs} with the cube: expected none, since the score "
            "and the cube say what results are worth"
        )
    for player in (settings.a, settings.b):
        if player.program is None:  # which would be started
            match_player_of(player, settings.start.terms(0), met)  # raises its errors


def run_match(settings: MatchSettings) -> tuple[MatchResult, Effort]:
    """Play games or matches, or the rest of them, and write games.jsonl and result.json.

    Both files are the same whatever the number of workers and interruptions. The folder also
    has run.json, which identifies the match, and units.jsonl, from which the match resumes:
    with any pool, and to more games or another standard error.

    Raises:
        SettingError: some settings exclude each other.
        ModelError: there is no such network.
        GammonError: the folder holds another match, cannot be written or is in use, or a
            worker was killed.
    """
    check_match(settings)
    facts = _facts(settings)
    what = "a match"
    if settings.start.live:
        length = settings.length
        what = f"matches to {length}" if length else "money games with the cube"
    title = f"{what} of {settings.a} and {settings.b}, seed {settings.seed}"
    with run_folder(settings.out, title, facts):
        return _play_and_write(settings, facts)


def _play_and_write(settings: MatchSettings, facts: dict[str, Any]) -> tuple[MatchResult, Effort]:
    numbers: list[Numbers] = []

    def result() -> MatchResult:
        return result_of(numbers[0], settings.start)

    def enough(batches: Sequence[dict[str, Any]]) -> bool:
        numbers[:] = [Numbers.joined([*numbers, Numbers.of(batches[-1]["games"])])]
        current = result()
        settings.on_result(current)
        return (
            settings.until_se is not None
            and current.matches >= 2 * _LEAST_PAIRS
            and current.adjusted.error <= settings.until_se
        )

    batches = run_units(
        _play, _units(settings, facts), settings.out / "units.jsonl", settings.pool, enough=enough, fits=_fits
    )
    games: list[GameRecord] = [game for batch in batches for game in batch["games"]]
    final = result()
    lines = "".join(json.dumps(game) + "\n" for game in games)
    write_text(settings.out / "games.jsonl", lines)
    text = json.dumps(plain({**facts, **as_json(final)}), indent=1, allow_nan=False)
    write_text(settings.out / "result.json", text + "\n")
    # Text files of an earlier call would not match the other files.
    if settings.mat or _mat_path(settings).exists():
        _write_mat(settings, games)
    decisions = _sums([batch["decisions"] for batch in batches])
    return final, Effort(decisions, _sums([_cpu_seconds(batch) for batch in batches]))


def _mat_path(settings: MatchSettings) -> Path:
    """Return the file for all single games, or the folder for matches."""
    return settings.out / ("matches" if settings.length else "games.mat")


def _write_mat(settings: MatchSettings, games: Sequence[GameRecord]) -> None:
    """Write one file with all single games, or one per match, and delete other matches' files."""
    target, mat = _mat_path(settings), plugin(FORMATS, "mat")
    files = [(target, list(games))]
    if settings.length:
        files = [
            (target / f"{number:06}.mat", list(match))
            for number, match in groupby(games, key=itemgetter("match"))
        ]
    for path, played in files:
        write_text(path, mat(str(settings.a), str(settings.b), played, settings.start))
    for path in {*target.glob("[0-9]*.mat")} - {path for path, _ in files}:
        try:
            path.unlink()
        except OSError as error:
            raise unwritable(path, error) from None


def _cpu_seconds(batch: dict[str, Any]) -> Sequence[float | None]:
    """Return the processor time of both players; files before 0.4 do not have it."""
    times: Sequence[float | None] = batch.get("cpu_seconds", (None, None))
    return times


def _sums(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the sum for each player; None: one of the player's numbers is not known."""
    return [None if None in column else sum(column) for column in zip(*rows, strict=True)]
