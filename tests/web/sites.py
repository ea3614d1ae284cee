"""Questions that tests ask of the page without a server, and how two answers are compared."""

import json
from collections.abc import Callable
from typing import Any

from tests.web.asking import API, application, ask

Question = tuple[str, str, dict[str, Any]]
#: Asks the engine of the page without a server.
Engine = Callable[..., dict[str, Any]]

#: Asks the page's own interface; an error is its message.
ASK = """async (questions) => {
  const { get, post, stream } = await import("./static/js/api.js");
  const answers = [];
  for (const [how, path, asked] of questions) {
    const events = [];
    const answer = (data) => events.push(data);
    const heard = { answer, progress: (data) => (events[0] = data) };
    const { signal } = new AbortController();
    const streamed = async () => (await stream(path, asked, heard, signal), events);
    const asking = { get, post, stream: streamed }[how](path, asked);
    answers.push(await asking.catch((error) => `${error.name}: ${error.code}`));
  }
  return answers;
}"""

#: A match as the page knows it.
MATCH: dict[str, Any] = {
    "length": 3,
    "names": ["Ann", "gammon"],
    "date": "2026.11.25",
    "games": [
        {
            "score": [0, 0],
            "winner": 1,
            "points": 1,
            "actions": [
                {"player": 0, "dice": "31", "play": "8/5 6/5"},
                {"player": 1, "dice": "66", "play": "24/18(2) 13/7(2)"},
                {"player": 0, "dice": "44", "play": "24/16(2)"},
                {"player": 1, "do": "double"},
                {"player": 0, "do": "pass"},
            ],
        },
        {
            "score": [0, 1],
            "winner": 0,
            "points": 2,
            "actions": [
                {"player": 1, "dice": "21", "play": "13/11 6/5"},
                {"player": 0, "do": "double"},
                {"player": 1, "do": "take"},
                {"player": 0, "dice": "53", "play": "8/3 6/3"},
                {"player": 1, "do": "resign", "points": 1},
            ],
        },
    ],
}


def server_answer(question: Question) -> Any:
    """What the server answers; an error is its name and code. Of a stream, the events."""
    how, path, asked = question
    app, _ = application(depth=5)
    if how == "post":
        found = ask(f"{API}/{path}", json.dumps(asked).encode(), app=app)
    else:
        given = {name: value for name, value in asked.items() if value not in (None, "")}
        flags = {name: str(value).lower() for name, value in given.items() if value is True}
        found = ask(f"{API}/{path}", app=app, **(given | flags))
    if found.status != 200:
        return f"Refusal: {found.error['code']}"
    if how != "stream":
        is_json = found.headers["content-type"].startswith("application/json")
        return found.json if is_json else found.body.decode()
    events: list[Any] = []
    for name, data in found.events:
        if name == "failed":
            return f"Refusal: {data['code']}"
        if name == "progress":
            events[:1] = [data]
        elif name != "done":
            events.append(data)
    return events


def server_review(text: str) -> Any:
    """The server's review of the text of a match, to depth 1."""
    found = ask(f"{API}/review?depth=1", text.encode(), app=application(depth=5)[0])
    return dict(found.events)["review"]


#: The entries of answers that the page leaves out: it does not count its work, and searches
#: where the server knows the cube of a bearoff. Of a rollout it tells fewer settings. Of notes
#: it has those of reviews and decisions about the cube; others tell of commands.
_OTHERS = ("stats", "seconds", "algorithm", "settings")


def differs(own: Any, other: Any, at: str = "") -> list[str]:
    """The places at which two answers differ by more than the rounding of sums."""
    if isinstance(own, dict) and isinstance(other, dict):
        if own.keys() != other.keys():
            return [f"{at}: {sorted(own.keys() ^ other.keys())}"]
        has_notes = own.keys() & {"choices", "cube"} and "trials" not in own
        others = _OTHERS if has_notes else (*_OTHERS, "notes")
        names = [name for name in own if name not in others]
        return [each for name in names for each in differs(own[name], other[name], f"{at}.{name}")]
    if isinstance(own, list) and isinstance(other, list) and len(own) == len(other):
        pairs = enumerate(zip(own, other, strict=True))
        return [each for n, (a, b) in pairs for each in differs(a, b, f"{at}[{n}]")]
    number = (int, float)
    if isinstance(own, number) and isinstance(other, number) and abs(own - other) < 1e-9:
        return []
    return [] if own == other else [f"{at}: {own!r} is not {other!r}"]


def first_play(page: Any) -> Any:
    """The first row of the table of plays."""
    return page.locator("#analyze table tbody tr").first
