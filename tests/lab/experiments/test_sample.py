"""Positions from self-play."""

import numpy as np
import pytest

from gammon.engine.engine import Engine
from gammon.rules.board import OPENING, has_contact, is_over
from gammon.rules.dice import throw
from gammon_lab.experiments.sample import contact_positions, self_play_positions


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(depth=1)


def test_a_seed_gives_its_positions_again(engine: Engine) -> None:
    found = self_play_positions(engine, 12, 5)
    assert len(found) == 12
    assert found == self_play_positions(engine, 12, 5)
    assert found != self_play_positions(engine, 12, 6)


def test_one_position_in_so_many_is_kept(engine: Engine) -> None:
    every_turn = self_play_positions(engine, 150, 5, every=1)
    game, turn, numbers = -1, 0, []
    for points, outcome in every_turn:
        game, turn = (game + 1, 0) if points == OPENING else (game, turn + 1)
        assert outcome == throw(np.uint64(5), np.uint64(game), np.uint64(turn))
        assert not is_over(points)
        numbers.append(game + turn)
    assert game > 0, "the sample has a second game"
    kept = [each for each, number in zip(every_turn, numbers, strict=True) if number % 7 == 0]
    assert self_play_positions(engine, len(kept), 5) == kept


def test_contact_positions_are_those_with_contact(engine: Engine) -> None:
    played = self_play_positions(engine, 48, 5)
    wanted = [each for each in played if has_contact(each[0])]
    assert wanted != played[: len(wanted)], "a race comes before the last of them"
    assert contact_positions(engine, len(wanted), 5) == wanted
