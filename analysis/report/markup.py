"""Pieces of HTML; every text is escaped here or in `analysis.typeset`."""

import html


def escape(text: object) -> str:
    """Text that cannot become markup.

    >>> escape('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return html.escape(str(text))


def wide(content: str) -> str:
    """Markup that scrolls sideways by itself where the page is narrow."""
    return f'<div class="wide" tabindex="0">{content}</div>'


def fold(summary: str, content: str) -> str:
    """Markup that is shown on demand."""
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def warn(content: str) -> str:
    """Markup that should be read before the figures."""
    return f'<div class="warning">{content}</div>'
