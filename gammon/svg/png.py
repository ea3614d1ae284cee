"""A drawing as PNG, by resvg, which the extra `png` brings."""

from pathlib import Path

from gammon.base.checks import whole
from gammon.base.extras import extra

__all__ = ["png"]


def png(drawing: str, width: int = 960) -> bytes:
    """Return a drawing as the bytes of a PNG file.

    Its text is in the font that comes with matplotlib, so that it looks the same everywhere.

    Args:
        drawing: see `gammon.svg.board`.
        width: in pixels.

    Raises:
        MissingExtraError: the extra `png` is not installed.
        SettingError: the width is not from 1 to 10,000 pixels.
    """
    width = whole("width", width, 1, 10_000)
    with extra("png", "a PNG file"):
        from resvg_py import svg_to_bytes
    from matplotlib import get_data_path

    fonts = Path(get_data_path(), "fonts", "ttf")
    files = [str(fonts / f"DejaVuSans{kind}.ttf") for kind in ("", "-Bold")]
    data: bytes = svg_to_bytes(
        svg_string=drawing, width=width, skip_system_fonts=True, font_files=files,
        font_family="DejaVu Sans", sans_serif_family="DejaVu Sans",
    )  # fmt: skip
    return data
