"""Players are read, written and refused."""

import gc
import weakref

import numpy as np
import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.engine.engine import Engine
from gammon.engine.scale import Scale
from gammon.eval.evaluators import load_evaluator
from gammon.formats.play import legal_plays
from gammon.games.backgammon import filter_named
from gammon.match import parse_player
from gammon.match.game import play_matches
from gammon.match.player import DepthPlayer, Player, match_player_of
from gammon.match.result import are_matches
from gammon.rules.board import OPENING
from gammon.rules.dice import ROLLS
from gammon.rules.terms import CUBELESS, Score, Terms
from gammon.search.game import NOT_OVER
from gammon_adapters.external import parse_board
from gammon_lab.bench.positions import contact_positions
from gammon_lab.programs import GnuBackgammon
from gammon_lab.programs.gnubg import find_program
from tests.boards import FLAT, points_of
from tests.lab.programs.stand_ins import listener_that
from tests.naive.backgammon import LEAF, NETWORK, values_by_definition
from tests.naive.search import before_roll, defined_value, replies, static_value


def plays_of(match_player, boards, outcomes, seeds):
    """What a player without the cube plays."""
    return match_player.plays(boards, outcomes, [CUBELESS] * len(boards), seeds)


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
)
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
        match_player_of(parse_player("external=a:1"))


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
        ("depth=1,noise_seed=7", "noise_seed 7 without errors: expected noise or a strength too"),
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
        pytest.param("gnubg=0", marks=pytest.mark.skipif(find_program() is None, reason="not installed")),
    ],
)
def test_processor_time_grows_as_a_player_plays(name):
    match_player = match_player_of(parse_player(name))
    before = match_player.cpu_seconds()
    for outcome in range(21):
        match_player.plays(np.array([OPENING], np.int8), [outcome], [CUBELESS], [0])
    assert match_player.cpu_seconds() > before


def test_a_noisy_player_decides_as_a_search_with_noise():
    boards = np.array([points for points, _ in POSITIONS], np.int8)
    outcomes = [roll for _, roll in POSITIONS]
    seeds = list(range(len(POSITIONS)))
    for depth in (1, 3):
        found = plays_of(match_player_of(Player(depth, noise=0.1)), boards, outcomes, seeds)
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
    expected = plays_of(match_player_of(free), boards, outcomes, seven)
    assert (plays_of(match_player_of(bound), boards, outcomes, other) == expected).all()
    assert (plays_of(match_player_of(free), boards, outcomes, other) != expected).any()
    if "errors" not in settings:
        terms = [Terms()] * len(boards)
        expected = match_player_of(free, Terms()).plays(boards, outcomes, terms, seven)
        assert (match_player_of(bound, Terms()).plays(boards, outcomes, terms, other) == expected).all()


def test_kinds_of_errors_lead_to_other_plays():
    boards = np.array([points for points, _ in POSITIONS], np.int8)
    outcomes = [roll for _, roll in POSITIONS]
    seeds = [3] * len(POSITIONS)
    kinds = ("equity", "outputs", "alike-3")
    found = [
        plays_of(match_player_of(Player(noise=0.3, errors=kind)), boards, outcomes, seeds).tobytes()
        for kind in kinds
    ]
    assert len(set(found)) == len(kinds)


def test_a_filter_sees_the_errors():
    """With errors beyond all values, a noisy filter keeps other plays than one without."""
    boards = np.array([points for points, _ in POSITIONS], np.int8)
    outcomes = [roll for _, roll in POSITIONS]
    player = Player(3, noise=3.0, filter="tiny")
    seeds = list(range(len(POSITIONS)))
    found = plays_of(match_player_of(player), boards, outcomes, seeds)
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


@pytest.mark.parametrize("terms", [CUBELESS, Terms()], ids=["cubeless", "money"])
def test_errors_without_effect_are_refused_of_any_player(terms):
    """With noise, a player's strength would be left out without the cube."""
    with pytest.raises(SettingError, match=r"noise 0\.5 with a strength: expected one of"):
        match_player_of(Player(strength=10.0, noise=0.5), terms)
    with pytest.raises(SettingError, match="errors 'outputs' without noise"):
        match_player_of(Player(errors="outputs"), terms)


@pytest.mark.parametrize("terms", [CUBELESS, Terms()], ids=["cubeless", "money"])
def test_only_the_latest_players_are_kept(terms):
    first = weakref.ref(match_player_of(Player(noise=0.01), terms))
    for number in range(2, 12):
        match_player_of(Player(noise=number / 100), terms)
    gc.collect()
    assert first() is None


PROBE = parse_player("model=probe")
ALL_TERMS = [
    Terms(),
    Terms(jacoby=True),
    Terms(cube=2, owner=1),
    Terms(cube=8, owner=-1),
    Terms(7, (7, 7)),
    Terms(7, (2, 5), cube=2, owner=1),
    Terms(5, (1, 4), crawford=True),
    Terms(5, (4, 1)),
    Terms(3, (2, 2)),
    Terms(cube=64, owner=1, live=False),
]


@pytest.mark.parametrize(("name", "boards"), [("model=probe", 40), ("model=probe,depth=3", 3)])
def test_plays_are_the_best_by_definition(name, boards, played):
    player = parse_player(name)
    states = np.array(played(400, 3)[:: 400 // boards][:boards], np.int8)
    rng = np.random.default_rng(1)
    terms = [ALL_TERMS[i] for i in rng.integers(len(ALL_TERMS), size=boards)]
    outcomes = [int(each) for each in rng.integers(6, size=boards)]  # no rolls of many plays
    found = match_player_of(player, Terms()).plays(states, outcomes, terms, [0] * boards)
    for state, outcome, at, after in zip(states, outcomes, terms, found, strict=True):
        values = values_by_definition(state, outcome, at, player.depth)
        row = np.ascontiguousarray(-after[::-1])
        assert values[row.tobytes()] == pytest.approx(max(values.values()), abs=1e-6)


@pytest.mark.parametrize("depth", [1, 3])
def test_of_equal_plays_the_best_without_the_cube(depth):
    """After any play the opponent doubles, and it is a pass; the race goes on all the same."""
    state = np.array(points_of({4: 3, 5: 3, 6: 4}, {22: 2, 23: 2, 24: 2}), np.int8)
    dead = Scale.at(Terms(live=False)).game
    for outcome in (1, 3, 4):  # 21, 31, 32
        values = values_by_definition(state, outcome, Terms(), depth)
        assert min(values.values()) == pytest.approx(max(values.values())) == -1.0
        rows = replies(dead, state, outcome)
        best = min(rows, key=lambda row: static_value(dead, LEAF, row, -dead.stake))
        player = match_player_of(PROBE._replace(depth=depth), Terms())
        (after,) = player.plays(state[None], [outcome], [Terms()], [0])
        assert (-after[::-1] == best).all()
        assert len(rows) > 3


@pytest.mark.parametrize(("depth", "met"), [(1, None), (3, None), (1, FLAT)])
def test_doubles_and_takes_are_right_by_definition(depth, met, played):
    number = {1: 120, 3: 8}[depth]
    player = match_player_of(PROBE._replace(depth=depth), Terms(), met)
    states = np.array(played(3 * number, 8)[::3], np.int8)
    terms = [at for at in ALL_TERMS if at.may_double]
    terms = [terms[i % len(terms)] for i in range(number)]
    doubles, takes = player.cubes(states, terms, [0] * len(terms))
    for state, at, doubled, taken in zip(states, terms, doubles, takes, strict=True):
        game = Scale.at(at, met).game
        offer = game.offer(game.stake, game.params)
        assert offer.cash != NOT_OVER
        stay = defined_value(game, LEAF, state, depth - 1, game.stake)
        take = defined_value(game, LEAF, state, depth - 1, offer.stake)
        assert taken == (offer.factor * take < offer.cash)
        cashes = not taken and stay == pytest.approx(offer.cash)
        assert doubled == (cashes or before_roll(offer, stay, take) > stay)
    if depth == 1:
        assert 5 < doubles.sum() < number - 5
        assert 5 < takes.sum() < number - 5


def test_the_margin_of_a_filter_is_one_of_equities():
    match_player = DepthPlayer(PROBE._replace(depth=3, filter="tiny"))
    for at in ALL_TERMS:
        wanted = filter_named("tiny", Scale.at(at).unit)
        assert match_player._tree(at).problem.filter == wanted


def test_noise_errs_in_plays_only(played):
    states = np.array(played(60, 5), np.int8)
    quiet, noisy = (match_player_of(PROBE._replace(noise=noise), Terms()) for noise in (0.0, 0.5))
    outcomes, money = [7] * 60, [Terms()] * 60
    plain = quiet.plays(states, outcomes, money, range(60))
    other = noisy.plays(states, outcomes, money, range(60))
    assert (plain != other).any(axis=1).sum() > 10
    assert (other == noisy.plays(states, outcomes, money, range(60))).all()
    assert (other != noisy.plays(states, outcomes, money, range(1, 61))).any()
    for found, expected in zip(
        noisy.cubes(states, money, range(60)), quiet.cubes(states, money, [0] * 60), strict=True
    ):
        assert (found == expected).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bgsage=1", "bgsage=1 with the cube: expected a player of gammon, or gnubg"),
        ("noise=0.1,errors=outputs", "with the cube: expected errors of the equity"),
    ],
)
def test_who_cannot_play_with_the_cube(text, words):
    with pytest.raises(SettingError, match=words) as caught:
        match_player_of(parse_player(text), Terms())
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(find_program() is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_decides_by_its_own_values(played):
    player = match_player_of(parse_player("gnubg=0"), Terms())
    assert match_player_of(parse_player("gnubg=0"), Terms()) is player
    states = np.array(played(90, 8)[::3], np.int8)
    terms = [at for at in ALL_TERMS if at.may_double]
    terms = [terms[i % len(terms)] for i in range(30)]
    doubles, takes = player.cubes(states, terms, [0] * len(terms))
    with GnuBackgammon() as program:
        values = program.cube_values(states.tolist(), 0, terms)
        plays = program.best_plays_at(states.tolist(), [(3, 1)] * 30, 0, terms)
    for (stay, take), doubled, taken in zip(values, doubles, takes, strict=True):
        assert taken == (take < 1.0)
        assert doubled == (min(take, 1.0) > stay or (not taken and stay == pytest.approx(1.0)))
    assert 0 < doubles.sum() < 30
    assert player.plays(states, [3] * 30, terms, [0] * 30).tolist() == [list(play) for play in plays]


def test_a_program_that_listens_plays_a_match():
    """It runs, and it is asked for each of its decisions, with the stakes that it has."""

    def answer(line):
        position = parse_board(line.split()[0]).position
        if position.context.offer:
            return b"take\n"
        if position.dice is None:
            return b"roll\n"
        best = min(legal_plays(position, position.dice), key=lambda play: pips(play.points))
        return best.notation.replace("cannot move", "").encode() + b"\n"

    def pips(points):
        return sum(place * count for place, count in enumerate(points) if count > 0)

    with listener_that(answer) as (server, asked):
        them = match_player_of(parse_player(f"external={server.address}"), Terms())
        batch = play_matches((match_player_of(PROBE, Terms()), them), [0], 4, None, Score(3))
        them.program.close()
    assert are_matches(batch.games, [0, 1], Score(3))
    boards = [parse_board(line.split()[0]).position for line in asked]
    plays = [board for board in boards if board.dice]
    by_them = sum(
        (game["first"] + turn) % 2 for game in batch.games for turn in range(len(game["positions"]))
    )
    assert len(plays) == by_them
    assert {board.context.crawford for board in boards} == {False, True}
    assert any(game["cube"] > 1 for game in batch.games)


def test_several_boards_at_once_are_asked_one_by_one():
    replies = iter(["8/5 6/5", "24/23 13/11", "double", "roll", "drop", "take"])
    with listener_that(lambda line: f"{next(replies)}\n".encode()) as (server, _):
        them = match_player_of(parse_player(f"external={server.address}"), Terms())
        states = np.array([OPENING, OPENING], np.int8)
        after = them.plays(states, [3, 1], [Terms(), Terms()], [0, 0])
        assert (after[0, 5], after[1, 11]) == (2, 1)
        answers = them.cubes(states, [Terms(), Terms()], [0, 0])
        them.program.close()
    assert (answers.doubles.tolist(), answers.takes.tolist()) == ([True, False], [False, True])


def test_a_player_by_another_leaf():
    """The leaf that is given judges plays and doubles, not the model's."""
    other = load_evaluator("leaf")
    rng = np.random.default_rng(2)
    states = np.array([OPENING] * 6, np.int8)
    rolls = [int(each) for each in rng.integers(21, size=6)]
    terms = [Terms()] * 6
    for leaf, model in ((NETWORK, "probe"), (other, "leaf")):
        mine, theirs = DepthPlayer(PROBE, leaf), match_player_of(parse_player(f"model={model}"), Terms())
        after = mine.plays(states, rolls, terms, [0] * 6)
        assert after.tobytes() == theirs.plays(states, rolls, terms, [0] * 6).tobytes()
        boards = np.concatenate([states, -after[:, ::-1]])
        asked = boards, terms * 2, [0] * 12
        for ours, right in zip(mine.cubes(*asked), theirs.cubes(*asked), strict=True):
            assert ours.tolist() == right.tolist()
