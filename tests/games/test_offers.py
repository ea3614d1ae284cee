"""Random trees with doubles keep the contract; so their offers end, and bounds hold."""

import pytest

from gammon import search
from gammon.games import offers, synthetic


@pytest.mark.parametrize("family", offers.FAMILIES, ids=str)
def test_the_families_keep_the_contract(family: tuple[int, bool]) -> None:
    game = offers.game(-20, 30, *family)
    root = synthetic.root(-20, 30, 1, synthetic.FINISHES)
    assert search.check_game(game, offers.LEAF, [root], most=60) > 20


def test_families_of_both_kinds() -> None:
    kinds = {plain for _, plain in offers.FAMILIES}
    assert kinds == {False, True}
    factors = {offers.game(-20, 30, *family).params[3] for family in offers.FAMILIES}
    assert len(factors) > 1
