"""The library of the page without a server: it answers what the server's library answers."""

import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gammon_study.library.library import Library
from gammon_study.library.matches import match_list
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.transcript import Transcript
from gammon_web.app import make_app
from gammon_web.guard import Names
from gammon_web.limits import Limits
from tests.engine.commands.program import run
from tests.matches import HAND, SAMPLE, SAMPLE_XG, random_match
from tests.web.asking import API, ask, post
from tests.web.sites import Engine, Question, differs

#: Matches to 3 points, for money on a day of its own, and to 5 points.
KEPT = (
    HAND.read_text(),
    '; [EventDate "2026.11.2"]\n\n' + format_mat(random_match(0, 86)),
    SAMPLE.read_text(),
)


def kept(text: str, name: str, **more: Any) -> Question:
    """The question that adds a match."""
    body = json.dumps({"file": name, "data": b64encode(text.encode()).decode()})
    return ("stream", "library/add", {"body": body, "depth": 1, **more})


def selections() -> Iterator[dict[str, Any]]:
    for player in ({}, {"player": "ann"}, {"opponent": "Bob"}):
        yield from ({**player, **more} for more in ({}, {"length": 0}, {"since": "2026-11", "until": "2026"}))


def of_library() -> list[Question]:
    """Questions about a library: matches, groups, trends and errors of several selections."""
    found: list[Question] = []
    for few in selections():
        found.append(("get", "library/matches", few))
        for by in ("all", "player", "opponent", "year", "length", "match", "analysis", "kind", "theme"):
            found.append(("get", "study/stats", {**few, "by": by}))
        for part in ({}, {"theme": "race"}, {"kind": "cube"}, {"theme": "wrong double"}):
            found.append(("get", "study/stats", {**few, **part, "by": "player"}))
            found.append(("get", "study/trend", {**few, **part}))
            found.append(("get", "study/errors", {**few, **part, "count": 9}))
    found.append(("get", "study/errors", {"least": 0.01, "most": 0.2, "score": "3-5", "begin": 1}))
    return found


#: Entries that the page's library has not, or otherwise: it shows no intervals, and has digests of its own.
_OWN = ("interval", "digest", "file", "added")


def without(answer: Any, names: tuple[str, ...] = _OWN) -> Any:
    if isinstance(answer, list):
        return [without(part, names) for part in answer]
    if isinstance(answer, dict):
        return {name: without(value, names) for name, value in answer.items() if name not in names}
    return answer


def test_its_library_answers_as_that_of_the_server(engine: Engine, tmp_path: Path) -> None:
    limits = Limits(depth=5, library=tmp_path / "library.db", editable=True)
    app, _ = make_app(limits, Names())
    names = "abc"
    for name, text in zip(names, KEPT, strict=True):
        post(f"{API}/library/add?depth=1", {"file": name, "data": b64encode(text.encode()).decode()}, app=app)
    post(f"{API}/library/rename", {"player": "gnubg", "name": "GNU"}, app=app)
    every = of_library()
    own = engine(
        questions=[
            *(kept(text, name) for name, text in zip(names, KEPT, strict=True)),
            ("post", "library/rename", {"player": "gnubg", "name": "GNU"}),
            *every,
        ]
    )["answers"]
    assert [added[-1]["what"] for added in own[:3]] == ["reviewed"] * 3
    wrong = []
    for question, answer in zip(every, own[4:], strict=True):
        _, path, given = question
        answered = ask(f"{API}/{path}", app=app, **given)
        theirs = answered.json if answered.status == 200 else f"Refusal: {answered.error['code']}"
        wrong += [f"{question}: {each}" for each in differs(without(answer), without(theirs))]
    assert not wrong, "\n".join(wrong[:40])


def test_its_library_has_each_match_once_and_keeps_out_what_was_removed(engine: Engine) -> None:
    whole = HAND.read_text()
    begun, *_ = whole.partition("Game 2")
    assert begun != whole
    first, *questions = kept(begun, "a"), kept(whole, "b"), kept(begun, "c")
    listed = ("get", "library/matches", {})
    names = {"player": "ann", "name": "Jo"}
    rename = ("post", "library/rename", names)
    both = kept(whole.replace("Bob", "Jo"), "e")  # its players would have one name
    asked = [first, *questions, rename, listed, both, listed]
    *added, renamed, matches, _, after = engine(questions=asked)["answers"]
    assert [fate[-1]["what"] for fate in added] == ["reviewed", "continued", "already there"]
    assert renamed == {"matches": 1}
    (match,) = matches["matches"]
    assert match["players"] == ["Jo", "Bob"]
    assert [each["players"] for each in after["matches"]] == [["Jo", "Bob"], ["Ann", "Jo"]]
    gone = {"digest": match["digest"]}
    removed = [("post", "library/remove", gone), *questions, kept(whole, "d", again=True)]
    none = ("post", "library/remove", {"digest": "0"})
    nameless = ("post", "library/rename", names | {"name": " "})
    last = ("get", "library/match", gone)
    answers = engine(questions=[first, questions[0], *removed, none, nameless, last])["answers"]
    assert [fate[-1]["what"] for fate in answers[3:6]] == ["removed before", "reviewed", "continued"]
    assert answers[6:8] == ["Refusal: not_found", "Refusal: invalid_request"]
    assert answers[8]["players"][0]["name"] == "Ann"


def test_its_library_is_saved_and_added_elsewhere(engine: Engine, tmp_path: Path) -> None:
    filled = [kept(text, f"{name}.mat") for name, text in zip("abc", KEPT, strict=True)]
    names = ("post", "library/rename", {"player": "ann", "name": "Jo"})
    listed = ("get", "library/matches", {})
    save = ("get", "library/save", {})
    *_, packed, own = engine(questions=[*filled, names, save, listed])["answers"]
    merge = ("post", "library/merge", {"packed": packed})
    lacking = b64encode(gzip.compress(b'{"format": "gammon-library-1"}')).decode()
    bad = ("post", "library/merge", {"packed": lacking})
    cut = ("post", "library/merge", {"packed": packed[: len(packed) // 2 // 4 * 4]})
    refused, short, once, twice, taken = engine(questions=[bad, cut, merge, merge, listed])["answers"]
    assert refused == short == "Refusal: invalid_request"
    assert (once, twice) == ({"matches": 3, "left": 0}, {"matches": 0, "left": 0})
    assert without(taken) == without(own)
    file, library = tmp_path / "gammon-library.json.gz", tmp_path / "library.db"
    file.write_bytes(b64decode(packed))
    added = run("study", "add", str(file), "--library", str(library), "--depth", "1")
    assert added.output.startswith("3 reviewed;")
    with Library(library) as opened:
        assert match_list(opened).number == 3
    file.write_bytes(b64decode(packed)[:-9000])
    cut_off = run("study", "add", str(file), "--library", str(library))
    assert cut_off.exit_code == 1
    assert "expected a library that the page without a server saved" in cut_off.output


def test_damage_in_a_saved_library_is_left_out(engine: Engine) -> None:
    """Damaged matches are left out, and the library answers all questions afterwards."""
    filled = [kept(text, name) for name, text in zip("abc", KEPT, strict=True)]
    listed = ("get", "library/matches", {})
    *_, packed = engine(questions=[*filled, ("get", "library/save", {})])["answers"]

    def merge(**changes: Any) -> Question:
        library = json.loads(gzip.decompress(b64decode(packed))) | changes
        data = gzip.compress(json.dumps(library).encode())
        return ("post", "library/merge", {"packed": b64encode(data).decode()})

    first, second, third = json.loads(gzip.decompress(b64decode(packed)))["matches"]
    odd: list[Any] = [None, 5, {}, {"file": "a"}, first | {"text": "no match"}]
    odd += [
        first | {"review": first["review"] | changed}
        for changed in (
            {"schema_version": 1},
            {"games": 5},
            {"players": first["review"]["players"][:1]},
            *(
                {"choices": [first["review"]["choices"][0] | wrong]}
                for wrong in ({"themes": [5]}, {"themes": 5}, {"counted": None}, {"xgid": "x"}, {"player": 2})
            ),
        )
    ]
    names = {"ann": 5, "amberdice01": "", "jade1": "J\u202e", "x": "y" * 101}
    answers = engine(
        questions=[
            merge(matches=[*odd, third], called=names, removed=[5, "none"]),
            merge(matches=[second, *odd], called={"jade1": "other"}, removed=5),
            listed,
            ("get", "study/stats", {"by": "theme", "player": "J"}),
            ("get", "study/errors", {}),
        ]
    )["answers"]
    assert answers[:2] == [{"matches": 1, "left": len(odd)}] * 2
    players = {name for match in answers[2]["matches"] for name in match["players"]}
    assert {"Amberdice01", "J"} < players
    assert answers[3]["groups"] and answers[4]["count"] > 10


def swapped(match: Transcript) -> Transcript:
    """The match with the other player on the left."""
    games = tuple(
        replace(
            game,
            score=game.score._replace(points=game.score.points[::-1]),
            actions=tuple(action._replace(side=1 - action.side) for action in game.actions),
            winner=None if game.winner is None else 1 - game.winner,
        )
        for game in match.games
    )
    return replace(match, players=match.players[::-1], games=games)


def test_its_library_knows_matches_and_names_as_the_terminal_does(engine: Engine) -> None:
    """Sides swapped, dice in another order, and names that objects of JavaScript have."""
    text = HAND.read_text()
    other = text.replace("23: 24/21 6/4", "32: 24/21 6/4")
    assert other != text
    named = text.replace("Ann", "constructor").replace("Bob", "__proto__")
    answers = engine(
        questions=[
            kept(text, "a"),
            kept(other, "b"),
            kept(named, "c"),
            ("get", "library/matches", {}),
            ("get", "library/matches", {"since": "2026-1"}),
            ("get", "library/matches", {"until": "2026-02-30"}),
            ("get", "study/stats", {"by": "theme", "length": "x"}),
            ("get", "study/errors", {"least": "0,05"}),
            kept(text.replace("2026.02.03", "2026.02.30").replace("Ann", "Eve"), "d"),
            ("get", "library/matches", {"player": "eve"}),
            kept(format_mat(swapped(parse_mat(text))), "e"),
        ]
    )["answers"]
    whats = [fate[-1]["what"] for fate in (*answers[:3], answers[-1])]
    assert whats == ["reviewed", "already there", "reviewed", "already there"]
    players = [match["players"] for match in answers[3]["matches"]]
    assert players == [["Ann", "Bob"], ["constructor", "__proto__"]]
    assert answers[4:8] == ["Refusal: invalid_request"] * 4
    assert answers[9]["matches"][0]["played"] is None


def test_its_library_stays_in_the_browser(page: Any, tmp_path: Path) -> None:
    """Match files are added, listed, opened and removed; a new visit and a saved file have them."""
    tab = page.get_by_role("tab", name="Study")
    tab.click()
    page.get_by_label("Files").set_input_files([HAND, SAMPLE_XG])
    page.get_by_text("1 of 2 files added to your library.").first.wait_for()
    page.get_by_text("sample.xg is left out: Without a server").wait_for()
    page.reload()
    tab.click()
    page.get_by_role("button", name="Matches").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the library").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    page.get_by_role("button", name="Ann – Bob", exact=True).click()
    page.get_by_role("heading", name="Ann and Bob, match to 3").wait_for()
    tab.click()
    page.get_by_role("button", name="Matches").click()
    page.get_by_role("button", name="Remove").click()
    page.locator("dialog").get_by_role("button", name="Remove").click()
    page.get_by_text("0 matches.").wait_for()
    page.get_by_label("Add a saved library").set_input_files(file)
    page.get_by_text("0 matches added.").first.wait_for()  # the person has removed it
