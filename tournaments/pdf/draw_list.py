"""The draw for the wall: by name first, then by table."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from scoring.pdf import Paper
from tournaments.models import Evening
from tournaments.pdf.by_name import draw_names, letters_of, name_lines, name_pages
from tournaments.pdf.by_table import draw_tables, sit_out_words, table_pages
from tournaments.pdf.page import draw_list_foot, draw_list_heading, evening_heading, list_room
from tournaments.pdf.seating import RoundSeating


def draw_pdf(evening: Evening, block: Sequence[RoundSeating]) -> bytes:
    """Everybody in order of surname with his table, and then each table with its people.

    `block` are rounds in which the tables stay together, mostly one; `evening` has its club at
    hand. The pages of the two lists are numbered together.
    """
    rounds = _rounds_in_words(block)
    paper = Paper(_("The draw") + f", {rounds.lower()}", author=evening.club.name)
    names = name_pages(name_lines(evening.club, block), list_room(paper))
    tables = table_pages(block, list_room(paper))
    pages = len(names) + len(tables)
    heading = evening_heading(evening, _("Where do I sit?"))
    for number, lines in enumerate(names, start=1):
        part = letters_of(lines) if len(names) > 1 else ""
        top = draw_list_heading(paper, heading, rounds, part)
        draw_names(paper, top, lines, list_room(paper))
        draw_list_foot(paper, number, pages)
        paper.next_page()
    heading = replace(heading, title=_("The tables"))
    for number, numbers in enumerate(tables, start=len(names) + 1):
        part = f"{numbers[0]} – {numbers[-1]}" if len(tables) > 1 else ""
        top = draw_list_heading(paper, heading, rounds, part)
        draw_tables(paper, top, block, numbers, list_room(paper))
        draw_list_foot(paper, number, pages, sit_out_words(evening.club, block))
        paper.next_page()
    return paper.finish()


def _rounds_in_words(block: Sequence[RoundSeating]) -> str:
    first, last = block[0].number, block[-1].number
    if first == last:
        return _("Round %(n)s") % {"n": first}
    return _("Rounds %(first)s to %(last)s") % {"first": first, "last": last}
