"""The settings that touch the cards, for the rules and for the reference alike."""

from dataclasses import asdict

from scoring.rules import RuleSet, Trump, parse_regulation
from tests.scoring.rules.dealing import AMSTERDAM, House

TRUMPS: list[Trump] = ["C", "D", "H", "S", "NT"]

HOUSES = [
    AMSTERDAM,
    House("amsterdam", "obligatory"),
    House("rotterdam", four_of_a_kind_from="10", four_jacks=100),
    House("trump_only", four_of_a_kind_from="9", four_of_a_kind=40),
]
"""Every rule of play that there is, with some other values for roem."""


def regulation_of(house: House) -> RuleSet:
    """The regulation of a house, which allows no-trump and nil too."""
    return parse_regulation({**asdict(house), "no_trump": True, "nil_bonus": 50})
