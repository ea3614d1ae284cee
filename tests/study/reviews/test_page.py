"""The figures of docs/review.md that are ours."""

import re
from pathlib import Path

import pytest

import gammon_study

ROOT = Path(__file__).parents[3]
#: Rows of the page's table, and lines of a review.
ROWS = {
    "errors of plays, EMG": "Plays",
    "errors with the cube, EMG": "Cube",
    "GNU's rate": "GNU rate: all",
    "Snowie rate": "Snowie rate",
    "luck, EMG": "Luck",
    "result without luck, %": "Result, luck taken out",
}


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"[-+]?\d*\.\d+", text)]


@pytest.mark.parametrize(("depth", "column"), [(1, 2), (3, 4)])
def test_the_table_beside_gnu_backgammon_is_of_today(depth: int, column: int) -> None:
    review = gammon_study.review(
        ROOT / "tests" / "golden" / "matches" / "match5.mat", depth=depth
    )
    lines = [re.sub(r"\(.*?\)", "", line).strip() for line in str(review).splitlines()]
    page = (ROOT / "docs" / "review.md").read_text(encoding="utf-8").splitlines()
    for row, name in ROWS.items():
        said = next(line for line in page if line.startswith(f"| {row} |"))
        found = next(line for line in lines if line.startswith(name))
        assert numbers(said)[column : column + 2] == numbers(found), row
