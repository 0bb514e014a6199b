"""Which elements a person does not see: where pages put the prompts that are meant for models."""

import re
from typing import Final

_ESCAPE: Final = re.compile(r"\\([0-9a-f]{1,6})\s?")
_COMMENT_OR_SPACE: Final = re.compile(r"/\*.*?\*/|\s+", re.DOTALL)

_END: Final = r"(?:[;!]|$)"
_HIDDEN: Final = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|color:transparent|content-visibility:hidden"
    rf"|opacity:(?:0?\.0+|0+(?:\.0*)?%?){_END}"
    rf"|font(?:-size)?:[01]?(?:\.\d+)?(?:0|px|pt|em|rem|%)(?:{_END}|/)"
    rf"|(?:^|;)(?:max-)?(?:width|height):[01](?:px)?{_END}"
    r"|(?:left|top|right|bottom|text-indent|margin-left|margin-top):-\d{3,}"
    r"|clip:rect\(|clip-path:(?:inset\((?:50|100)%|circle\(0)|transform:scale\(0\)"
)
_COLOR: Final = re.compile(r"(?:^|;)color:([^;!]+)")
_BACKGROUND: Final = re.compile(r"(?:^|;)background(?:-color)?:([^;!]+)")

MAX_STYLE_CHARACTERS: Final = 4096


def hides(style: str) -> bool:
    """Tell whether the declarations in *style* make an element's text invisible.

    It is a list of the known ways, not a layout engine: text that is white on an ancestor's white is not found.
    """
    style = _ESCAPE.sub(_character, style[:MAX_STYLE_CHARACTERS].lower())
    style = _COMMENT_OR_SPACE.sub("", style)
    if _HIDDEN.search(style):
        return True
    color, background = _COLOR.search(style), _BACKGROUND.search(style)
    return bool(color and background and color[1] == background[1])


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1], 16)
    return chr(code) if code < 0x110000 else ""
