"""Write gammon_web/static/glossary.html, the page's help.

It has docs/glossary.md, and from docs/first_hour.md what can be done on the page. A browser shows it
inside the page and beside it, with a server and without one. Links to other pages of docs/ become
plain text, because a server has none of these. Headings and entries have ids, to which the page's
words lead.
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
<title>Help and glossary of gammon</title>
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


#: The part of docs/first_hour.md on the page in a browser, without its first words.
_USE = re.compile(r"^### Analyze\n.*?(?=^## The same page without a server)", re.MULTILINE | re.DOTALL)
#: A heading, or an entry that begins with its words in bold.
_NAMED = re.compile(r"<(h[23])>(.*?)</h[23]>|<li><strong>(.*?)</strong>")


def page() -> str:
    """Return the help as HTML."""
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    _, rules, *others = re.split(r"^## ", glossary, flags=re.MULTILINE)
    assert rules.startswith("The rules\n"), "the glossary begins with the rules"
    found = _USE.search((ROOT / "docs" / "first_hour.md").read_text(encoding="utf-8"))
    assert found is not None, "docs/first_hour.md has a part on the page"
    use = re.sub(r"!\[[^]]*\]\([^)]+\)|<img[^>]*>| On a phone:", "", found[0])
    text = "## ".join(["# Help\n\n", rules, f"The page\n\n{use}\n", *others])
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text)
    return _PAGE.format(_NAMED.sub(_with_id, MarkdownIt().enable("table").render(text)))


def _with_id(found: re.Match[str]) -> str:
    """Return a heading or an entry with its id, from its words."""
    tag, head, entry = found.groups()
    words = re.sub(r"<[^>]*>", "", head or entry).lower()
    name = "-".join(re.findall(r"[a-z0-9]+", words))
    return f'<{tag} id="{name}">{head}</{tag}>' if tag else f'<li id="{name}"><strong>{entry}</strong>'


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
