"""An evening as a file of deals, one line for each: read, and written so that it reads back."""

from tournaments.evening_file.lines import DealLine, EveningFile
from tournaments.evening_file.reading import read_deals, read_evening
from tournaments.evening_file.writing import format_evening

__all__ = ["DealLine", "EveningFile", "format_evening", "read_deals", "read_evening"]
