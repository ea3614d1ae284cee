"""Analyses as tables: each kind of value says what it is."""

import re

import pytest

import gammon
from gammon.analysis import Analysis
from gammon.search import Stats
from gammon.text.analysis import analysis_view, depth_words, roll_table_view
from tests.views.text import text_of

OPENING = gammon.Position.opening()


def analysis(kinds: list[gammon.Kind], stakes: str = "money") -> Analysis:
    plays = gammon.legal_plays(OPENING, (3, 1))
    chances = gammon.Probabilities(0.5, 0.125, 0.01, 0.15, 0.02)
    candidates = [
        gammon.Candidate(
            play, 0.2 - 0.1 * rank, 0.1 * rank,
            chances if kind is gammon.Kind.EXACT else None, kind, 3,
        )
        for rank, (play, kind) in enumerate(zip(plays, kinds, strict=False))
    ]  # fmt: skip
    work = Stats(12, 3456, 4567, 8, 6, 5, 0)
    return Analysis(OPENING, (3, 1), gammon.parse_stakes(stakes), candidates, work, 0.25)


@pytest.mark.smoke
def test_values_bounds_and_static_values() -> None:
    exact, bound, static = gammon.Kind.EXACT, gammon.Kind.BOUND, gammon.Kind.STATIC
    lines = text_of(analysis_view(analysis([exact, bound, static]), top=5))
    first, second, third = (
        next(line for line in lines if line.split()[:1] == [f"{rank}."]) for rank in (1, 2, 3)
    )
    assert "+0.2000" in first
    assert "0.0000" in first
    assert re.search(r"exact +50\.0 +12\.5 +1\.0 +50\.0 +15\.0 +2\.0$", first.rstrip())
    assert "<= +0.1000" in second
    assert ">= 0.1000" in second
    assert second.rstrip().endswith("bound")
    assert "+0.0000" in third
    assert ">=" not in third
    assert "0.2000" not in third, "a static value has no loss"
    assert third.rstrip().endswith("static")


@pytest.mark.parametrize(("last", "words"), [("bound", "none above"), ("static", "2 more")])
def test_what_is_not_shown(last: str, words: str) -> None:
    kinds = [gammon.Kind.EXACT] * 4 + [gammon.Kind(last)] * 2
    (line,) = [each for each in text_of(analysis_view(analysis(kinds), 1)) if "more" in each]
    assert words in line
    assert ("none above" in line) == (last == "bound")


def test_the_heading_says_what_equities_are() -> None:
    found = "\n".join(text_of(analysis_view(analysis([gammon.Kind.EXACT], "gammon-go"), 1)))
    assert OPENING.position_id in found
    assert OPENING.xgid in found
    heading = f"X to play 31, exact to {depth_words(3)}, cubeless, stakes gammon-go"
    assert heading in " ".join(found.split())
    assert "8 probes, 6 cut (75 %), 5 search cuts, 0.25 s" in found


def test_all_rolls() -> None:
    rolls = gammon.Engine(depth=1, stakes="dmp").analyze_rolls(OPENING)
    found = text_of(roll_table_view(rolls))
    assert any("X to roll" in line for line in found)
    assert any("stakes dmp" in line for line in found)
    assert any(f"before the roll: {rolls.equity:+.4f}" in line for line in found)
    assert sum("/36" in line for line in found) == 21
