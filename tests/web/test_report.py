"""The page as one file: what is inside, and that nothing else is."""

import json
import re
from posixpath import dirname, join, normpath
from typing import Any

import pytest

from gammon.view import to_json
from gammon_study.library.export import StudiedChoice
from gammon_study.reviews.choice import Choice
from gammon_study.reviews.review import Review, review
from gammon_web.report import page_of, report_page
from gammon_web.shell import STATIC
from tests.matches import HAND
from tests.pages import inside

EVIL = '</script><script>alert(1)</script><!-- "\\'


@pytest.fixture(scope="module")
def hand() -> Review:
    return review(HAND, depth=1)


def test_a_review_is_inside(hand: Review) -> None:
    found = inside(page_of(hand, 1))
    assert found.pop("player") == 1
    assert found == json.loads(json.dumps(to_json(hand)))


def studied(choice: Choice, **changes: Any) -> StudiedChoice:
    known = StudiedChoice(
        choice, None, "Wins less.", ("prime",), ("Ann", "Bob"), "Ann against Bob, game 2"
    )
    return known._replace(**changes)


def test_errors_are_inside(hand: Review) -> None:
    worst = hand.worst(most=2)
    found = inside(page_of([studied(each) for each in worst]))
    assert found["title"] == "2 errors"
    for one, choice in zip(found["choices"], worst, strict=True):
        assert (one["xgid"], one["best"]) == (choice.xgid, choice.best)
        assert one["plays"] == json.loads(json.dumps([p._asdict() for p in choice.plays]))
        assert (one["why"], one["themes"], one["names"]) == (
            "Wins less.", ["prime"], ["Ann", "Bob"],
        )  # fmt: skip
    assert inside(page_of([studied(worst[0])]))["title"] == "1 error"


def test_texts_of_strangers_are_texts(hand: Review) -> None:
    page = page_of([studied(hand.choices[0], names=(EVIL, EVIL), why=EVIL)])
    assert inside(page)["choices"][0]["why"] == EVIL
    assert page.count("<script") == page.count("</script>") == 2


#: Words that load something: `@import` of a style sheet, not that of a type in a comment.
LOADED = r'https?:|\bsrc="static|href="static|@import (?!\{)|url\((?!data:)'


def test_it_needs_nothing_else() -> None:
    page = report_page()
    head = page.partition("<body>")[0].replace("http://www.w3.org/2000/svg", "")
    assert not re.search(LOADED, head)
    assert re.findall(r'(?:src|href)="(?!data:)([^"]*)"', page) == ["./"]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "unsafe" not in policy[1]
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")


def test_it_has_its_modules_behind_those_that_they_need() -> None:
    page = report_page()
    made = re.findall(r'^modules\["([^"]+)"\] = ', page, re.MULTILINE)
    assert made[-1] == "js/report.js"
    assert {"js/review.js", "js/decisions.js", "board/gammon-board.js"} <= set(made)
    assert not {"js/play.js", "js/analyze.js", "engine/worker.js"} & set(made)
    assert len(made) == len(set(made))
    for at, name in enumerate(made):
        text = (STATIC / name).read_text()
        for other in re.findall(r'^(?:im|ex)port .*"(\.[^"]+)";$', text, re.MULTILINE):
            assert made.index(normpath(join(dirname(name), other))) < at
