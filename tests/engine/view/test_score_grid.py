"""The cube by score, as a table."""

import re
from dataclasses import replace

import gammon
from gammon.view.plain import plain_text
from gammon.view.score_grid import play_grid_view, score_grid_view

POSITION = gammon.Position.parse("XGID=-a-B--C-B-a-dDB--bBbcb----:0:0:1:00:0:0:0:0:10")
NUMBER = r"[+-]?\d\.\d{4}"


def test_cells_say_action_answer_and_gain() -> None:
    grid = gammon.Engine(depth=1).cube_by_score(POSITION, 3)
    lines = plain_text(score_grid_view(grid), 100).splitlines()
    head = next(number for number, line in enumerate(lines) if "X needs" in line)
    rows = [line.split() for line in lines[head + 1 : head + 4]]
    assert rows[0] == ["1", "-", "-", "-"], "the leader needs no cube"
    letters = {"no double": "N", "double": "D", "too good to double": "T"}
    for own, row in enumerate(rows[1:], 2):
        for their in (1, 2, 3):
            found = grid.scores[own, their]
            assert found.answer is not None
            code, gain = row[2 * their - 1 : 2 * their + 1]
            assert code == letters[found.action] + found.answer[0]
            assert gain == f"{found.gain:+.2f}"
    assert any(line.split()[:1] == ["gammon-save"] for line in lines)
    assert str(grid) == plain_text(score_grid_view(grid))
    words = "At dmp, gammon-go and gammon-save the cube is centred."
    assert words not in str(grid)
    owned = POSITION.with_terms(gammon.Terms(cube=2, owner=1))
    assert words in str(gammon.Engine(depth=1).cube_by_score(owned, 1))


def test_narrow_tables_name_what_is_missing() -> None:
    grid = gammon.Engine(depth=1).cube_by_score(POSITION, 7)
    assert "too narrow for more columns: O" in " ".join(
        plain_text(score_grid_view(grid), 60).split()
    )


def test_best_plays_are_letters() -> None:
    grid = gammon.Engine(depth=1).plays_by_score(gammon.Position.opening(), (2, 1), 3)
    lines = plain_text(play_grid_view(grid), 100).splitlines()
    head = next(number for number, line in enumerate(lines) if "X needs" in line)
    for own, line in enumerate(lines[head + 1 : head + 4], 1):
        plays = [grid.scores[own, their].candidates[0].play.notation for their in (1, 2, 3)]
        assert line.split() == [str(own), *("AB"[grid.plays.index(play)] for play in plays)]
    assert f"A {grid.plays[0]}" in "\n".join(lines)
    (save,) = [line for line in lines if line.split()[:1] == ["gammon-save"]]
    assert save.split()[1] in "AB"
    assert str(grid) == plain_text(play_grid_view(grid))


def test_the_places_of_the_cube_are_rows() -> None:
    opening = gammon.Position.opening()
    asked = gammon.Question(position=opening, dice=(2, 1), owners=True, depth=1)
    grid = gammon.Engine().answer(asked)
    assert isinstance(grid, gammon.PlayGrid)
    text = str(grid)
    assert "by the cube's place" in text
    assert "needs" not in text
    for name, found in grid.named.items():
        (row,) = [line for line in text.splitlines() if line.split()[:1] == [name]]
        assert f"{found.candidates[0].equity:+.4f}" in row
    assert "cube-mine" in grid._repr_html_()


def test_the_places_of_the_cube_are_whole_at_any_width() -> None:
    engine, opening = gammon.Engine(depth=1), gammon.Position.opening()
    asked = gammon.Question(position=opening, owners=True)
    cube = engine.answer(asked)
    plays = engine.answer(replace(asked, dice=(1, 1)))
    assert isinstance(cube, gammon.ScoreGrid)
    assert isinstance(plays, gammon.PlayGrid)
    for view in (score_grid_view(cube), play_grid_view(plays)):
        numbers = re.findall(NUMBER, plain_text(view))
        assert len(numbers) >= 5
        for width in (40, 60):
            text = plain_text(view, width)
            assert "…" not in text
            assert re.findall(NUMBER, text) == numbers


def test_it_says_whose_values_they_are_and_if_depths_differ() -> None:
    grid = gammon.Engine(strength=25).cube_by_score(POSITION, 1)
    assert "in the eyes of a player of PR 25" in str(grid)
    assert "some deeper" not in str(grid)
    named = grid.named | {"money": replace(grid.named["money"], depth=3, errs="")}
    mixed = " ".join(str(replace(grid, named=named)).split())
    assert "static, without a search, some deeper" in mixed


def test_it_says_how_far_values_are_exact_as_a_single_answer_does() -> None:
    opening = gammon.Position.opening()
    for settings, words in (
        ({"depth": 3}, "exact to depth 3 ("),
        ({"depth": 3, "move_filter": "tiny"}, "exact within the filter to depth 3 ("),
    ):
        engine = gammon.Engine(**settings)
        for answer in (
            engine.cube(opening), engine.cube_by_score(opening, 1),
            engine.analyze(opening, (2, 1)), engine.plays_by_score(opening, (2, 1), 1),
        ):  # fmt: skip
            assert words in str(answer)
    shallow = gammon.Engine(depth=1)
    for found in (shallow.cube(opening), shallow.cube_by_score(opening, 1)):
        assert "static, without a search" in str(found)
        assert "exact to" not in str(found)
    grid = shallow.plays_by_score(opening, (2, 1), 1)
    assert "exact to depth 1 (" in str(grid)
