"""Refusals: every error is one JSON object."""

import json
import math

import pytest

from gammon.base import errors
from gammon_web.answers import json_bytes
from gammon_web.refusal import Refusal, Shape, bad, busy, refusal_of


@pytest.mark.parametrize(
    ("error", "status", "code", "field"),
    [
        (errors.FormatError("x"), 400, "invalid_request", None),
        (errors.SettingError("x"), 400, "invalid_request", None),
        (errors.IllegalPositionError("x"), 400, "invalid_position", None),
        (errors.IllegalPlayError("x"), 400, "invalid_play", "play"),
        (errors.AmbiguousPlayError("x"), 400, "invalid_play", "play"),
        (errors.ModelError("x"), 500, "internal", None),
        (errors.GammonError("x"), 500, "internal", None),
        (ZeroDivisionError("x"), 500, "internal", None),
        (busy(), 503, "busy", None),
        (bad("x", "y"), 400, "invalid_request", "y"),
    ],
)
def test_every_error_has_its_status_and_code(error, status, code, field):
    found = refusal_of(error)
    assert (found.status, found.code, found.field) == (status, code, field)


def test_what_nobody_expected_is_not_told():
    assert "secret" not in str(refusal_of(ZeroDivisionError("secret")).json())
    assert "secret" not in str(refusal_of(errors.ModelError("secret")).json())


def test_shapes():
    found = Refusal(400, "invalid_position", "m", "id")
    assert found.json() == {
        "error": {"code": "invalid_position", "message": "m", "field": "id"}
    }
    found.shape = Shape.MESSAGE
    assert found.json()["message"] == found.json()["error"]["message"] == "m"
    found.shape = Shape.NODOTS
    assert found.json()["error"]["code"] == "invalid_position_id"
    found.code = "too_large"
    assert found.json()["error"]["code"] == "invalid_request"
    assert bad("m").json() == {"error": {"code": "invalid_request", "message": "m"}}


def test_what_is_encoded_is_read_back():
    value = {"a": [1, 2.5, None, True], "é\n": {"3": "x"}}
    assert json.loads(json_bytes(value)) == value
    assert json_bytes(value).isascii()
    assert b"\n" not in json_bytes(value)


def test_infinite_numbers_are_null():
    value = {"a": [math.inf, -math.inf, 1.0], "b": (math.nan, {"c": math.inf})}
    assert json.loads(json_bytes(value)) == {"a": [None, None, 1.0], "b": [None, {"c": None}]}
