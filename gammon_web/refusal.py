"""Refusals: the errors of requests, as an HTTP status and a JSON object."""

import json
from asyncio import CancelledError
from collections.abc import Mapping
from enum import Enum
from typing import Literal, NotRequired, TypedDict

from gammon.base.errors import (
    AmbiguousPlayError,
    FormatError,
    GammonError,
    IllegalPlayError,
    IllegalPositionError,
    ModelError,
    SettingError,
    UnfinishedError,
)
from gammon.formats.characters import quoted, shortened


class Shape(Enum):
    """The shapes of a refusal in the different APIs."""

    OWN = 1
    #: With the message beside the error, too, for clients of wildbg and bgweb-api.
    MESSAGE = 2
    #: With the codes of Nodots' protocol.
    NODOTS = 3


#: The codes by which programs distinguish refusals.
Code = Literal[
    "invalid_request",
    "invalid_position",
    "invalid_position_id",
    "invalid_play",
    "not_found",
    "method_not_allowed",
    "forbidden_host",
    "forbidden_origin",
    "too_large",
    "unsupported",
    "busy",
    "timeout",
    "internal",
]


class ErrorBody(TypedDict):
    """An error.

    Attributes:
        code: the code, for programs.
        message: a line for people.
        field: the parameter or the entry of the body that is wrong, if it is one.
    """

    code: Code
    message: str
    field: NotRequired[str]


class ErrorJson(TypedDict):
    """The answer to a request that is refused."""

    error: ErrorBody


class MessageErrorJson(ErrorJson, TypedDict):
    """The answer to a request that is refused, for clients of wildbg and bgweb-api."""

    message: str


_NODOTS: dict[Code, Code] = {
    "invalid_position_id": "invalid_position_id",
    "invalid_position": "invalid_position_id",
    "unsupported": "unsupported",
    "busy": "timeout",
    "timeout": "timeout",
    "internal": "internal",
}


class Refusal(Exception):
    """A request that is not answered.

    Args:
        status: the HTTP status.
        code: the code, for programs.
        message: a line for people.
        field: the parameter or the entry of the body that is wrong, if it is one.
        headers: additional headers of the answer.

    Attributes:
        status, code, message, field, headers: the arguments.
        shape: the shape of the answer.
    """

    def __init__(
        self,
        status: int,
        code: Code,
        message: str,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.field = status, code, message, field
        self.headers = dict(headers or {})
        self.shape = Shape.OWN

    def json(self) -> ErrorJson | MessageErrorJson:
        """Return the JSON object of the answer."""
        code = self.code
        if self.shape is Shape.NODOTS:
            code = _NODOTS.get(code, "invalid_request")
        error: ErrorBody = {"code": code, "message": self.message}
        if self.field is not None:
            error["field"] = self.field
        if self.shape is Shape.MESSAGE:
            return {"error": error, "message": self.message}
        return {"error": error}


def shown(value: object) -> str:
    """Return a JSON value for an error message: in one line, and shortened."""
    if isinstance(value, str):
        return quoted(value)
    try:
        return shortened(json.dumps(value))
    except RecursionError:
        return "too deep"


def bad(message: str, field: str | None = None, code: Code = "invalid_request") -> Refusal:
    """Return the refusal of a request that is wrong.

    Args:
        message: a line for people.
        field: the parameter or the entry that is wrong.
        code: the code, for programs.
    """
    return Refusal(400, code, message, field)


def busy(message: str = "all places are taken: try again in a second") -> Refusal:
    """Return the refusal of a request for which there is no room now."""
    return Refusal(503, "busy", message, headers={"Retry-After": "1"})


def late(seconds: float, searching: float) -> Refusal:
    """Return the refusal of work whose time was over.

    Args:
        seconds: the seconds that the work had.
        searching: the server's seconds for a search.
    """
    more = f"`gammon serve --seconds {2 * searching:g}` gives twice as many"
    return Refusal(504, "timeout", f"{seconds:g} s are over: {more}")


def refusal_of(error: BaseException, field: str | None = None) -> Refusal:
    """Return the refusal for an error of any kind.

    Args:
        error: the error.
        field: the parameter or the entry that was being read.
    """
    if isinstance(error, Refusal):
        return error
    message = str(error)
    if isinstance(error, IllegalPositionError):
        return bad(message, field, "invalid_position")
    if isinstance(error, IllegalPlayError | AmbiguousPlayError):
        return bad(message, field or "play", "invalid_play")
    if isinstance(error, FormatError | SettingError):
        return bad(message, field)
    if isinstance(error, CancelledError):
        return busy("the server ends")
    if isinstance(error, UnfinishedError):
        return Refusal(504, "timeout", message)
    if isinstance(error, GammonError) and not isinstance(error, ModelError):
        return Refusal(500, "internal", message)
    return Refusal(500, "internal", "the server failed at this request")
