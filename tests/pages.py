"""Pages that are one file."""

import json
import re
from typing import Any


def inside(page: str) -> Any:
    """Return the JSON in a page: a review, or errors."""
    place = r'<script type="application/json" id="given">(.*?)</script>'
    (found,) = re.findall(place, page, re.DOTALL)
    return json.loads(found)
