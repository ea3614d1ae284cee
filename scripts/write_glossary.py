"""Write gammon_web/static/glossary.html, the page's copy of docs/glossary.md.

A browser shows it beside the page, with a server and without one. Links to other pages of docs/
become plain text, because a server has none of these.
"""

import re
from pathlib import Path

from markdown_it import MarkdownIt  # which rich needs, too

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "gammon_web" / "static" / "glossary.html"
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Glossary of gammon</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="css/colours.css">
<link rel="stylesheet" href="css/glossary.css">
</head>
<body>
<main>
{}</main>
</body>
</html>
"""


def page() -> str:
    """Return the glossary as HTML."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text)
    return _PAGE.format(MarkdownIt().enable("table").render(text))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
