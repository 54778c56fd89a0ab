"""Pages inside a notebook."""

from __future__ import annotations

import base64
import gzip
from html import escape

_PLACE = '<script id="data" type="text/plain">'
"""Behind this in the built page stands the match."""


def filled(page: str, recording: str) -> str:
    """The page of a replay with a recording in it."""
    head, place, tail = page.partition(_PLACE)
    if not place:
        raise RuntimeError("palestra was built without its pages: run `make web`, then `make python`")
    packed = gzip.compress(recording.encode(), mtime=0)
    return head + place + base64.b64encode(packed).decode() + tail


def framed(page: str, height: int) -> str:
    """A whole page as a part of another one, apart from it. It needs no network, and reaches nothing around it."""
    style = f"width: 100%; height: {height}px; border: 0"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(page)}"></iframe>'
