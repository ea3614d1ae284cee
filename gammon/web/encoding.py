"""Answers as bytes of JSON."""

import json
import math
from typing import Any


class Plain(str):
    """An answer that is text, not JSON."""


def encoded(value: object) -> bytes:
    """Return a value as JSON in one line of ASCII; infinite numbers are null."""
    try:
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(value), allow_nan=False, separators=(",", ":"))
    return text.encode()


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value
