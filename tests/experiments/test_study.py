"""A study: its units and matches, and how far it is."""

from pathlib import Path

from gammon.experiments.study import Study
from gammon.match.match import MatchSettings
from gammon.match.player import Player


def double(unit):
    return 2 * unit["number"]


def test_parts_of_a_study_tell_of_the_whole(tmp_path):
    seen = []
    study = Study(tmp_path, on_done=lambda done, total: seen.append((done, total)))
    assert list(study.part(0, 9).steps("ab")) == ["a", "b"]
    units = [{"number": number} for number in range(3)]
    assert study.part(2, 9).run(double, units, "units") == [0, 2, 4]
    told = []
    match = MatchSettings(
        Player(1), Player(1, noise=0.1), 4, Path("match"),
        on_result=lambda result: told.append((result.matches, len(seen))),
    )  # fmt: skip
    result = study.part(5, 9).play(match)
    assert result.matches == 4
    assert told == [(4, len(seen) - 1)], "the match is heard first"
    assert seen == [*((done, 9) for done in (0, 1, 2, 2, 3, 4, 5)), (9, 9)]
    assert (tmp_path / "match" / "games.jsonl").exists()

    seen.clear()
    assert study.run(double, units, "units") == [0, 2, 4]
    assert seen == [(3, 3)], "nothing is done again"
    fits = study.run(double, units, "units", lambda unit, result: result != 2)
    assert fits == [0, 2, 4]
    assert seen[1:] == [(2, 3), (3, 3)], "what cannot be a result is made again"
