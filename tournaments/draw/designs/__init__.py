"""Schedules made by mathematics, for the sizes at which search is known to fail.

Players are numbers from 0; whoever uses a schedule decides which person is which number. Nothing
here depends on chance, and everything is made in well under 0.2 s.
"""

from tournaments.draw.designs.choice import design_rounds, rounds_without_reunion
from tournaments.draw.designs.models import Round, Table

__all__ = ["Round", "Table", "design_rounds", "rounds_without_reunion"]
