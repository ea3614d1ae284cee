"""A study: its units and matches, and how far it is."""

import json
from pathlib import Path

from gammon.match.match import MatchSettings
from gammon.match.player import Player
from gammon_lab.experiments.study import Study


def double(unit):
    return 2 * unit["number"]


def sums(unit):
    return [[unit["number"], number] for number in range(unit["number"])]


def names(unit):
    return () if unit["number"] == 4 else ("first", "second")


def test_numbers_have_names_in_the_file_alone(tmp_path):
    units = [{"number": number} for number in (0, 2, 4)]
    study, seen = Study(tmp_path), []
    expected = [sums(unit) for unit in units]

    def fits(unit, result):
        seen.append(result)
        return result == sums(unit)

    assert study.run(sums, units, "units", fits, names) == expected
    lines = (tmp_path / "units.jsonl").read_text().splitlines()
    assert [json.loads(line)["result"] for line in lines] == [
        [], [{"first": 2, "second": 0}, {"first": 2, "second": 1}], expected[2],
    ]  # fmt: skip
    assert study.run(sums, units, "units", fits, names) == expected
    assert seen == expected, "what the file has is checked without its names"
    assert len((tmp_path / "units.jsonl").read_text().splitlines()) == 3


def test_files_of_before_have_no_names_and_are_kept(tmp_path):
    units = [{"number": 1}, {"number": 3}]
    study = Study(tmp_path)
    study.run(sums, units, "units")
    before = (tmp_path / "units.jsonl").read_text()
    assert study.run(sums, units, "units", lambda unit, result: result == sums(unit), names)
    assert (tmp_path / "units.jsonl").read_text() == before


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
