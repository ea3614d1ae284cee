"""The table of all requests that the server answers, except requests for files.

The table has the handler of each request, and the request's parameters and body.
`scripts/write_openapi.py` makes `openapi.json` from the same table. Each function below imports its
handler at the first request, so that the page is available before the engine.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from gammon.base.settings import settings_of
from gammon_study.library.selection import OF_DECISIONS, OF_ERRORS, OF_MATCHES, Selection
from gammon_web.parameters import (
    ADDED_MATCH,
    AGAIN,
    ANSWERED_CARD,
    AWAY,
    BGWEB,
    CRAWFORD,
    DICE,
    DIGEST,
    DRILLED_DECKS,
    FIRST_ERROR,
    FIRST_ROLL,
    GROUPED_BY,
    ID,
    MANY_ERRORS,
    MANY_ROLLS,
    MATCH,
    MATCH_FILE,
    NODOTS,
    NOTE,
    NOTED_BOARD,
    NOTED_PLACE,
    NOTED_TAG,
    NOTED_THEME,
    NOTED_WORDS,
    POINTS,
    QUESTION_PARAMETERS,
    READ_REVIEWS,
    REMOVED_MATCH,
    RENAMED_PLAYER,
    RESIGNED_POINTS,
    ROLLED_TOP,
    SCORE,
    SEED,
    SET_UP,
    SINCE_DRILL,
    TRIALS,
    TRUNCATE,
    Body,
    Known,
    Parameter,
    Parameters,
    parameter_of,
)
from gammon_web.query import Client, Query
from gammon_web.refusal import Shape

#: A function that answers a request with JSON, with text, or with the stages of a stream.
Handler = Callable[[Query, Client], Any]

API = "/api/v1"


class Request(NamedTuple):
    """The requests by a method at a path.

    Attributes:
        load: imports the handler and returns it. Its docstring describes the request.
        answer: the description of the answer.
        parameters: the parameters that the request may have.
        body: the body of a POST.
        depth: plies unless the request gives them.
        stream: whether the answer is a stream of events.
        long: whether the work is long at any depth.
        stored: whether the work uses the library of matches.
        changes: whether the work changes the library.
        late: whether the time may be over before there is an answer.
        shape: the shape of refusals.
    """

    load: Callable[[], Handler]
    answer: str
    parameters: tuple[Parameter | Parameters, ...]
    body: Body | None
    depth: int
    stream: bool
    long: bool
    stored: bool
    changes: bool
    late: bool
    shape: Shape

    def known(self) -> Known:
        """Return the names that the request may have."""
        named = {
            part.name: part
            for parameter in self.parameters
            for part in (parameter.parts if isinstance(parameter, Parameters) else (parameter,))
        }
        is_json = self.body is not None and self.body.is_json
        return Known(named, self.body.schema if self.body is not None and is_json else {})


#: The requests, by method and path.
REQUESTS: dict[tuple[str, str], Request] = {}


def _request(
    method: str,
    path: str,
    answer: str,
    *parameters: Parameter | Parameters,
    body: Body | None = None,
    depth: int = 1,
    stream: bool = False,
    long: bool = False,
    stored: bool = False,
    changes: bool = False,
    late: bool = False,
    shape: Shape = Shape.OWN,
) -> Callable[[Callable[[], Handler]], Callable[[], Handler]]:
    """Return a decorator that enters a request into the table; see `Request`."""

    def enter(load: Callable[[], Handler]) -> Callable[[], Handler]:
        REQUESTS[method, path] = Request(
            load, answer, parameters, body, depth, stream, long, stored, changes, late, shape
        )
        return load

    return enter


def _question_parameters(*left_out: str) -> tuple[Parameter, ...]:
    """Return the parameters of a question, except some settings."""
    return ID, *(parameter for name, parameter in QUESTION_PARAMETERS.items() if name not in left_out)


def _selection(name: str, text: str, settings: Iterable[str]) -> Parameters:
    """Return the parameters for some fields of `Selection`."""
    known = settings_of(Selection)
    return Parameters(name, text, tuple(parameter_of(known[setting]) for setting in settings))


_DEPTH = QUESTION_PARAMETERS["depth"]
_STUDIED_MATCHES = _selection("studied_matches", "which matches of the library", OF_MATCHES)
_STUDIED = _selection("studied", "which decisions of the library", (*OF_MATCHES, *OF_DECISIONS))
_STUDIED_ERRORS = _selection(
    "studied_errors", "which errors of the library", (*OF_MATCHES, *OF_DECISIONS, *OF_ERRORS)
)
_WILDBG = Parameters(
    "wildbg",
    "a parameter for each entry: the points, and the points that both players need to win the match",
    (*POINTS, *AWAY, CRAWFORD),
)
_IGNORED = tuple(Parameter(die.name, None, "ignored") for die in DICE)


@_request("GET", f"{API}/position", "The position", ID, QUESTION_PARAMETERS["dice"])
def position() -> Handler:
    """A position: its board, IDs and stakes, and the plays of its roll."""
    from gammon_web.position import get

    return get


@_request("POST", f"{API}/position", "The position", body=SET_UP)
def set_up() -> Handler:
    """The same for a long text, or for a position that was set up by hand."""
    from gammon_web.position import post

    return post


@_request("GET", f"{API}/analyze", "The analysis", *_question_parameters(), depth=5, late=True)
def analysis() -> Handler:
    """The answer to a question: the best plays of a roll; without a roll the decision about
    the cube.

    Without a roll and without the cube, the answer is the same as from /api/v1/rolls. With scores,
    it is the answer at all scores.
    """
    from gammon_web.searches import analyze

    return analyze


@_request("GET", f"{API}/analyze/stream", "The events", *_question_parameters(), depth=5, stream=True)
def analyses() -> Handler:
    """The same to depth 1, 3, ..., as soon as each is ready.

    Server-sent events, with their schemas in x-events; the last event is done. The search ends if
    the client leaves.
    """
    from gammon_web.searches import analysis_stages

    return analysis_stages


@_request(
    "GET",
    f"{API}/rolls",
    "The rolls",
    *_question_parameters("dice", "top", "plays", "rolls", "scores", "owners"),
    depth=3,
)
def all_rolls() -> Handler:
    """The best play of each of the 21 rolls."""
    from gammon_web.searches import rolls

    return rolls


@_request(
    "GET",
    f"{API}/rollout/stream",
    "The events",
    *_question_parameters(
        "level", "strength", "noise_seed", "top", "max_seconds", "rolls", "scores", "owners"
    ),
    TRIALS,
    ROLLED_TOP,
    TRUNCATE,
    SEED,
    stream=True,
    long=True,
)
def rollout() -> Handler:
    """A rollout: the decision by games that are played from it.

    Server-sent events, several times a second; the last one is the result, followed by done.
    """
    from gammon_web.searches import rollout_stages

    return rollout_stages


@_request(
    "GET",
    f"{API}/turn",
    "The action",
    ID,
    *(QUESTION_PARAMETERS[name] for name in ("dice", "depth", "level", "strength", "noise_seed")),
    depth=3,
)
def turn() -> Handler:
    """The engine as a player: it rolls or doubles, takes or passes, or plays a roll."""
    from gammon_web.record import turn

    return turn


@_request(
    "GET", f"{API}/resign", "The answer", ID, QUESTION_PARAMETERS["dice"], _DEPTH, RESIGNED_POINTS, depth=3
)
def resignation() -> Handler:
    """Whether the engine takes a resignation of the player on roll."""
    from gammon_web.record import resign

    return resign


@_request("GET", f"{API}/dice", "The rolls", SEED, FIRST_ROLL, MANY_ROLLS)
def dice_of_seed() -> Handler:
    """Rolls of a seed: the n-th one is always the same."""
    from gammon_web.record import dice

    return dice


@_request("POST", f"{API}/match", "The file", body=MATCH, late=True)
def match_file() -> Handler:
    """A match that was played here, as a match file (.mat)."""
    from gammon_web.record import record

    return record


@_request("POST", f"{API}/score", "The score", body=SCORE)
def score_after() -> Handler:
    """The score of a match after some games, and the beginning of the next game."""
    from gammon_web.record import score

    return score


@_request(
    "POST",
    f"{API}/review",
    "The events",
    _DEPTH,
    QUESTION_PARAMETERS["level"],
    SEED,
    body=MATCH_FILE,
    depth=5,
    stream=True,
    long=True,
    late=True,
)
def review() -> Handler:
    """The review of a match file: what each decision cost.

    Server-sent events, and done at the end; review is the JSON of gammon review --json. A review
    deeper than 3 comes twice: to depth 3 after seconds, and later to its full depth. If the time is
    over before the end, the entry unfinished of the last review is the number of decisions that are
    not analyzed to that depth; the same request again continues from there.
    """
    from gammon_web.searches import review_stages

    return review_stages


@_request("GET", f"{API}/study/stats", "The groups", _STUDIED, GROUPED_BY, stored=True)
def study_stats() -> Handler:
    """The decisions of the library in groups, if the server has a library."""
    from gammon_web.study import stats

    return stats


@_request(
    "GET",
    f"{API}/study/errors",
    "The errors",
    _STUDIED_ERRORS,
    FIRST_ERROR,
    MANY_ERRORS,
    READ_REVIEWS,
    stored=True,
)
def study_errors() -> Handler:
    """Errors of the library, the largest first."""
    from gammon_web.study import errors

    return errors


@_request(
    "GET", f"{API}/study/card", "The card", _STUDIED_ERRORS, DRILLED_DECKS, SEED, _DEPTH, depth=3, stored=True
)
def study_card() -> Handler:
    """The next card of a drill; null if none is left."""
    from gammon_web.study import card

    return card


@_request(
    "POST", f"{API}/study/answer", "The judgement", body=ANSWERED_CARD, depth=3, stored=True, changes=True
)
def study_answer() -> Handler:
    """Answer a card; the library stores the answer."""
    from gammon_web.study import answer

    return answer


@_request("GET", f"{API}/study/trend", "The trend", _STUDIED, stored=True)
def study_trend() -> Handler:
    """The PR of each match of the library, and of the last ten matches up to it."""
    from gammon_web.study import trend

    return trend


@_request("GET", f"{API}/study/plan", "The plan", _STUDIED_MATCHES, stored=True)
def study_plan() -> Handler:
    """What a player of the library should work on: themes and biases."""
    from gammon_web.study import plan

    return plan


@_request("GET", f"{API}/study/progress", "The progress", _STUDIED, SINCE_DRILL, stored=True)
def study_progress() -> Handler:
    """A player of the library before and after a theme, a phase or a kind was drilled."""
    from gammon_web.study import progress

    return progress


@_request(
    "GET",
    f"{API}/study/notes",
    "The notes",
    NOTED_WORDS,
    NOTED_TAG,
    NOTED_THEME,
    NOTED_BOARD,
    NOTED_PLACE,
    stored=True,
)
def study_notes() -> Handler:
    """Notes on positions, the last changed first, then remarks in match files."""
    from gammon_web.study import notes

    return notes


@_request("POST", f"{API}/study/note", "The note", body=NOTE, stored=True, changes=True)
def study_note() -> Handler:
    """Write a note and tags on a position, in place of those that it has."""
    from gammon_web.study import note

    return note


@_request("GET", f"{API}/library/matches", "The matches", _STUDIED_MATCHES, stored=True)
def library_matches() -> Handler:
    """The matches of the library."""
    from gammon_web.study import matches

    return matches


@_request("GET", f"{API}/library/match", "The review", DIGEST, stored=True)
def library_match() -> Handler:
    """The review of a match of the library."""
    from gammon_web.study import match

    return match


@_request(
    "POST",
    f"{API}/library/add",
    "The events",
    _DEPTH,
    QUESTION_PARAMETERS["level"],
    SEED,
    AGAIN,
    body=ADDED_MATCH,
    depth=5,
    stream=True,
    long=True,
    changes=True,
    late=True,
)
def library_add() -> Handler:
    """Review the match of a file, and add it to the library.

    Server-sent events, and done at the end. What a review has analyzed is not analyzed again. If the
    time is over before the end, the same request again continues from there.
    """
    from gammon_web.study import add_stages

    return add_stages


@_request("POST", f"{API}/library/remove", "The change", body=REMOVED_MATCH, stored=True, changes=True)
def library_remove() -> Handler:
    """Remove a match from the library, which remembers that it was removed."""
    from gammon_web.study import remove

    return remove


@_request("POST", f"{API}/library/rename", "The change", body=RENAMED_PLAYER, stored=True, changes=True)
def library_rename() -> Handler:
    """Rename a player in all matches of the library, or make two players one."""
    from gammon_web.study import rename

    return rename


@_request("GET", "/move", "The plays", *DICE, _WILDBG, _DEPTH, depth=3, shape=Shape.MESSAGE)
def wildbg_move() -> Handler:
    """wildbg: all plays of a roll, the best first."""
    from gammon_web.wildbg import move

    return move


@_request("GET", "/eval", "The chances", *_IGNORED, _WILDBG, _DEPTH, depth=3, shape=Shape.MESSAGE)
def wildbg_evaluate() -> Handler:
    """wildbg: the chances before the roll, and the cube."""
    from gammon_web.wildbg import evaluate

    return evaluate


@_request("POST", f"{API}/getmoves", "The plays", _DEPTH, body=BGWEB, depth=3, shape=Shape.MESSAGE)
def bgweb_moves() -> Handler:
    """bgweb-api: plays of a roll, the best first."""
    from gammon_web.bgweb import getmoves

    return getmoves


@_request("GET", "/v1/health", "The engine", shape=Shape.NODOTS)
def nodots_health() -> Handler:
    """Nodots: the engine."""
    from gammon_web.nodots import health

    return health


@_request("POST", "/v1/move", "The play", _DEPTH, body=NODOTS, depth=3, shape=Shape.NODOTS)
def nodots_move() -> Handler:
    """Nodots: the best play of a roll."""
    from gammon_web.nodots import move

    return move


@_request("POST", "/v1/double", "The decision", _DEPTH, body=NODOTS, depth=3, shape=Shape.NODOTS)
def nodots_double() -> Handler:
    """Nodots: whether to double."""
    from gammon_web.nodots import double

    return double


@_request("POST", "/v1/take", "The answer", _DEPTH, body=NODOTS, depth=3, shape=Shape.NODOTS)
def nodots_take() -> Handler:
    """Nodots: whether to take a double; the position is seen from the taker."""
    from gammon_web.nodots import take

    return take


@_request("POST", "/v1/resign", "The resignation", _DEPTH, body=NODOTS, depth=3, shape=Shape.NODOTS)
def nodots_resign() -> Handler:
    """Nodots: what is certainly lost."""
    from gammon_web.nodots import resign

    return resign
