"""Questions: what may be asked, arrays of positions, and many positions at once."""

import pickle
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import search
from gammon.base.errors import IllegalPositionError, SettingError
from gammon.base.settings import settings_of
from gammon.engine.boards import (
    Evaluations,
    PlayValues,
    checked_boards,
    checked_outcomes,
    checked_seeds,
    in_blocks,
)
from gammon.engine.question import ALGORITHMS, FILTERS, LONGEST_MATCH, TERMS, Question
from gammon.games.backgammon import FILTERS as FILTERS_OF_GAME
from gammon.rules.board import OPENING as BOARDS_OPENING
from gammon.rules.dice import N_ROLLS, ROLLS
from gammon.rules.terms import LONGEST_MATCH as LONGEST_OF_RULES
from gammon.rules.terms import Terms
from gammon.search.algorithms import BOUNDED
from tests.conftest import Played
from tests.engine.commands.program import OPENING, assert_refused

# Questions: what may be asked, and what is at stake then.

MATCH = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:7:10")
START = gammon.Position.opening()


def asked(position: gammon.Position = START, **settings: Any) -> Terms:
    return Question(position=position, **settings).placed().context.terms()


def test_nothing_asked_changes_nothing() -> None:
    assert Question(position=MATCH).placed() is MATCH


def test_settings_take_the_place_of_what_the_id_says() -> None:
    assert asked(match=7) == Terms(7, (7, 7))
    assert asked(match=7, score="3-5") == Terms(7, (4, 2))
    assert asked(match=7, score="6-5", crawford=True) == Terms(7, (1, 2), crawford=True)
    assert asked(jacoby=True, beavers=True) == Terms(jacoby=True, beavers=True)
    assert asked(cube=4, owner="opponent") == Terms(cube=4, owner=-1)
    assert asked(MATCH, score="0-6") == Terms(7, (7, 1), cube=2, owner=1), "the cube stays"
    assert asked(MATCH, match=0) == Terms(cube=2, owner=1)
    assert asked(MATCH, match=7) == MATCH.context.terms(), "nothing else is said"
    assert asked(MATCH, match=9) == Terms(9, (9, 9), cube=2, owner=1)
    assert asked(MATCH, cube=1) == Terms(7, (5, 6))
    crawford = START.with_terms(Terms(7, (1, 4), crawford=True))
    assert asked(crawford, score="6-3") == crawford.context.terms(), "it is the same score"
    assert asked(crawford, score="6-4") == Terms(7, (1, 3))


def test_a_double_on_offer_stays_on_offer_at_other_stakes() -> None:
    offered = MATCH.with_offer(True)
    for position, settings in (
        (START.with_offer(True), {"match": 7}),
        (START.with_offer(True), {"jacoby": True}),
        (offered, {"score": "2-2"}),
        (offered, {"cube": 4, "owner": "roller"}),
    ):
        placed = Question(position=position, **settings).placed()
        assert placed.context.offer == "D" and placed.context.terms() == asked(
            position.with_offer(False), **settings
        )
    assert Question(position=offered, dice=(3, 1), score="2-2").placed().context.offer == ""
    with pytest.raises(gammon.SettingError, match="the player on roll may not double at these stakes"):
        asked(offered, owner="opponent")


def test_a_settled_question_asks_the_same_by_its_position() -> None:
    question = Question(position=START, dice=(3, 1), match=7, score="3-5", top=2)
    settled = question.settled()
    assert settled.placed() is settled.position
    assert settled.position == question.placed()
    assert (settled.top, settled.dice, settled.match) == (2, None, None)


def test_names_are_those_that_there_are() -> None:
    assert set(ALGORITHMS) == {*search.ALGORITHMS, BOUNDED.name}
    assert list(FILTERS) == list(FILTERS_OF_GAME)
    assert LONGEST_MATCH == LONGEST_OF_RULES
    known = settings_of(Question)
    assert list(known) == [field.name for field in fields(Question)]
    assert set(TERMS) < set(known)


def test_values_come_in_their_usual_types() -> None:
    given: dict[str, Any] = {"dice": [3, 1]}
    found = Question(plays=["8/5 6/5"], stakes="dmp", noise=1, level=3, **given)
    assert (found.dice, found.plays, found.noise) == ((3, 1), ("8/5 6/5",), 1.0)
    assert found.stakes == gammon.parse_stakes("dmp")
    assert (found.depth, found.level) == (3, None)


def test_the_file_of_a_table_is_read(tmp_path: Any) -> None:
    from gammon.formats.met_file import format_met

    path = tmp_path / "table.csv"
    path.write_text(format_met(gammon.read_met()))
    table = Question(met=path).met
    assert table is not None
    assert table.given == gammon.read_met(path).given
    assert Question(met=table).met is table
    with pytest.raises(gammon.GammonError, match="cannot be read"):
        gammon.Engine(met=tmp_path / "nothing")


def test_the_number_of_searches() -> None:
    assert Question(dice=(3, 1), rolls=True).searches == Question().searches == 1
    assert Question(rolls=True).searches == Question(cubeless=True).searches == N_ROLLS
    rolled = gammon.Position.opening().with_dice((3, 1))
    assert Question(position=rolled, cubeless=True).searches == 1
    grid = gammon.Engine(depth=1).cube_by_score(START, 2)
    assert Question(scores=2).searches == len(grid.scores) + len(grid.named)
    assert Question(owners=True).searches == 3


def test_the_searches_before_a_deep_one() -> None:
    assert [each.depth for each in Question(depth=5).shallower()] == [1, 3]
    before = list(Question(level="roller").shallower())
    assert [(each.depth, each.level) for each in before] == [(1, None), (3, None), (5, None)]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"position": OPENING}, "position '4HPwATDgc/ABMA': expected a gammon.Position"),
        ({"plays": [3]}, r"plays \[3\]: expected a list of texts"),
        ({"met": 5}, "met 5: expected a table of gammon.read_met, or its file"),
    ],
)
def test_what_a_setting_cannot_be(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(gammon.SettingError, match=f"^{words}$"):
        Question(**settings)


def test_without_a_position() -> None:
    with pytest.raises(gammon.SettingError, match="position None"):
        gammon.Engine(depth=1).answer(Question())


BAD = [
    (["--score", "3-5"], "expected the length of a match"),
    (["--match", "7", "--score", "3:"], "two numbers"),
    (["--match", "7", "--score", "7-3"], "less than 7"),
    (["--crawford"], "crawford without a match"),
    (["--match", "7", "--crawford"], "Crawford game at 7-away 7-away"),
    (["--match", "7", "--jacoby"], "Jacoby rule in a match of 7: expected it for money"),
    (["--cube", "3"], "cube 3"),
    (["--match", "7", "--cube", "2"], "cube 2 in a match: expected owner too"),
    (["--owner", "roller"], "nobody owns a cube at 1"),
    (["--match", "65"], "65"),
    (["--stakes", "dmp", "--cube", "2", "--owner", "me"], "'me' is not one of"),
    (["--stakes", "dmp", "--scores", "2"], "cubeless"),
    (["--dice", "31", "--scores", "2", "--play", "8/5 6/5"], "play '8/5 6/5' with scores"),
    (["--dice", "31", "--owners", "--play", "8/5 6/5"], "play '8/5 6/5' with owners"),
    (["--dice", "31", "--scores", "2", "--cubeless"], "cubeless"),
    (["--dice", "31", "--rolls"], "rolls with the roll 31"),
]


@pytest.mark.parametrize(("options", "words"), BAD)
def test_what_cannot_be_is_refused(options: list[str], words: str) -> None:
    assert_refused(["analyze", OPENING, "--depth", "1", *options], words)


# Arrays of positions: what is taken, what is refused and how, and blocks of them.

BOARD = list(BOARDS_OPENING)


def with_count(place: int, count: int) -> list[list[int]]:
    """Three positions, the last with another count."""
    return [BOARD, BOARD, [*BOARD[:place], count, *BOARD[place + 1 :]]]


@pytest.mark.parametrize("kind", [np.int8, np.int64, ">i4", np.int16])
def test_positions_become_int8(kind: Any) -> None:
    wide = np.zeros((3, 52), kind)
    wide[:, ::2] = BOARD
    boards = checked_boards(wide[:, ::2])
    assert boards.dtype == np.int8
    assert boards.flags.c_contiguous
    assert boards.tolist() == [BOARD] * 3


def test_arrays_that_may_not_be_written_to_are_taken() -> None:
    """A kernel takes only others: one of a file that is mapped, or broadcast, is copied."""
    boards = np.array([BOARD, BOARD], np.int8)
    seeds = np.arange(2, dtype=np.uint64)
    for array in (boards, seeds):
        array.flags.writeable = False
    assert checked_boards(boards).flags.writeable
    assert checked_boards(np.broadcast_to(boards[0], (3, 26))).tolist() == [BOARD] * 3
    assert checked_seeds(seeds, 2).flags.writeable


def test_there_may_be_none() -> None:
    assert checked_boards(np.empty((0, 26), np.int8)).shape == (0, 26)
    assert checked_boards([]).shape == (0, 26)
    assert checked_outcomes(np.empty((0, 2), int), 0).shape == (0,)
    assert checked_seeds(np.empty(0, int), 0).shape == (0,)


@pytest.mark.parametrize(
    "points",
    [
        BOARD, [BOARD, BOARD[1:]], [[BOARD], BOARD], [[]], 5, None, "board", [["a"] * 26],
        np.array([BOARD], float), np.array([BOARD]) == 0, [[10**30] * 26], [[None] * 26],
        np.zeros((1, 26, 1), int), np.zeros((26, 1), int), {1: 2}, np.array([BOARD], "m8[s]"),
    ],
    ids=lambda points: repr(points)[:30],
)  # fmt: skip
def test_other_shapes_and_types_are_refused(points: Any) -> None:
    with pytest.raises(SettingError, match=r"^points .*expected whole .*\(N, 26\)$") as caught:
        checked_boards(points)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("count", [256 - 3, 16, -20, 2**31, 2**62, -(2**63), 300])
def test_counts_do_not_wrap(count: int) -> None:
    for place in (0, 8, 25):
        with pytest.raises(IllegalPositionError, match=rf"^position 2: {count} .*{place}: "):
            checked_boards(with_count(place, count))


def test_counts_of_which_four_would_wrap_to_none() -> None:
    board = [0, *[2**62] * 4, *[0] * 20, 0]
    for points in ([board], np.array([board], np.uint64)):
        with pytest.raises(IllegalPositionError, match=r"^position 0: "):
            checked_boards(points)


def test_positions_that_cannot_stand_are_refused() -> None:
    with pytest.raises(IllegalPositionError, match=r"^position 2: .*25 checkers"):
        checked_boards(with_count(6, 15))
    for board in ([0, 5, *[0] * 21, -3, -3, -1], [1, 5, *[0] * 21, -3, -3, 0]):
        with pytest.raises(IllegalPositionError, match=r"^position 1: .*bar"):
            checked_boards([BOARD, board])


def test_finished_games_are_refused() -> None:
    for board in ([0] * 25 + [1], [-1] + [0] * 25, [0] * 26):
        with pytest.raises(IllegalPositionError, match=r"^position 1: "):
            checked_boards([BOARD, board])


def test_rolls_become_outcomes() -> None:
    both = [*ROLLS, *((low, high) for high, low in ROLLS)]
    for kind in (np.int64, np.uint8, np.int8):
        assert checked_outcomes(np.array(both, kind), 42).tolist() == [*range(21)] * 2


@pytest.mark.parametrize("dice", [[3, 1], [[3.0, 1.0]], [["3", "1"]], [[True, True]], [[3]]])
def test_dice_of_other_shapes_and_types_are_refused(dice: Any) -> None:
    with pytest.raises(SettingError, match=r"^dice of .*whole numbers of shape \(1, 2\)$"):
        checked_outcomes(dice, 1)


@pytest.mark.parametrize("die", [0, 7, -1, 2**40, 2**64 - 1])
def test_dice_out_of_range_are_refused(die: int) -> None:
    dice = np.array([[3, 1], [3, die]], np.int64 if die < 2**63 else np.uint64)
    with pytest.raises(SettingError, match=f"^position 1: dice .*{die}.*1 to 6"):
        checked_outcomes(dice, 2)


def test_seeds_may_be_any_of_64_bits() -> None:
    top = 2**64 - 1
    for seeds in ([top, top], np.array([top, top], np.uint64)):
        assert checked_seeds(seeds, 2).tolist() == [top, top]
    assert checked_seeds([0, 5], 2).dtype == np.uint64
    assert checked_seeds([5, 2**63 + 1], 2).tolist() == [5, 2**63 + 1]


@pytest.mark.parametrize(
    "seeds", [[0], [0, 1, 2], 3, [0, -1], [0.0, 1.0], [0, 2**64], [0, "1"], [[0], [1]], [0, []]]
)
def test_other_seeds_are_refused(seeds: Any) -> None:
    with pytest.raises(SettingError, match=r"^noise_seeds .*expected "):
        checked_seeds(seeds, 2)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_blocks_come_in_order(threads: int) -> None:
    numbers = np.arange(10)
    found = in_blocks(lambda block: numbers[block].tolist(), 10, 4, threads)
    assert found == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert in_blocks(lambda block: numbers[block].size, 0, 4, threads) == [0]


def test_plays_are_joined_with_their_offsets() -> None:
    def part(sizes: list[int], first: float) -> PlayValues:
        n = sum(sizes)
        values = first + np.arange(n)
        rows, chances = np.full((n, 26), int(first), np.int8), np.zeros((n, 5))
        offsets = np.cumsum([0, *sizes])
        return PlayValues(offsets, rows, values, chances, np.ones(n, np.bool_))

    found = PlayValues.joined([part([2, 1], 0), part([3], 10)])
    assert found.offsets.tolist() == [0, 2, 3, 6]
    assert found.equities.tolist() == [0, 1, 2, 10, 11, 12]
    assert found.rows[:, 0].tolist() == [0, 0, 0, 10, 10, 10]
    assert PlayValues.joined([part([], 0)]).offsets.tolist() == [0]


def test_arrays_of_answers_can_be_compared() -> None:
    """Tuples of arrays raise an error of numpy."""

    def values(equity: float) -> PlayValues:
        rows, chances = np.zeros((2, 26), np.int8), np.zeros((2, 5))
        return PlayValues(np.array([0, 2]), rows, np.full(2, equity), chances, np.ones(2, bool))

    assert values(0.5) == values(0.5)
    assert not values(0.5) != values(0.5)  # noqa: SIM202
    assert values(0.5) != values(0.25)
    assert values(0.5) != tuple(values(0.5))
    two, one = (Evaluations(np.zeros(n), np.zeros((n, 5))) for n in (2, 1))
    assert two == Evaluations(*two)
    assert two != one
    assert pickle.loads(pickle.dumps(values(0.5))) == values(0.5)


# Many positions at once, held to one after the other.

MANY_OPENING = gammon.Position.opening()


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": 1},
        {"depth": 1, "noise": 0.1, "noise_seed": 4},
        {"depth": 3},
        {"depth": 3, "algorithm": "star1", "stakes": "gammon-go"},
        {"depth": 5, "noise": 0.1},
        {"depth": 5, "move_filter": "tiny", "threads": 2},
        {"depth": 3, "threads": 2},
        {"depth": 1, "terms": Terms(7, (2, 5))},
        {"depth": 1, "terms": Terms(cube=2, owner=-1)},
    ],
    ids=str,
)
def test_many_at_once_are_those_of_one_by_one_to_the_last_bit(
    settings: dict[str, Any], played: Played
) -> None:
    terms = settings.get("terms", Terms())
    engine = gammon.Engine(**{name: settings[name] for name in settings.keys() - {"terms"}})
    last = [(0, 2, *[0] * 21, -1, 0, 0), (0, 1, 3, 4, *[0] * 17, -2, -1, -1, 0, 0)]
    points = [*last, *played(90, 5)[:: {1: 2, 3: 51, 5: 90}[engine.depth]]]
    dice = [ROLLS[7 * number % 21] for number in range(len(points))]
    many = engine.evaluate_many(points, terms)
    plays = engine.values_of_plays(points, dice, terms)
    assert plays.offsets.tolist()[:: len(points)] == [0, len(plays.rows)]
    for number, each in enumerate(points):
        position = gammon.Position(each).with_terms(terms)
        alone = engine.evaluate(position)
        assert many.equities[number] == alone.equity
        assert tuple(many.chances[number]) == alone.probabilities
        mine = slice(*plays.offsets[number : number + 2])
        rows, equities, chances, searched = (column[mine] for column in plays[1:])
        candidates = engine.analyze(position, dice[number], top=10_000).candidates
        assert [tuple(row) for row in rows.tolist()] == [c.play.points for c in candidates]
        assert equities.tolist() == [c.equity for c in candidates]
        assert searched.tolist() == [c.deep for c in candidates]
        for chance, candidate in zip(chances, candidates, strict=True):
            if candidate.deep:
                assert tuple(chance) == candidate.probabilities
    best = engine.best_plays(points, dice, terms=terms)
    assert best.dtype == np.int8
    assert (plays.rows[plays.offsets[:-1]] == best).all()


def test_blocks_of_positions_change_nothing(played: Played) -> None:
    points, engine = np.array(played(200, 8), np.int8), gammon.Engine(depth=3)
    for some in (engine, gammon.Engine(depth=3, threads=2)):
        many = some.evaluate_many(points)
        for found, alone in zip(many, engine.evaluate_many(points[130:140]), strict=True):
            assert (found[130:140] == alone).all()
    none = engine.evaluate_many(np.empty((0, 26), np.int8))
    assert [column.shape for column in none] == [(0,), (0, 5)]
    plays = engine.values_of_plays(np.empty((0, 26), np.int8), np.empty((0, 2), np.int8))
    assert [column.shape for column in plays] == [(1,), (0, 26), (0,), (0, 5), (0,)]


def test_a_module_answers_for_many() -> None:
    torch = pytest.importorskip("torch")
    from gammon.eval.network import Network

    torch.manual_seed(1)
    engine = gammon.Engine(depth=1, model=Network(16, 4), threads=2)
    points = [MANY_OPENING.points, MANY_OPENING.flipped().points]
    many, alone = engine.evaluate_many(points), engine.evaluate(MANY_OPENING)
    assert many.equities.tolist() == [alone.equity] * 2
    assert many.chances[0] == pytest.approx(alone.probabilities, abs=1e-6)
    plays = engine.values_of_plays(points, [(3, 1), (6, 5)])
    best = engine.analyze(MANY_OPENING, (3, 1)).candidates[0]
    assert plays.equities[0] == best.equity
    assert plays.chances[0] == pytest.approx(best.probabilities, abs=1e-6)
