"""The library of matches, as the page asks for it."""

import json
import sqlite3
from base64 import b64encode
from contextlib import closing
from pathlib import Path
from shutil import copy
from threading import Semaphore, Thread
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from gammon.view import to_json
from gammon_study.library.library import Library
from gammon_study.library.matches import match_list, rename_player, stored_review
from gammon_study.library.selection import Selection
from gammon_study.library.stats import largest_errors, statistics, trend_of
from gammon_web import study
from gammon_web.answers import json_bytes
from gammon_web.app import make_app
from gammon_web.guard import Names
from gammon_web.limits import Limits
from tests.engine.commands.program import run
from tests.matches import HAND, SAMPLE
from tests.processes import serving
from tests.study.library.libraries import FILES
from tests.web.asking import API, Answer, ask, post

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


@pytest.fixture(scope="module")
def app(library: Path) -> Any:
    return make_app(Limits(depth=3, library=library), Names())[0]


def test_statistics(app: Any, library: Path) -> None:
    found = ask(f"{API}/study/stats", app=app).json
    assert found["by"] == "player"
    assert {"Ann", "Bob", "gnubg"} <= {each["name"] for each in found["groups"]}
    with Library(library) as opened:
        expected = to_json(statistics(opened, Selection(), "player"))
        assert found == json.loads(json.dumps(expected))
    of_ann = ask(f"{API}/study/stats", app=app, by="theme", player="ANN").json
    assert of_ann["groups"]
    assert all(each["matches"] == 1 for each in of_ann["groups"])


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"player": "gnubg"},
        {"theme": "race"},
        {"kind": "cube", "least": 0.1},
        {"most": 0.05, "length": 5, "board": "6=2+"},
    ],
)
def test_errors_are_those_of_the_command(app: Any, library: Path, asked: Any) -> None:
    with Library(library) as opened:
        wanted, count, lost = largest_errors(opened, Selection(**asked), 7)
    found = ask(f"{API}/study/errors", app=app, count=7, **asked).json
    assert (found["count"], found["total_error"]) == (count, lost)
    assert len(found["choices"]) == len(wanted)
    for each, error in zip(found["choices"], wanted, strict=True):
        assert (each["xgid"], each["made"], each["best"]) == (error.xgid, error.made, error.best)
        assert (each["explanation"], each["themes"]) == (error.explanation, [*error.themes])
        assert each["names"][each["player"]] == error.player


def test_errors_come_without_the_reviews_of_many_matches(app: Any) -> None:
    """Whoever asks for one of them has its review."""
    whole = ask(f"{API}/study/errors", app=app, count=40).json["choices"]
    some = ask(f"{API}/study/errors", app=app, count=40, reviews=1).json["choices"]
    left_out = {"counted": True, "active": True, "depth": 0, "values": None, "chances": None, "plays": []}
    read = [each["names"] == whole[0]["names"] for each in whole]
    assert 0 < sum(read) < len(read)
    for each, choice, is_read in zip(some, whole, read, strict=True):
        assert each == (choice if is_read else choice | left_out)
    at = read.index(False)
    (alone,) = ask(f"{API}/study/errors", app=app, begin=at, count=1, reviews=1).json["choices"]
    assert alone == whole[at]


@pytest.mark.parametrize(
    ("path", "asked", "words"),
    [
        ("stats", {"by": "colour"}, "colour"),
        ("errors", {"since": "soon"}, "expected a day"),
        ("errors", {"board": "99=1"}, "99=1"),
        ("errors", {"thme": "race"}, "did you mean theme?"),
        ("card", {"deck": "x"}, "'x'"),
        ("plan", {}, "player: expected a name"),
        ("plan", {"player": "Ann", "theme": "race"}, "'theme' is not a parameter here"),
        ("errors", {"player": "\0"}, "player: expected a text"),
        ("stats", {"least": 0.1}, "'least' is not a parameter here"),
        ("stats", {"board": "6=2+"}, "'board' is not a parameter here"),
    ],
)
def test_what_is_no_question_is_refused(app: Any, path: str, asked: Any, words: str) -> None:
    found = ask(f"{API}/study/{path}", app=app, **asked)
    assert found.status == 400
    assert words in found.error["message"]


@pytest.mark.parametrize(("path", "field"), [("stats", "by"), ("card", "deck")])
def test_a_name_that_is_none_is_refused_by_its_parameter(app: Any, path: str, field: str) -> None:
    assert ask(f"{API}/study/{path}", app=app, **{field: "x"}).error["field"] == field


def test_a_server_without_a_library_says_so() -> None:
    found = ask(f"{API}/study/errors")
    assert found.status == 404
    assert "gammon serve --library" in found.error["message"]
    assert ask("/health").json["library"] is False


def test_a_library_that_is_gone_or_damaged_gets_one_error(tmp_path: Path) -> None:
    told: list[str] = []
    path = tmp_path / "library.db"
    app = make_app(Limits(library=path), Names(), tell=told.append)[0]
    found = ask(f"{API}/study/errors", app=app)
    assert (found.status, found.error["code"], told) == (404, "not_found", [])
    path.write_text("Dear diary, " * 200)
    found = ask(f"{API}/study/errors", app=app)
    assert (found.status, found.error["code"]) == (500, "internal")
    assert told == [f"GammonError: {found.error['message']}"]


def test_a_locked_library_is_busy_and_holds_up_nothing_else(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(Limits(library=own), Names())[0]
    inside = Semaphore(0)

    def opened(path: Path, make: bool, patience: float) -> Library:
        inside.release()
        return Library(path, make, patience)

    monkeypatch.setattr(study, "Library", opened)
    found: list[Answer] = []

    def stats() -> None:
        found.append(ask(f"{API}/study/stats", app=app))

    waiting = [Thread(target=stats) for _ in range(2)]  # as many as there are threads
    with closing(sqlite3.connect(own, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for each in waiting:
            each.start()
        assert inside.acquire(timeout=10)
        assert inside.acquire(timeout=10)
        assert ask(f"{API}/position?id=4HPwATDgc/ABMA", app=app).status == 200
        assert found == []
        for each in waiting:
            each.join()
    for each in found:
        assert (each.status, each.error["code"]) == (503, "busy")
        assert each.headers["retry-after"] == "1"
    assert ask(f"{API}/study/stats", app=app).status == 200


@pytest.fixture
def own(library: Path, tmp_path: Path) -> Path:
    """A library that a test may change."""
    return Path(copy(library, tmp_path / "own.db"))


def test_a_trend_is_that_of_the_command(app: Any, library: Path) -> None:
    with Library(library) as opened:
        expected = trend_of(opened, Selection(player="gnubg"))
    found = ask(f"{API}/study/trend", app=app, player="gnubg").json
    assert [tuple(each.values()) for each in found] == [tuple(each) for each in expected]
    assert found


def test_a_plan_is_that_of_the_command(own: Path) -> None:
    app = make_app(Limits(library=own), Names())[0]
    with Library(own) as opened:
        for name in ("gnubg", "Jade1"):
            rename_player(opened, name, "Ann")
    for asked in ({"player": "Ann"}, {"player": "Bob", "length": 3}, {"player": "Ann", "since": "2026-02"}):
        options = [word for name, value in asked.items() for word in (f"--{name}", str(value))]
        command = run("study", "plan", "--json", "--library", str(own), *options)
        plan = ask(f"{API}/study/plan", app=app, **asked).json
        assert plan == json.loads(command.stdout)
        has_intervals = {theme["recoverable"] is not None for theme in plan["themes"]}
        assert has_intervals == ({True, False} if plan["matches"] == 3 else {False})
    with Library(own) as opened:
        opened.ask("UPDATE match SET rules = rules - 1")
    refused = ask(f"{API}/study/plan", app=app, player="Ann")
    assert refused.status == 400
    assert refused.error["message"].endswith("`gammon study list` brings them up to date")
    # A server brings them up to date when it starts.
    target = f"{API[1:]}/study/plan?player=Bob"
    with serving("--library", str(own)) as address, urlopen(address + target) as answer:
        assert json.load(answer)["matches"] == 1


def test_progress_is_that_of_the_command(app: Any, library: Path) -> None:
    asked = {"player": "gnubg", "theme": "race", "day": "2026-01-15"}
    options = [word for name, value in asked.items() for word in (f"--{name}", value)]
    command = run("study", "progress", "--json", "--library", str(library), *options)
    progress = ask(f"{API}/study/progress", app=app, **asked).json
    assert progress == json.loads(command.stdout)
    assert progress["before"]["matches"] + progress["after"]["matches"] == 1
    refused = ask(f"{API}/study/progress", app=app, player="gnubg", theme="race")
    assert refused.status == 400
    assert refused.error["message"] == "day: expected one, as no card with such an error was answered yet"


def test_matches_are_listed_and_opened_as_by_the_commands(app: Any, library: Path) -> None:
    with Library(library) as opened:
        for asked in ({}, {"player": "gnubg"}, {"length": 5, "until": "2026"}):
            expected = to_json(match_list(opened, Selection(**asked)))
            listed = ask(f"{API}/library/matches", app=app, **asked).json
            assert listed == json.loads(json_bytes(expected))
        for row in ask(f"{API}/library/matches", app=app).json["matches"]:
            found = ask(f"{API}/library/match", app=app, digest=row["digest"]).json
            assert found == json.loads(json_bytes(to_json(stored_review(opened, row["match"]).review)))
    gone = ask(f"{API}/library/match", app=app, digest="0" * 64)
    assert (gone.status, gone.error["code"], gone.error["field"]) == (404, "not_found", "digest")
    assert ask(f"{API}/library/match", app=app).status == 400


def test_matches_are_removed_and_players_renamed(own: Path) -> None:
    app = make_app(Limits(depth=3, library=own), Names())[0]
    first, *others = ask(f"{API}/library/matches", app=app).json["matches"]
    removed = post(f"{API}/library/remove", {"digest": first["digest"]}, app=app)
    assert removed.json == {"matches": 1}
    assert ask(f"{API}/library/matches", app=app).json["matches"] == others
    assert post(f"{API}/library/remove", {"digest": first["digest"]}, app=app).status == 404
    with Library(own) as opened:
        assert opened.was_removed(first["digest"])
    # A match that was removed comes again only if that is asked for.
    file = next(file for file in FILES if str(file) == first["file"])
    assert dict(added(app, file, depth=1).events)["added"]["what"] == "removed before"
    assert dict(added(app, file, depth=1, again=1).events)["added"]["what"] == "reviewed"
    renamed = post(f"{API}/library/rename", {"player": "GNUBG", "name": "gnu"}, app=app).json
    names = [group["name"] for group in ask(f"{API}/study/stats", app=app).json["groups"]]
    assert renamed["matches"] > 0
    assert "gnu" in names
    assert "gnubg" not in names
    for body, words in (
        ({"player": "nobody", "name": "x"}, "player 'nobody': no match has this player"),
        ({"player": "gnu", "name": " "}, "name ''"),
        ({"player": "gnu", "name": 3}, "name 3: expected a text"),
    ):
        refused = post(f"{API}/library/rename", body, app=app)
        assert refused.status == 400
        assert refused.error["message"].startswith(words)
    shared = make_app(Limits(library=own, editable=False), Names())[0]
    assert post(f"{API}/library/rename", {"player": "gnu", "name": "x"}, app=shared).status == 403
    assert post(f"{API}/library/remove", {"digest": others[0]["digest"]}, app=shared).status == 403


def added(app: Any, path: Path, **parameters: Any) -> Answer:
    body = {"file": path.name, "data": b64encode(path.read_bytes()).decode()}
    return post(f"{API}/library/add?{urlencode(parameters)}", body, app=app)


def test_a_match_that_was_reviewed_is_added_without_another_search(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new" / "library.db"
    app = make_app(Limits(depth=3, library=path), Names())[0]
    assert ask(f"{API}/review?depth=1", HAND.read_bytes(), app=app).status == 200
    monkeypatch.setattr("gammon_study.reviews.review.review_unit", None)
    events = added(app, HAND, depth=1).events
    assert [name for name, _ in events][-2:] == ["added", "done"]
    assert {name for name, _ in events[:-2]} == {"progress"}
    assert dict(events)["added"] == {"file": HAND.name, "what": "reviewed", "detail": "gammon, depth 1"}
    assert dict(added(app, HAND, depth=1).events)["added"]["what"] == "already there"
    everything = "SELECT digest, side, name, rolls, luck FROM match JOIN side ON id = match"
    with Library(path) as opened, Library(library) as expected:
        rows = opened.ask(everything)
        assert rows == [row for row in expected.ask(everything) if row["digest"] == rows[0]["digest"]]


def test_a_file_that_is_no_match_is_left_out(own: Path) -> None:
    app = make_app(Limits(library=own), Names())[0]
    before = own.read_bytes()
    body = {"file": "diary.mat", "data": b64encode(b"Dear diary").decode()}
    fate = dict(post(f"{API}/library/add", body, app=app).events)["added"]
    assert (fate["file"], fate["what"]) == ("diary.mat", "left out")
    refused = post(f"{API}/library/add", body | {"data": "%%%"}, app=app)
    assert (refused.status, refused.error["field"]) == (400, "data")
    shared = make_app(Limits(library=own, editable=False), Names())[0]
    assert added(shared, SAMPLE).status == 403
    assert ask("/health", app=shared).json["editable"] is False
    assert own.read_bytes() == before


def answered(app: Any, answer: object, **card: Any) -> Answer:
    given = {"ask": "play", "xgid": OPENING, "deck": "openings", "note": ""} | card
    return post(f"{API}/study/answer", given | {"answer": answer}, app=app)


def test_cards_are_answered(own: Path) -> None:
    app = make_app(Limits(depth=1, library=own), Names())[0]
    right = answered(app, "8/5 6/5").json
    assert (right["grade"], right["right"]) == (3, None)
    assert right["choice"]["made"] == right["choice"]["best"] == "8/5 6/5"
    assert right["days"] > 0
    wrong = answered(app, "24/23 13/10", xgid=OPENING.replace("31", "13")).json
    assert wrong["grade"] == 1
    assert wrong["choice"]["error"] > 0.03
    assert wrong["choice"]["explanation"]
    pips = answered(app, "160", ask="pips", deck="races").json
    assert (pips["grade"], pips["right"], pips["choice"]) == (1, 167.0, None)
    # All decks have their turn, and a card that waits comes before a new one.
    decks = set()
    for number in range(5):
        card = ask(f"{API}/study/card", app=app, seed=3).json
        assert card["question"].count("?") == 1
        decks.add(card["deck"])
        due = card.pop("due"), card.pop("question")
        assert due[0] == 0
        assert card.pop("today") == 3 + number
        assert answered(app, "?", **card).json["grade"] == 1
    assert len(decks) == 5
    only = ask(f"{API}/study/card", app=app, deck="replies").json
    assert only["deck"] == "replies"


@pytest.mark.parametrize(
    ("answer", "card", "words"),
    [
        ("8/2", {}, "8/2"),
        ("", {}, ""),
        ("x", {"ask": "double"}, "n for no double"),
        ("many", {"ask": "pips"}, "expected a number"),
        ("8/5", {"xgid": 3}, "xgid"),
        ("8/5", {"xgid": "XGID=nothing"}, ""),
        ("8/5", {"ask": "why"}, "'why'"),
        ("8/5", {"deck": "x"}, "'x'"),
        ("8/5", {"xgid": OPENING.replace("31", "00")}, ""),
        ("?", {"xgid": OPENING.replace("31", "00")}, ""),
        ("7", {"ask": "epc"}, ""),
    ],
)
def test_what_is_no_answer_is_refused(app: Any, answer: str, card: Any, words: str) -> None:
    found = answered(app, answer, **card)
    assert found.status == 400
    assert words in found.error["message"]


@pytest.mark.parametrize("answer", [None, ["8/5 6/5"], 167, {}, True])
def test_an_answer_is_a_text(app: Any, answer: object) -> None:
    for card in ({}, {"ask": "pips"}):
        found = answered(app, answer, **card)
        assert (found.status, found.error["field"]) == (400, "answer")
        assert "expected a text" in found.error["message"]


@pytest.mark.parametrize(
    ("field", "card"),
    [
        ("ask", {"ask": "why"}),
        ("deck", {"deck": "x"}),
        ("xgid", {"ask": "epc"}),
        ("xgid", {"ask": "double", "xgid": OPENING.replace("0:0:1:31", "9:1:1:00")}),
    ],
)
def test_a_card_is_refused_by_its_entry(app: Any, field: str, card: Any) -> None:
    found = answered(app, "n" if "double" in card.values() else "7", **card)
    assert (found.status, found.error["field"]) == (400, field)


@pytest.mark.parametrize(
    ("xgid", "wanted"),
    [("XGID=nothing", ""), (OPENING.replace("31", "00"), "expected a position with a roll")],
)
def test_a_card_of_no_position_is_refused_by_its_xgid(app: Any, xgid: str, wanted: str) -> None:
    found = answered(app, "8/5", xgid=xgid)
    assert (found.status, found.error["field"]) == (400, "xgid")
    assert wanted in found.error["message"]


# Notes on positions.


@pytest.fixture
def noted(library: Path, tmp_path: Path) -> Any:
    """The app of a library of its own, which may be changed."""
    own = Path(copy(library, tmp_path / "own.db"))
    return make_app(Limits(depth=3, library=own, editable=True), Names())[0]


def test_notes_are_written_and_found(noted: Any) -> None:
    before = ask(f"{API}/study/notes", app=noted).json["notes"]
    assert all(note["match"] is not None for note in before), "remarks of the match files"
    body = {"xgid": OPENING, "text": "make the 5 point", "tags": ["book", "easy"]}
    written = post(f"{API}/study/note", body, app=noted).json
    assert (written["text"], written["tags"]) == (body["text"], body["tags"])
    for asked in (
        {"words": "5 POINT"}, {"tag": "book"}, {"place": OPENING}, {"board": "6=5 8=3", "words": "make"},
    ):  # fmt: skip
        assert ask(f"{API}/study/notes", app=noted, **asked).json["notes"] == [written], asked
    assert ask(f"{API}/study/notes", app=noted, words="4 point").json["notes"] == []
    # The tags replace those before.
    post(f"{API}/study/note", body | {"tags": ["easy"]}, app=noted)
    (changed,) = ask(f"{API}/study/notes", app=noted, tag="easy").json["notes"]
    assert changed["tags"] == ["easy"]
    assert ask(f"{API}/study/notes", app=noted, tag="book").json["notes"] == []
    post(f"{API}/study/note", {"xgid": OPENING, "tags": []}, app=noted)
    assert ask(f"{API}/study/notes", app=noted).json["notes"] == before


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"xgid": "nothing", "tags": []}, "xgid", "nothing"),
        ({"xgid": OPENING, "tags": "book"}, "tags", "expected texts"),
        ({"xgid": OPENING, "tags": [1]}, "tags", "expected texts"),
        ({"xgid": OPENING, "tags": ["a,b"]}, "tags", "no comma"),
        ({"xgid": OPENING, "text": "x" * 10_001, "tags": []}, "text", "at most 10,000 characters"),
        ({"xgid": OPENING, "text": 5, "tags": []}, "text", "expected a text"),
        ({"xgid": OPENING, "tags": [], "theme": "race"}, "theme", "not an entry here"),
    ],
)
def test_notes_that_are_refused(noted: Any, body: Any, field: str, words: str) -> None:
    refused = post(f"{API}/study/note", body, app=noted)
    assert refused.status == 400
    assert refused.json["error"]["field"] == field
    assert words in refused.json["error"]["message"]


def test_other_machines_cannot_write_notes(library: Path) -> None:
    app = make_app(Limits(depth=3, library=library, editable=False), Names())[0]
    refused = post(f"{API}/study/note", {"xgid": OPENING, "tags": ["book"]}, app=app)
    assert refused.status == 403
    assert refused.json["error"]["code"] == "forbidden_host"
