"""Whatever a list says, each of its lines is read once or is told of; and it can be taken back."""

import io

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubs.lists.reading import list_read, text_read
from clubs.members.imports import upload_keep
from clubs.members.list_import import (
    member_list_import,
    member_list_undo,
    upload_choose,
    upload_plan,
)
from clubs.members.list_plan import NEW, Choices, list_plan
from clubs.models import Club, Member, Upload
from tests.factories import TESTS, ClubFactory, MemberFactory

NAMES = ["Jan Bos", "JAN BOS", "Bos, Jan", "Mia Kok", "Mia Kokk", "Jan en Mia Bos", "", "Totaal"]
LINES = st.lists(
    st.tuples(
        st.sampled_from(["", "1", "2", "3", "x"]),
        st.sampled_from(NAMES),
        st.sampled_from(["", "06 12345678", "612345678"]),
        st.sampled_from(["", "jan@example.org", "jan@"]),
        st.sampled_from(["", "1-5-1951", "31-2-1951"]),
    ),
    min_size=1,
    max_size=8,
)


def text_of(lines: list[tuple[str, ...]]) -> str:
    return "\n".join(";".join(line) for line in [("nr", "naam", "tel", "mail", "geb"), *lines])


def stored(club: Club) -> list[tuple[object, ...]]:
    columns = "number", "name", "email", "phone", "birthday", "kind", "public_as"
    return list(Member.objects.of(club).order_by("pk").values_list(*columns))


def club_with_people() -> Club:
    club: Club = ClubFactory.create()
    MemberFactory.create(club=club, number=1, name="Jan Bos", phone="06 1")
    MemberFactory.create(club=club, kind=Member.Kind.GUEST, name="Mia Kok")
    return club


class TestAnyList(TestCase):
    @given(LINES)
    def test_each_line_is_read_or_told_of(self, lines: list[tuple[str, ...]]) -> None:
        (sheet,) = text_read(text_of(lines)).sheets
        plan = list_plan(club=club_with_people(), sheet=sheet, choices=Choices())
        told = [skipped.line for skipped in plan.skipped]
        told += [person.line for person in [*plan.new, *plan.faulty]]
        told += [question.line for question in plan.questions]
        assert len(told) == len(set(told))
        filled = [line.number for line in sheet.lines[plan.layout.below :]]
        assert len(filled) == len(told) + len(plan.changes) + len(plan.unchanged)
        assert set(told) <= set(filled)

    @given(LINES)
    def test_what_was_read_in_is_taken_back(self, lines: list[tuple[str, ...]]) -> None:
        club = club_with_people()
        before = stored(club)
        upload = upload_keep(
            club=club,
            actor=TESTS,
            kind=Upload.Kind.MEMBERS,
            file=io.BytesIO(text_of(lines).encode()),
            name="leden.csv",
            details={},
        )
        read = list_read(bytes(upload.content))
        answers = dict.fromkeys(range(2, len(lines) + 2), NEW)
        upload = upload_choose(
            upload=upload, sheet=0, choices=Choices(answers=answers), public_as=""
        )
        plan = upload_plan(upload, read)
        done = member_list_import(
            upload=upload, read=read, seen=plan.fingerprint, public_as="initials", actor=TESTS
        )
        assert club.members.count() == 2 + done.added
        back = member_list_undo(upload=upload, actor=TESTS)
        assert (back.removed, back.restored, back.staying) == (done.added, done.changed, [])
        assert stored(club) == before
