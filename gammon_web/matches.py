"""The matches of the library for the page: a match that is opened, and files that are added."""

from base64 import b64decode
from binascii import Error
from typing import Annotated, Any, TypedDict

from gammon.base.settings import Text
from gammon.search import Stop
from gammon.view import to_json
from gammon_study.library.add import add_match, review_again
from gammon_study.library.library import Library
from gammon_study.view.json import ReviewJson
from gammon_web import answers
from gammon_web.client import Client
from gammon_web.parameters import DIGEST, SEED
from gammon_web.query import Query, read_entry
from gammon_web.refusal import Refusal, bad
from gammon_web.searches import REVIEWED
from gammon_web.stream import Emit, Stage
from gammon_web.study import library_of


class AddedFile(TypedDict):
    """The fate of a file that was to be added to the library.

    Attributes:
        file: the name of the file.
        what: `reviewed`, `kept as analyzed`, `continued`, `already there`, or `left out`.
        detail: who analyzed the match, or why it is left out.
    """

    file: str
    what: str
    detail: str


def match(query: Query, client: Client) -> Annotated[dict[str, Any], ReviewJson]:
    """Answer `GET /library/match`: the review of a match, from its stored results."""
    with library_of(query) as library:
        return to_json(review_again(library, _number(library, query.text(DIGEST.name) or "")))


def add_stages(
    query: Query, client: Client
) -> Annotated[list[Stage], {"progress": answers.Progress, "added": AddedFile}]:
    """Answer `POST /library/add`: review the match of a file, and add it."""
    check_editable(query)
    body, seed = query.json(), query.value(SEED)
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
                library, file, content, REVIEWED, stop, query.depth, query.level, seed, on_done=tell
            )
        emit("added", added._asdict())

    return [Stage(query.depth, work)]


def check_editable(query: Query) -> None:
    """Raise a `Refusal` if other machines can reach the server, whose matches then stay as they are."""
    if not query.limits.editable:
        raise Refusal(403, "forbidden_host", "other machines can reach this server: its matches stay")


def _number(library: Library, digest: str) -> int:
    """Return the number of the match of a digest.

    Raises:
        Refusal: the library has no such match.
    """
    rows = library.ask("SELECT id FROM match WHERE digest = ?", [digest])
    if not rows:
        raise Refusal(404, "not_found", "the library has no such match (any more)", "digest")
    return int(rows[0]["id"])
