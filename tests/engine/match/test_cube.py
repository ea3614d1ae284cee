"""Players with the cube: plays, ties, doubles and takes against the definition."""

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.engine.worth import Worth
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import load_evaluator
from gammon.formats.play import legal_plays
from gammon.games.backgammon import filter_named
from gammon.match import parse_player
from gammon.match.cube import OwnMind, cube_mind_of
from gammon.match.game import play_pairs
from gammon.match.record import are_matches
from gammon.rules.board import OPENING
from gammon.rules.score import Score
from gammon.rules.terms import Terms
from gammon.search.game import NOT_OVER
from gammon_adapters.fibs_board import parse_board
from gammon_lab.programs import GnuBackgammon
from gammon_lab.programs.gnubg import find_program
from tests.boards import points_of
from tests.lab.programs.stand_ins import listener_that
from tests.tables import FLAT
from tests.twins import before_roll, defined_value, replies, static_value

PROBE = parse_player("model=probe")
LEAF = cubeful_evaluator(load_evaluator("probe"))
ALL_TERMS = [
    Terms(), Terms(jacoby=True), Terms(cube=2, owner=1), Terms(cube=8, owner=-1),
    Terms(7, (7, 7)), Terms(7, (2, 5), cube=2, owner=1), Terms(5, (1, 4), crawford=True),
    Terms(5, (4, 1)), Terms(3, (2, 2)), Terms(cube=64, owner=1, live=False),
]  # fmt: skip


def values_by_definition(state, outcome, at, depth):
    """The value of each successor to the mover, by its bytes."""
    game = Worth.cubeful(at).game
    return {
        row.tobytes(): -defined_value(game, LEAF, row, depth - 1, -game.stake, on_turn=True)
        for row in replies(game, state, outcome)
    }


@pytest.mark.parametrize(("name", "boards"), [("model=probe", 40), ("model=probe,depth=3", 3)])
def test_plays_are_the_best_by_definition(name, boards, played):
    player = parse_player(name)
    states = np.array(played(400, 3)[:: 400 // boards][:boards], np.int8)
    rng = np.random.default_rng(1)
    terms = [ALL_TERMS[i] for i in rng.integers(len(ALL_TERMS), size=boards)]
    outcomes = [int(each) for each in rng.integers(6, size=boards)]  # no rolls of many plays
    found = cube_mind_of(player).plays(states, outcomes, terms, [0] * boards)
    for state, outcome, at, after in zip(states, outcomes, terms, found, strict=True):
        values = values_by_definition(state, outcome, at, player.depth)
        row = np.ascontiguousarray(-after[::-1])
        assert values[row.tobytes()] == pytest.approx(max(values.values()), abs=1e-6)


@pytest.mark.parametrize("depth", [1, 3])
def test_of_equal_plays_the_best_without_the_cube(depth):
    """After any play the opponent doubles, and it is a pass; the race goes on all the same."""
    state = np.array(points_of({4: 3, 5: 3, 6: 4}, {22: 2, 23: 2, 24: 2}), np.int8)
    dead = Worth.cubeful(Terms(live=False)).game
    for outcome in (1, 3, 4):  # 21, 31, 32
        values = values_by_definition(state, outcome, Terms(), depth)
        assert min(values.values()) == pytest.approx(max(values.values())) == -1.0
        rows = replies(dead, state, outcome)
        best = min(rows, key=lambda row: static_value(dead, LEAF, row, -dead.stake))
        player = cube_mind_of(PROBE._replace(depth=depth))
        (after,) = player.plays(state[None], [outcome], [Terms()], [0])
        assert (-after[::-1] == best).all()
        assert len(rows) > 3


@pytest.mark.parametrize(("depth", "met"), [(1, None), (3, None), (1, FLAT)])
def test_doubles_and_takes_are_right_by_definition(depth, met, played):
    number = {1: 120, 3: 8}[depth]
    player = cube_mind_of(PROBE._replace(depth=depth), met)
    states = np.array(played(3 * number, 8)[::3], np.int8)
    terms = [at for at in ALL_TERMS if at.may_double]
    terms = [terms[i % len(terms)] for i in range(number)]
    doubles, takes = player.cubes(states, terms, [0] * len(terms))
    for state, at, doubled, taken in zip(states, terms, doubles, takes, strict=True):
        game = Worth.cubeful(at, met).game
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
    mind = OwnMind(PROBE._replace(depth=3, filter="tiny"))
    for at in ALL_TERMS:
        wanted = filter_named("tiny", Worth.cubeful(at).unit)
        assert mind._setup(at).problem.filter == wanted


def test_noise_errs_in_plays_only(played):
    states = np.array(played(60, 5), np.int8)
    quiet, noisy = (cube_mind_of(PROBE._replace(noise=noise)) for noise in (0.0, 0.5))
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
        cube_mind_of(parse_player(text))
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(find_program() is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_decides_by_its_own_values(played):
    player = cube_mind_of(parse_player("gnubg=0"))
    assert cube_mind_of(parse_player("gnubg=0")) is player
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
    assert player.plays(states, [3] * 30, terms, [0] * 30).tolist() == [
        list(play) for play in plays
    ]


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
        them = cube_mind_of(parse_player(f"external={server.address}"))
        batch = play_pairs((cube_mind_of(PROBE), them), [0], 4, None, Score(3))
        them.program.close()
    assert are_matches(batch.games, [0, 1], Score(3))
    boards = [parse_board(line.split()[0]).position for line in asked]
    plays = [board for board in boards if board.dice]
    by_them = sum(
        (game["first"] + turn) % 2
        for game in batch.games
        for turn in range(len(game["positions"]))
    )
    assert len(plays) == by_them
    assert {board.context.crawford for board in boards} == {False, True}
    assert any(game["cube"] > 1 for game in batch.games)


def test_several_boards_at_once_are_asked_one_by_one():
    replies = iter(["8/5 6/5", "24/23 13/11", "double", "roll", "drop", "take"])
    with listener_that(lambda line: f"{next(replies)}\n".encode()) as (server, _):
        them = cube_mind_of(parse_player(f"external={server.address}"))
        states = np.array([OPENING, OPENING], np.int8)
        after = them.plays(states, [3, 1], [Terms(), Terms()], [0, 0])
        assert (after[0, 5], after[1, 11]) == (2, 1)
        answers = them.cubes(states, [Terms(), Terms()], [0, 0])
        them.program.close()
    assert (answers.doubles.tolist(), answers.takes.tolist()) == ([True, False], [False, True])


def test_a_player_by_another_leaf():
    """The leaf that is given judges plays and doubles, not the model's."""
    other = cubeful_evaluator(load_evaluator("leaf"))
    rng = np.random.default_rng(2)
    states = np.array([OPENING] * 6, np.int8)
    rolls = [int(each) for each in rng.integers(21, size=6)]
    terms = [Terms()] * 6
    for leaf, model in ((LEAF, "probe"), (other, "leaf")):
        mine, theirs = OwnMind(PROBE, leaf), cube_mind_of(parse_player(f"model={model}"))
        after = mine.plays(states, rolls, terms, [0] * 6)
        assert after.tobytes() == theirs.plays(states, rolls, terms, [0] * 6).tobytes()
        boards = np.concatenate([states, -after[:, ::-1]])
        asked = boards, terms * 2, [0] * 12
        for ours, right in zip(mine.cubes(*asked), theirs.cubes(*asked), strict=True):
            assert ours.tolist() == right.tolist()
