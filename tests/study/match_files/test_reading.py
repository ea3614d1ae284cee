"""Helpers of all readers of match files."""

import pytest

from gammon.base.errors import FormatError
from gammon_study.match_files.reading import check_games, player_names


def test_names_are_lines() -> None:
    assert player_names(["Ann\n Lee", " "]) == ("Ann Lee", "player 2")


def test_a_letter_with_an_accent_has_one_form() -> None:
    one, other = player_names(["Zo\u00eb", "Zoe\u0308"])
    assert one == other == "Zo\u00eb"


def test_no_match_has_more_games_than_it_can_have() -> None:
    check_games(28, 7)
    with pytest.raises(FormatError, match="game 29: a match to 7 has fewer games"):
        check_games(29, 7)
    check_games(100_000, 0)
    with pytest.raises(FormatError, match="game 100001: a match to 0 has fewer games"):
        check_games(100_001, 0)
