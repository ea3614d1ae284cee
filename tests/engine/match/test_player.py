"""Players are read, written and refused."""

import gc
import weakref

import numpy as np
import pytest
from gammon.match.cube import cube_mind_of

from gammon.base.errors import FormatError, SettingError
from gammon.engine.engine import Engine
from gammon.match import parse_player
from gammon.match.player import Player, mind_of
from gammon.rules.board import OPENING
from gammon.rules.dice import ROLLS
from gammon.rules.terms import Terms
from gammon_lab.experiments.sample import contact_positions
from gammon_lab.programs.gnubg import find_program

POSITIONS = contact_positions(Engine(depth=1, cubeless=True), 8, seed=5)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("depth=3", "depth=3"),
        ("noise=0.03, depth=5", "depth=5,noise=0.03"),
        ("noise=0.123456789", "depth=1,noise=0.123456789"),
        ("algorithm=star1,filter=tiny", "depth=1,algorithm=star1,filter=tiny"),
        ("errors=outputs,noise=0.1", "depth=1,noise=0.1,errors=outputs"),
        ("noise_seed=7,noise=0.1", "depth=1,noise=0.1,noise_seed=7"),
        ("strength=10,noise_seed=0", "strength=10,noise_seed=0"),
        ("gnubg=2", "gnubg=2"),
        (" bgsage=3 ", "bgsage=3"),
        ("bgsage=2T", "bgsage=2T"),
        ("external=127.0.0.1:1234", "external=127.0.0.1:1234"),
        ("external=./socket", "external=./socket"),
    ],
)  # fmt: skip
def test_players_are_read_and_written(text, written):
    player = parse_player(text)
    assert str(player) == written
    assert parse_player(written) == player


def test_who_plays():
    assert parse_player("gnubg=0").program == ("gnubg", 0)
    assert parse_player("bgsage=4").program == ("bgsage", 4)
    assert parse_player("bgsage=3T").program == ("bgsage", "3T")
    assert parse_player("external=a:1").program == ("external", "a:1")
    assert parse_player("depth=1").program is None


def test_who_listens_plays_with_the_cube_alone():
    with pytest.raises(SettingError, match="external=a:1 without the cube"):
        mind_of(parse_player("external=a:1"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gnubg=5", "gnubg 5: expected a whole number from 0 to 4"),
        ("bgsage=0", "bgsage '0': expected one of 1, 2, 3, 4, 1T, 2T, 3T"),
        ("bgsage=5", "bgsage '5': expected one of 1, 2, 3, 4, 1T, 2T, 3T"),
        ("depth=1,bgsage=1", "expected bgsage alone"),
        ("gnubg=0,bgsage=1", "expected gnubg alone"),
        ("gnubg=0,level=roller", "player 'gnubg=0,level=roller': expected gnubg alone"),
        ("bgsage=x", "bgsage 'x': expected one of"),
        ("external=a:1,depth=1", "expected external alone"),
        ("depth=3,level=roller", "depth with level: expected one of them"),
        ("depth=3,strength=10", "depth with strength: expected one of them"),
        ("external=a:", "expected HOST:PORT"),
        ("external=", "'' is not a value of external"),
        ("strength=10,noise=0.03", "noise 0.03 with a strength: expected one of them"),
        ("strength=10,errors=outputs", "errors 'outputs' without noise: expected noise too"),
        ("depth=1,errors=alike-3", "errors 'alike-3' without noise: expected noise too"),
        ("noise=0,errors=outputs", "errors 'outputs' without noise: expected noise too"),
        (
            "depth=1,noise_seed=7",
            "noise_seed 7 without errors: expected noise or a strength too",
        ),
        ("gnubg=0,noise_seed=7", "expected gnubg alone"),
        ("noise=.1,noise_seed=-1", "noise_seed -1: expected a whole number from 0 to"),
    ],
)
def test_players_that_there_are_not(text, expected):
    with pytest.raises((FormatError, SettingError), match=expected):
        parse_player(text)


@pytest.mark.parametrize(
    "name",
    [
        "depth=3",
        pytest.param(
            "gnubg=0",
            marks=pytest.mark.skipif(find_program() is None, reason="not installed"),
        ),
    ],
)
def test_processor_time_grows_as_a_player_plays(name):
    mind = mind_of(parse_player(name))
    before = mind.cpu_seconds()
    for outcome in range(21):
        mind.best([OPENING], [outcome], [0])
    assert mind.cpu_seconds() > before


def test_a_noisy_player_decides_as_a_search_with_noise():
    boards = np.array([points for points, _ in POSITIONS], np.int8)
    outcomes = [roll for _, roll in POSITIONS]
    seeds = list(range(len(POSITIONS)))
    for depth in (1, 3):
        found = mind_of(Player(depth, noise=0.1)).best(boards, outcomes, seeds)
        dice = [ROLLS[outcome] for outcome in outcomes]
        engine = Engine(depth, noise=0.1, cubeless=True)
        assert (found == engine.best_plays(boards, dice, seeds)).all()


@pytest.mark.parametrize(
    "settings", ["noise=0.1", "depth=3,noise=0.1", "noise=0.1,errors=alike-3", "strength=25"]
)
def test_a_player_with_a_seed_errs_alike_in_all_games(settings):
    """As it would with that seed in a match, whatever seeds the match has."""
    boards = np.array([points for points, _ in POSITIONS], np.int8)
    outcomes = [roll for _, roll in POSITIONS]
    free, bound = (parse_player(settings + more) for more in ("", ",noise_seed=7"))
    seven, other = ([seed] * len(boards) for seed in (7, 8))
    expected = mind_of(free).best(boards, outcomes, seven)
    assert (mind_of(bound).best(boards, outcomes, other) == expected).all()
    assert (mind_of(free).best(boards, outcomes, other) != expected).any()
    if "errors" not in settings:
        terms = [Terms()] * len(boards)
        expected = cube_mind_of(free).plays(boards, outcomes, terms, seven)
        assert (cube_mind_of(bound).plays(boards, outcomes, terms, other) == expected).all()


def test_kinds_of_errors_lead_to_other_plays():
    boards = np.array([points for points, _ in POSITIONS], np.int8)
    outcomes = [roll for _, roll in POSITIONS]
    seeds = [3] * len(POSITIONS)
    kinds = ("equity", "outputs", "alike-3")
    found = [
        mind_of(Player(noise=0.3, errors=kind)).best(boards, outcomes, seeds).tobytes()
        for kind in kinds
    ]
    assert len(set(found)) == len(kinds)


def test_a_filter_sees_the_errors():
    """With errors beyond all values, a noisy filter keeps other plays than one without."""
    boards = np.array([points for points, _ in POSITIONS], np.int8)
    outcomes = [roll for _, roll in POSITIONS]
    player = Player(3, noise=3.0, filter="tiny")
    seeds = list(range(len(POSITIONS)))
    found = mind_of(player).best(boards, outcomes, seeds)
    first = Engine(1, cubeless=True)
    kept = 0
    for board, outcome, chosen in zip(boards, outcomes, found, strict=True):
        ranked = first.values_of_plays([board], [ROLLS[outcome]]).rows[:5].tolist()
        kept += chosen.tolist() in ranked
    assert kept < len(POSITIONS)


@pytest.mark.parametrize("kind", ["", "x", "alike-0", "alike-26"])
def test_kinds_of_errors_that_there_are_not(kind):
    with pytest.raises((FormatError, SettingError), match="errors"):
        parse_player(f"noise=0.1,errors={kind}")


@pytest.mark.parametrize("made", [mind_of, cube_mind_of])
def test_errors_without_effect_are_refused_of_any_player(made):
    """With noise, a player's strength would be left out without the cube."""
    with pytest.raises(SettingError, match=r"noise 0\.5 with a strength: expected one of"):
        made(Player(strength=10.0, noise=0.5))
    with pytest.raises(SettingError, match="errors 'outputs' without noise"):
        made(Player(errors="outputs"))


@pytest.mark.parametrize("made", [mind_of, cube_mind_of])
def test_only_the_latest_players_are_kept(made):
    first = weakref.ref(made(Player(noise=0.01)))
    for number in range(2, 9):
        made(Player(noise=number / 100))
    gc.collect()
    assert first() is None
