from clubs.models.audit import AuditChain, AuditEvent, AuditText, Versioned
from clubs.models.club import Club, ClubLogo, Language, PitWord, Role, SitOutWord
from clubs.models.member import Invitation, Member, MemberMerge, MemberName, MemberQuerySet, Upload
from clubs.models.monitoring import CspReport, HealthProbe
from clubs.models.user import ApiAnswer, ApiCount, ApiToken, User, UserManager

__all__ = [
    "ApiAnswer",
    "ApiCount",
    "ApiToken",
    "AuditChain",
    "AuditEvent",
    "AuditText",
    "Club",
    "ClubLogo",
    "CspReport",
    "HealthProbe",
    "Invitation",
    "Language",
    "Member",
    "MemberMerge",
    "MemberName",
    "MemberQuerySet",
    "PitWord",
    "Role",
    "SitOutWord",
    "Upload",
    "User",
    "UserManager",
    "Versioned",
]
