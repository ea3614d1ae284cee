"""The Game of Dice: savings, positions, pairs."""

from gammon.search import NOT_OVER
from gammon_lab.experiments import dice
from gammon_lab.games import dice_game
from tests.twins import payoff


def test_dice(reproduce, monkeypatch):
    small = dice.BOARDS["5x5"]._replace(positions=3, deepest=5, played=(1, 3), pairs=4)
    monkeypatch.setattr(dice, "_QUICK_BOARDS", {"5x5": small})
    read = reproduce("dice")
    savings = {(r["depth"], r["algorithm"]): r for r in read("dice-savings")}
    full, star1, star2 = (
        float(savings["5", name]["leaves"]) for name in ("expectimax", "star1", "star2")
    )
    assert star2 < star1 < full
    assert [row["games"] for row in read("dice-tournament")] == ["8"]


def test_dice_positions_are_fixed_and_in_play():
    board = dice.BOARDS["11x11"]
    for number in range(20):
        state, die = dice.position(board, 1, number)
        again, same = dice.position(board, 1, number)
        assert (state == again).all()
        assert die == same < board.n
        assert payoff(dice_game.game(board.n, board.m), state) == NOT_OVER
        assert board.marks[0] <= abs(state).sum() < board.marks[1]


def test_a_pair_of_a_player_with_itself_is_even():
    unit = {"board": "5x5", "seed": 3, "deep": 1, "shallow": 1, "first": 0, "pairs": 20}
    assert set(dice.play(unit)) == {0.5}
