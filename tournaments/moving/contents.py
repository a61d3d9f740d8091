"""What goes along with a club, what stays, and where each row says whose it is."""

from collections.abc import Mapping

KIND = "club"
PEOPLE = "clubs.user"
PEOPLE_FIELDS = "uuid", "email", "name", "is_active"

OF_A_CLUB: Mapping[str, str] = {
    "clubs.club": "pk",
    "clubs.clublogo": "club",
    "clubs.member": "club",
    "clubs.role": "club",
    "clubs.auditevent": "club",
    "clubs.audittext": "event__club",
    "scoring.regulation": "club",
    "scoring.rulenote": "club",
    "scoring.scoresheet": "club",
    "scoring.seat": "sheet__club",
    "scoring.sidetotal": "sheet__club",
    "scoring.controltotal": "sheet__club",
    "scoring.confirmation": "sheet__club",
    "scoring.deal": "sheet__club",
    "scoring.dealentry": "deal__sheet__club",
    "scoring.dealclaim": "deal__sheet__club",
    "scoring.dealconfirmation": "entry__deal__sheet__club",
    "tournaments.clubtext": "club",
    "tournaments.couplerule": "club",
    "tournaments.season": "club",
    "tournaments.seasonrule": "season__club",
    "tournaments.evening": "club",
    "tournaments.registration": "evening__club",
    "tournaments.pastresult": "evening__club",
    "tournaments.playoffscore": "evening__club",
    "tournaments.round": "evening__club",
    "tournaments.table": "round__evening__club",
    "tournaments.placement": "round__evening__club",
    "tournaments.tabletoken": "evening__club",
    "tournaments.tabledevice": "evening__club",
    "tournaments.release": "evening__club",
    "tournaments.rating": "evening__club",
    "tournaments.cup": "club",
    "tournaments.cupwin": "cup__club",
    "clubs.membermerge": "club",
}
"""Where a row says of which club it is, in an order in which each comes after what it points at."""

LEFT_BEHIND = {
    "clubs.apianswer": "what a program was answered lately, on that server",
    "clubs.apicount": "how often somebody asked that server",
    "clubs.apitoken": "opens that server, for one person",
    "clubs.invitation": "a link to that server",
    "clubs.upload": "a file that waits for a yes, or what came of it",
    "clubs.user": "people go along by their e-mail address, without a password",
    "tournaments.eveningsummary": "made anew from the sheets",
    "tournaments.paperjob": "made anew when somebody asks for it",
    "tournaments.pinguard": "counts wrong PINs of links to that server",
}
"""What does not go along, and why."""
