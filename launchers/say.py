"""Sentences to whoever is watching."""

from rich.console import Console

console = Console(soft_wrap=True, highlight=False)


def say(text: str) -> None:
    """Print a sentence as it is: brackets in it are no markup."""
    console.print(text, markup=False)
