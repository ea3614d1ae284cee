"""Answers as bytes of JSON."""

import json

from gammon.base.plain import plain


class Plain(str):
    """An answer that is text, not JSON."""


def json_bytes(value: object) -> bytes:
    """Return a value as JSON in one line of ASCII; infinite numbers are null."""
    try:
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(plain(value), allow_nan=False, separators=(",", ":"))
    return text.encode()
