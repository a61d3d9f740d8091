from clubs.models.audit import AuditChain, AuditEvent, AuditText, Versioned
from clubs.models.club import (
    Club,
    ClubLogo,
    Language,
    PitWord,
    PublicAs,
    Role,
    SearchEngines,
    SitOutWord,
)
from clubs.models.member import Invitation, Member, MemberMerge, MemberName, MemberQuerySet, Upload
from clubs.models.monitoring import CspReport, HealthProbe
from clubs.models.sign_in import (
    CodeSecret,
    LoginSession,
    Passkey,
    RecoveryCode,
    has_second_factor,
)
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
    "CodeSecret",
    "CspReport",
    "HealthProbe",
    "Invitation",
    "Language",
    "LoginSession",
    "Member",
    "MemberMerge",
    "MemberName",
    "MemberQuerySet",
    "Passkey",
    "PitWord",
    "PublicAs",
    "RecoveryCode",
    "Role",
    "SearchEngines",
    "SitOutWord",
    "Upload",
    "User",
    "UserManager",
    "Versioned",
    "has_second_factor",
]
