"""Analyses as tables: each kind of value says what it is."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

import gammon
from gammon.engine.analysis import Analysis, Sample
from gammon.search import Stats
from gammon.view.analysis import (
    analysis_view,
    bounds_table,
    chances_cells,
    depth_words,
    level_lines,
    roll_table_view,
    work_line,
)
from gammon.view.plain import plain_text
from tests.engine.view.text import text_of

OPENING = gammon.Position.opening()
#: The plies of kinds of values in a search to depth 3.
DEPTHS = {gammon.Kind.STATIC: 1, gammon.Kind.SHALLOW: 1}


def analysis(
    kinds: list[gammon.Kind], top: int = 5, stakes: str = "money", named: Sequence[int] = ()
) -> Analysis:
    plays = gammon.legal_plays(OPENING, (3, 1))
    chances = gammon.Probabilities(0.5, 0.125, 0.01, 0.15, 0.02)
    candidates = [
        gammon.Candidate(
            play, 0.2 - 0.1 * rank, 0.1 * rank, chances, kind, depth := DEPTHS.get(kind, 3),
            depth, named=rank in named,
            bound=0.25 - 0.1 * rank if kind is gammon.Kind.SHALLOW else None,
        )
        for rank, (play, kind) in enumerate(zip(plays, kinds, strict=False))
    ]  # fmt: skip
    work = Stats(12, 3456, 4567, 8, 6, 5, 0)
    worth = gammon.parse_stakes(stakes)
    return Analysis(OPENING, (3, 1), worth, candidates, work, 0.25, top)


@pytest.mark.smoke
def test_exact_shallow_and_static_values() -> None:
    exact, shallow, static = gammon.Kind.EXACT, gammon.Kind.SHALLOW, gammon.Kind.STATIC
    lines = text_of(analysis_view(analysis([exact, shallow, static])))
    first, second, third = (
        next(line for line in lines if line.split()[:1] == [f"{rank}."]) for rank in (1, 2, 3)
    )
    assert "+0.2000" in first
    assert "0.0000" in first
    assert re.search(r"exact +50\.0 +12\.5 +1\.0 +50\.0 +15\.0 +2\.0$", first.rstrip())
    assert "+0.1000  0.1000  depth 1  50.0" in second
    assert "=" not in second
    assert "+0.0000" in third
    assert "0.2000" not in third, "a static value has no loss"
    # Chances of another depth than the equity's are not shown.
    assert re.search(r"static +50\.0 +12\.5 +1\.0 +50\.0 +15\.0 +2\.0$", third.rstrip())
    certain = gammon.Probabilities(1.0 + 1e-12, 0.0, 0.0, 0.0, 0.0)
    assert chances_cells(certain)[3] == "0.0"


@pytest.mark.parametrize(
    ("last", "words"),
    [("shallow", "and 4 more, from -0.8000 down"), ("static", "and 4 more")],
)
def test_plays_that_are_not_shown(last: str, words: str) -> None:
    kinds = [gammon.Kind.EXACT] * 4 + [gammon.Kind(last)] * 10
    (line,) = [each for each in text_of(analysis_view(analysis(kinds, 1))) if "more" in each]
    assert line.strip() == words


def test_bounds_stand_in_a_table_of_their_own() -> None:
    kinds = [gammon.Kind.EXACT, gammon.Kind.SHALLOW, gammon.Kind.STATIC]
    found = analysis(kinds)
    head, line = text_of(bounds_table(found))
    assert head.split() == ["Play", "Equity", "at", "most"]
    assert line.split()[-1] == "+0.1500"
    assert line.startswith(found.candidates[1].play.notation)
    assert bounds_table(analysis(kinds[:1])) is None


def test_the_work_of_a_search_is_a_line() -> None:
    found = analysis([gammon.Kind.EXACT], 1)
    (line,) = text_of(work_line(found.stats, found.seconds))
    assert "8 probes, 6 cut (75 %), 5 search cuts, 0.25 s" in line


def test_a_level_says_how_sure_it_is() -> None:
    for sure, words in (
        (0.75, "games; they are 75.0 % sure"),
        (1.0, "99.9 %"),
        (None, "no games: why"),
    ):
        (line,) = level_lines("roller", sure, "games", "why")
        assert words in line


def test_a_level_says_why_it_played_no_games() -> None:
    found = replace(analysis([gammon.Kind.EXACT] * 3), level="roller")
    first, *others = found.candidates
    close = [first, *(replace(each, loss=0.01) for each in others)]
    for candidates, why in (
        ([first], "there is one play"),
        (found.candidates, "nothing is close"),
        (close, "all is known, or time was over"),
    ):
        lines = text_of(analysis_view(replace(found, candidates=candidates)))
        assert f"  Level roller: no games: {why}." in lines


def test_the_heading_says_what_equities_are() -> None:
    found = "\n".join(text_of(analysis_view(analysis([gammon.Kind.EXACT], 1, "gammon-go"))))
    assert OPENING.position_id in found
    assert OPENING.xgid in found
    heading = f"X to play 31, exact to {depth_words(3)}, cubeless, stakes gammon-go"
    assert heading in " ".join(found.split())
    assert "probes" not in found


def test_chances_to_win_the_match_have_two_decimals() -> None:
    found = analysis([gammon.Kind.EXACT], 1)
    (best,) = found.candidates
    terms, only = gammon.Terms(7, (3, 4)), replace(best, mwc=0.57839)
    text = str(replace(found, terms=terms, candidates=[only]))
    assert " exact  57.84  50.0 " in text


def test_all_rolls() -> None:
    rolls = gammon.Engine(depth=1, stakes="dmp").analyze_rolls(OPENING)
    found = text_of(roll_table_view(rolls))
    assert any("X to roll" in line for line in found)
    assert any("stakes dmp" in line for line in found)
    assert any(f"before the roll: {rolls.equity:+.4f}" in line for line in found)
    assert sum("/36" in line for line in found) == 21


def rows(view: object, width: int) -> list[list[str]]:
    """The cells of a table of plays, from its head on."""
    lines = plain_text(view, width).splitlines()
    head = next(n for n, line in enumerate(lines) if "Equity" in line.split())
    table = itertools.takewhile(
        lambda line: line and not line.startswith("  The terminal"), lines[head:]
    )
    return [line.split() for line in table]


def test_named_plays_stand_below_the_best() -> None:
    kinds = [gammon.Kind.EXACT] * 10 + [gammon.Kind.SHALLOW] * 4
    found = rows(analysis_view(analysis(kinds, named=[11])), 120)
    assert [row[0] for row in found[11:]] == ["12.", "and"]
    assert found[-1][:3] == ["and", "3", "more,"]
    found = rows(analysis_view(analysis(kinds, named=[1])), 120)
    assert [row[0] for row in found[10:]] == ["10.", "and"], "shown once"


def test_games_stand_before_searches() -> None:
    rollout, exact = gammon.Kind.ROLLOUT, gammon.Kind.EXACT
    found = analysis([*[rollout] * 3, exact, gammon.Kind.SHALLOW], named=[2])
    *games, searched, last = found.candidates
    games = [replace(each, games=Sample(0.01, 1.0, 36)) for each in games]
    candidates = [*games, replace(searched, equity=0.12), last]
    view = analysis_view(replace(found, candidates=candidates))
    assert [row[0] for row in rows(view, 120)[1:]] == ["1.", "2.", "3.", "4.", "5."]


@pytest.mark.parametrize("width", [40, 60])
def test_columns_that_are_left_out_are_named(width: int) -> None:
    view = analysis_view(analysis([gammon.Kind.EXACT] * 2, 1))
    text = " ".join(plain_text(view, width).split())
    gone = text.partition("The terminal is too narrow for more columns: ")[2].partition(".")[0]
    assert [*rows(view, width)[0], *gone.split(", ")] == rows(view, 120)[0]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_rank_play_and_equity_are_whole_at_any_width(width: int) -> None:
    exact, shallow = gammon.Kind.EXACT, gammon.Kind.SHALLOW
    view = analysis_view(analysis([exact, exact, shallow], top=2))
    lines = plain_text(view, width).splitlines()
    ids = [line for line in lines if "GID=" in line]
    assert ids == [f"  {OPENING.xgid}", f"  {OPENING.ogid}"], "never broken"
    assert max(len(line) for line in lines if line not in ids) <= width
    assert f"Match ID: {OPENING.match_id}" in "\n".join(lines)
    whole = rows(view, 120)
    for row, every in zip(rows(view, width)[1:], whole[1:], strict=True):
        assert row == every[: len(row)]
        assert any(re.fullmatch(r"[+-]\d\.\d{4}", cell) for cell in row)
    assert "…" not in "".join(lines)
    assert {40: 4, 60: 8, 80: 10, 120: 10}[width] == len(rows(view, width)[0])


def test_long_plays_take_two_lines_rather_than_lose_a_letter() -> None:
    position = gammon.Position.parse("XGID=-----aBaB---aB---------aB-:0:0:1:11:0:0:0:0:10")
    play = max(gammon.legal_plays(position, (1, 1)), key=lambda each: len(each.notation))
    found = analysis([gammon.Kind.SHALLOW], 1)
    one = replace(found.candidates[0], play=play)
    view = analysis_view(replace(found, candidates=[one]))
    text = plain_text(view, 30)
    assert "…" not in text
    assert "+0.2000" in text
    assert set(play.notation.split()) <= set(text.split())
