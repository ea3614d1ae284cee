"""The matches of the library for the page: list, open, add and remove them, and rename players."""

from base64 import b64decode
from binascii import Error
from typing import Annotated, Any, TypedDict

from gammon.base.errors import SettingError
from gammon.base.settings import Text
from gammon.search import Stop
from gammon.view import to_json
from gammon_study.library.add import add_match
from gammon_study.library.library import Library
from gammon_study.library.matches import (
    MatchList,
    match_list,
    match_number,
    remove_matches,
    rename_player,
    stored_review,
)
from gammon_study.library.selection import Selection
from gammon_study.view.json import ReviewJson
from gammon_web import answers
from gammon_web.client import Client
from gammon_web.parameters import AGAIN, DIGEST, SEED
from gammon_web.query import Query, read_entry
from gammon_web.refusal import Refusal, bad
from gammon_web.searches import REVIEWED
from gammon_web.stream import Emit, Stage
from gammon_web.study import check_editable, library_of


class AddedFile(TypedDict):
    """The fate of a file that was to be added to the library.

    Attributes:
        file: the name of the file.
        what: `reviewed`, `kept as analyzed`, `continued`, `already there`, `removed before`, or
            `left out`.
        detail: who analyzed the match, or why it is left out.
    """

    file: str
    what: str
    detail: str


class Changed(TypedDict):
    """A change of the library.

    Attributes:
        matches: how many matches were changed or removed.
    """

    matches: int


def matches(query: Query, client: Client) -> Annotated[dict[str, Any], MatchList]:
    """Answer `GET /library/matches`: the JSON of `gammon study list --json`."""
    with library_of(query) as library:
        return to_json(match_list(library, query.record(Selection)))


def match(query: Query, client: Client) -> Annotated[dict[str, Any], ReviewJson]:
    """Answer `GET /library/match`: the review of a match, from its stored results."""
    with library_of(query) as library:
        return to_json(stored_review(library, _number(library, query.text(DIGEST.name))).review)


def remove(query: Query, client: Client) -> Changed:
    """Answer `POST /library/remove`."""
    check_editable(query)
    digest = read_entry(query.json(), "digest", Text(), None)
    with library_of(query) as library:
        return {"matches": remove_matches(library, [_number(library, digest)])}


def rename(query: Query, client: Client) -> Changed:
    """Answer `POST /library/rename`."""
    check_editable(query)
    body = query.json()
    player, name = (read_entry(body, entry, Text(), None) for entry in ("player", "name"))
    with library_of(query) as library:
        return {"matches": rename_player(library, player, name)}


def add_stages(
    query: Query, client: Client
) -> Annotated[list[Stage], {"progress": answers.Progress, "added": AddedFile}]:
    """Answer `POST /library/add`: review the match of a file, and add it."""
    check_editable(query)
    body, seed, removed = query.json(), query.value(SEED), query.value(AGAIN)
    file = read_entry(body, "file", Text(), "")
    try:
        content = b64decode(read_entry(body, "data", Text(), ""), validate=True)
    except (Error, ValueError):
        raise bad("data: expected the bytes of a file in base64", "data") from None

    def work(client: Client, emit: Emit) -> None:
        def tell(done: int, total: int) -> None:
            progress: answers.Progress = {"done": done, "total": total, "depth": query.depth}
            emit("progress", progress)

        stop = Stop(query.limits.review_seconds, client.stop)
        with library_of(query, make=True) as library:
            added = add_match(
                library, file, content, REVIEWED, stop, query.depth, query.level, seed, removed, tell
            )
        emit("added", added._asdict())

    return [Stage(query.depth, work)]


def _number(library: Library, digest: str | None) -> int:
    """Return the number of the match of a digest.

    Raises:
        Refusal: the library has no such match, or no digest is given.
    """
    if digest is None:
        raise bad("no digest: expected that of a match, as /library/matches gives it", "digest")
    try:
        return match_number(library, digest)
    except SettingError as error:
        raise Refusal(404, "not_found", str(error), "digest") from None
