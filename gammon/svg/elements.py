"""Elements of SVG as text, and a whole drawing."""

from html import escape

__all__ = ["Svg", "element", "text"]

#: Every system has a font of this family.
_FONT = "sans-serif"


class Svg(str):
    """A drawing: the text of an SVG file, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def element(tag: str, *content: str, **attributes: str | float) -> str:
    """Return an element.

    Args:
        tag: its name.
        content: elements and escaped text inside it.
        attributes: numbers are rounded to two places. An underscore in a name stands for a
            hyphen, but one at the end for nothing (`class_`).
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
    )
    inner = "".join(content)
    return f"<{tag}{given}>{inner}</{tag}>" if inner else f"<{tag}{given}/>"


def text(x: float, y: float, words: str, size: float, **attributes: str | float) -> str:
    """Return a line of text.

    Args:
        x: where it begins, ends or has its middle, by `text_anchor`.
        y: the middle of its capitals.
        words: are escaped.
        size: of the font, in units of the drawing.
        attributes: others, as for `element`.
    """
    # A shift of the baseline, because not every program knows `dominant-baseline`.
    return element(
        "text", escape(words), x=x, y=y + 0.36 * size, font_family=_FONT, font_size=size,
        **attributes,
    )  # fmt: skip


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 2):g}"
