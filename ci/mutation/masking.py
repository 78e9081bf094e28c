"""Swift sources with what is not code blanked out, so that patterns find code only."""

import re

# Raw and multi-line strings, strings with interpolations one level deep, comments.
NOT_CODE = re.compile(
    r'"""(?:.|\n)*?"""|#"(?:.|\n)*?"#|"(?:\\\((?:[^()]|\([^()]*\))*\)|\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/')


def masked(text):
    """The text with strings and comments as spaces; every offset stays the same."""
    return NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
