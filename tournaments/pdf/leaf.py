"""Pages that are made before they are drawn, so that each can say how many there are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring.pdf.paper import Paper
from tournaments.pdf.page import draw_list_foot

Told = Callable[[int, int], None]
"""Hears after each page how many are drawn, and of how many."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page to come: what draws it, whether it lies on its side, which part begins on it and
    which smaller things of that part do. A cover is not `numbered`, but counts."""

    draw: Callable[[Paper], None]
    wide: bool = False
    part: str = ""
    marks: Sequence[str] = ()
    numbered: bool = True


def leaves_pdf(
    leaves: Sequence[Leaf], *, title: str, author: str, told: Told | None = None
) -> bytes:
    """These pages as a PDF, numbered at the foot; a reader on a screen can jump to each part."""
    paper = Paper(title, author=author, wide=leaves[0].wide)
    for number, leaf in enumerate(leaves, start=1):
        paper.turn(wide=leaf.wide)
        if leaf.part:
            paper.chapter(leaf.part)
        leaf.draw(paper)
        if leaf.numbered:
            draw_list_foot(paper, number, len(leaves))
        paper.next_page()
        if told:
            told(number, len(leaves))
    return paper.finish()
