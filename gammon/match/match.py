"""Games or matches of two players: units of work, early stop, the files that they leave."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from gammon.base.checks import path_of, shown
from gammon.base.errors import SettingError
from gammon.base.files import unwritable, write_text
from gammon.base.folder import is_held, run_folder
from gammon.base.parallel import HERE, Pool, run_units
from gammon.base.plain import plain
from gammon.base.plugins import FORMATS, plugin
from gammon.base.settings import Flag, Kind, Number, Text, Whole
from gammon.base.store import Unit
from gammon.engine.luck import luck_at
from gammon.eval.evaluators import load_evaluator
from gammon.eval.model_file import network_id
from gammon.formats.met_file import met_entry, met_of, met_of_entry
from gammon.match.game import Effort, play_pairs
from gammon.match.player import Player, mind_of, parse_player, program_named
from gammon.match.record import GameRecord, are_matches
from gammon.match.result import MatchResult, Numbers, as_json, result_of
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import CUBELESS, LONGEST_MATCH, Score, Terms, parse_stakes, stakes_of

#: The form of the lines of a folder's files. Before 2, games without the cube were others;
#: before 3, static values counted gammons that could not come.
_FORMAT = 3
#: Pairs of games in a unit, by the depth of the deeper player, so that a unit takes seconds;
#: another program says how many.
_PAIRS = {1: 50, 3: 10, 5: 1, 7: 1}
#: With fewer pairs no standard error is believed.
_LEAST_PAIRS = 100
#: What settings may be, and which of them may also be None.
_SETTINGS: dict[str, Kind] = {
    "games": Whole(4),
    "seed": Whole(0, 2**64 - 1),
    "length": Whole(0, LONGEST_MATCH),
    "luck": Text(),
    "until_se": Number("a number above 0", 5e-324),
    "mat": Flag(),
    "cubeful": Flag(),
    "jacoby": Flag(),
}
_MAY_BE_NONE = "luck", "until_se"


@dataclass(frozen=True)
class MatchSettings:
    """The settings of single games, or of matches with the cube.

    Attributes:
        a: the first player.
        b: the second one.
        games: the most that are played, an even number: pairs with the same dice. Matches, if
            they have a length.
        out: the folder for its files; an interrupted match resumes from it.
        seed: of dice and noise.
        pool: the processes that play.
        luck: the network that values rolls; None leaves the luck of the dice in.
        until_se: enough is played once the adjusted standard error is no larger, in points
            a game or, in matches, as a chance to win one, but no earlier than after 200 games
            or matches; None: all games are played.
        mat: write the games as text for other programs too.
        stakes: terms without the cube, of A; `Payoffs` or a text give them.
        length: points of a match, which is with the cube; 0 for single games.
        cubeful: play single games with the cube, too.
        jacoby: in these, gammons count only after the cube is turned.
        met: the match equity table by which gammon plays matches, and tells the luck of their
            dice; or its file. Kazaross-XG2 unless given.
        on_result: called with the result so far.

    Raises:
        SettingError, FormatError: a setting cannot be what it is.
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
    on_result: Callable[[MatchResult], None] = lambda result: None

    def __post_init__(self) -> None:
        for name, kind in (("a", Player), ("b", Player), ("pool", Pool)):
            if not isinstance(getattr(self, name), kind):
                given = shown(getattr(self, name))
                raise SettingError(f"{name} {given}: expected a {kind.__name__}")
        if not callable(self.on_result):
            raise SettingError(f"on_result {shown(self.on_result)}: expected a function")
        checked = {"out": path_of("out", self.out), "stakes": stakes_of(self.stakes)}
        for name, setting in _SETTINGS.items():
            value = getattr(self, name)
            if value is not None or name not in _MAY_BE_NONE:
                checked[name] = setting.checked(name, value)
        for name, value in checked.items():
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
    """Play a unit's pairs; for worker processes."""
    a, b = parse_player(unit["a"]), parse_player(unit["b"])
    start, met = _start(unit), met_of_entry(unit["met"])
    minds = mind_of(a, start.terms(0), met), mind_of(b, start.terms(1), met)
    judge = None
    if unit["luck"] is not None:
        judge = partial(luck_at, load_evaluator(unit["luck"]), met=met)
    pairs = range(unit["first"], unit["first"] + unit["pairs"])
    batch = play_pairs(minds, pairs, unit["seed"], judge, start)
    return {"games": batch.games, **asdict(batch.effort)}


def _start(unit: Unit) -> Score:
    """Return the score that the matches of a unit begin with."""
    if unit["live"]:
        return Score(unit["length"], jacoby=unit["jacoby"])
    return Score(live=False, payoffs=parse_stakes(unit["stakes"]).payoffs)


def _networks(settings: MatchSettings) -> dict[str, str]:
    """Return the IDs of all networks by name: one name may mean another network later."""
    names = {player.model for player in (settings.a, settings.b) if player.program is None}
    names |= {"probe"} | ({settings.luck} if settings.luck else set())
    return {name: network_id(name) for name in sorted(names)}


def _facts(settings: MatchSettings) -> dict[str, Any]:
    """Return what the games depend on."""
    start = settings.start
    return {
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
    """Tell whether what a file says of a unit are its games, and what they took."""
    numbers = range(2 * unit["first"], 2 * (unit["first"] + unit["pairs"]))
    try:
        times = [each for each in _cpu_seconds(batch) if each is not None]
        return (
            len(batch["decisions"]) == len(_cpu_seconds(batch)) == 2
            and all(type(each) in (int, float) and 0 <= each < 1e12 for each in (*batch["decisions"], *times))
            and are_matches(batch["games"], numbers, _start(unit))
        )
    except (KeyError, TypeError):
        return False


def check_match(settings: MatchSettings) -> None:
    """Check what can be checked before a match begins.

    Raises:
        SettingError: some settings do not go together.
        FormatError, GammonError: the file of a match equity table has none, or cannot be read.
        GammonError: another program is not installed.
    """
    if settings.games % 2:
        raise SettingError(f"games {settings.games}: expected an even number")
    _check_programs(settings)
    _check_cube(settings)
    if settings.stakes != CUBELESS:
        for player in (settings.a, settings.b):
            if player.program is not None:
                raise SettingError(
                    f"{player} for stakes {settings.stakes.payoffs}: expected money, for which "
                    "other programs play"
                )
    # Workers elsewhere have their own programs, and games that were played need none.
    if settings.pool.scheduler is None and not is_held(settings.out):
        for player in (settings.a, settings.b):
            if player.program is not None:
                name, value = player.program
                program_named(name).check_installed(value)


def _check_programs(settings: MatchSettings) -> None:
    """Check what other programs ask for: the cube or none, and a connection for itself."""
    for player in (settings.a, settings.b):
        if player.program is not None:
            program = program_named(player.program[0])
            program.check(str(player), settings.start.live)
            if program.alone and settings.pool != HERE:
                raise SettingError(f"{player} with several workers: expected one, its connection")


def _check_cube(settings: MatchSettings) -> None:
    """Check what the cube asks for, or forbids."""
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
            mind_of(player, settings.start.terms(0), met)  # raises its errors


def run_match(settings: MatchSettings) -> tuple[MatchResult, Effort]:
    """Play games or matches, or the rest of them, and write games.jsonl and result.json.

    Both are the same whatever the number of workers and interruptions. The folder also
    keeps run.json, which says whose folder it is, and units.jsonl, from which a match
    resumes: with any pool, to more games or another standard error.

    Raises:
        SettingError: some settings do not go together.
        ModelError: no such network.
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
    counted: list[Numbers] = []

    def result() -> MatchResult:
        return result_of(counted[0], settings.start)

    def enough(batches: Sequence[dict[str, Any]]) -> bool:
        counted[:] = [Numbers.joined([*counted, Numbers.of(batches[-1]["games"])])]
        found = result()
        settings.on_result(found)
        return (
            settings.until_se is not None
            and found.matches >= 2 * _LEAST_PAIRS
            and found.adjusted.error <= settings.until_se
        )

    batches = run_units(
        _play, _units(settings, facts), settings.out / "units.jsonl", settings.pool, enough=enough, fits=_fits
    )
    games: list[GameRecord] = [game for batch in batches for game in batch["games"]]
    found = result()
    lines = "".join(json.dumps(game) + "\n" for game in games)
    write_text(settings.out / "games.jsonl", lines)
    text = json.dumps(plain({**facts, **as_json(found)}), indent=1, allow_nan=False)
    write_text(settings.out / "result.json", text + "\n")
    # Such files of an earlier call would not be those of the other files.
    if settings.mat or _mat_place(settings).exists():
        _write_mat(settings, games)
    decisions = _sums([batch["decisions"] for batch in batches])
    return found, Effort(decisions, _sums([_cpu_seconds(batch) for batch in batches]))


def _mat_place(settings: MatchSettings) -> Path:
    """Return the file for all single games, or the folder for matches."""
    return settings.out / ("matches" if settings.length else "games.mat")


def _write_mat(settings: MatchSettings, games: Sequence[GameRecord]) -> None:
    """Write a file with all single games, or one for each match and no others."""
    place, mat = _mat_place(settings), plugin(FORMATS, "mat")
    files = [(place, list(games))]
    if settings.length:
        files = [
            (place / f"{number:06}.mat", list(match))
            for number, match in groupby(games, key=itemgetter("match"))
        ]
    for path, played in files:
        write_text(path, mat(str(settings.a), str(settings.b), played, settings.start))
    for path in {*place.glob("[0-9]*.mat")} - {path for path, _ in files}:
        try:
            path.unlink()
        except OSError as error:
            raise unwritable(path, error) from None


def _cpu_seconds(batch: dict[str, Any]) -> Sequence[float | None]:
    """Return the processor time of both players, which files before 0.4 do not have."""
    times: Sequence[float | None] = batch.get("cpu_seconds", (None, None))
    return times


def _sums(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the sum for each player; None: one of its numbers is not known."""
    return [None if None in column else sum(column) for column in zip(*rows, strict=True)]
