"""What came since: addresses and namesakes, what clubs show outside, first steps and practice,
totals handed in whole, photos, kinds of evening, copies, deleted evenings, the hall, money and mail."""

import datetime

import django.core.validators
import django.db.migrations.operations.special
import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from clubs.text.names import initials, marks, named


def tell_apart(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Nobody has an addition or a town yet, so numbers and letters do it."""
    members = apps.get_model("clubs", "Member").objects
    for club in apps.get_model("clubs", "Club").objects.values_list("pk", flat=True):
        people = list(members.filter(club=club))
        own = marks(
            [
                named(
                    person.pk,
                    [person.name, person.public_name],
                    [person.number],
                    fixed=person.erased_at is not None,
                )
                for person in people
            ]
        )
        public = marks(
            [
                named(
                    person.pk,
                    [initials(person.name)]
                    if person.public_as == "initials"
                    else [person.public_name or person.name],
                    [person.number],
                    fixed=person.erased_at is not None,
                )
                for person in people
                if person.public_as != "hidden"
            ]
        )
        for pk in own.keys() | public.keys():
            members.filter(pk=pk).update(mark=own.get(pk, ""), public_mark=public.get(pk, ""))


class Migration(migrations.Migration):
    replaces = [
        ("clubs", "0006_people_with_addresses_and_namesakes"),
        ("clubs", "0007_namesakes_told_apart"),
        ("clubs", "0008_what_clubs_show_outside"),
        ("clubs", "0009_first_steps_and_practice"),
    ]

    dependencies = [
        ("clubs", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="member",
            name="member_erased_keeps_nothing",
        ),
        migrations.AddField(
            model_name="member",
            name="addition",
            field=models.CharField(
                blank=True,
                help_text="Tells people of one name apart, such as “sr.” or “Zeeweg”. It is shown only where somebody else has the same name, on public pages too.",
                max_length=30,
                verbose_name="addition to the name",
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="birthday",
            field=models.DateField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(datetime.date(1900, 1, 1)),
                    django.core.validators.MaxValueValidator(datetime.date(2199, 12, 31)),
                ],
                verbose_name="birthday",
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="mark",
            field=models.CharField(blank=True, editable=False, max_length=60),
        ),
        migrations.AddField(
            model_name="member",
            name="member_since",
            field=models.DateField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(datetime.date(1900, 1, 1)),
                    django.core.validators.MaxValueValidator(datetime.date(2199, 12, 31)),
                ],
                verbose_name="member since",
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="postcode",
            field=models.CharField(blank=True, max_length=12, verbose_name="postcode"),
        ),
        migrations.AddField(
            model_name="member",
            name="public_mark",
            field=models.CharField(blank=True, editable=False, max_length=60),
        ),
        migrations.AddField(
            model_name="member",
            name="street",
            field=models.CharField(
                blank=True, max_length=100, verbose_name="street and house number"
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="town",
            field=models.CharField(blank=True, max_length=60, verbose_name="town"),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("erased_at", None),
                    models.Q(
                        ("addition", ""),
                        ("birthday", None),
                        ("email", ""),
                        ("is_active", False),
                        ("mark", ""),
                        ("member_since", None),
                        ("number", None),
                        ("phone", ""),
                        ("postcode", ""),
                        ("public_mark", ""),
                        ("public_name", ""),
                        ("street", ""),
                        ("town", ""),
                    ),
                    _connector="OR",
                ),
                name="member_erased_keeps_nothing",
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("birthday", None),
                    models.Q(
                        ("birthday__gte", datetime.date(1900, 1, 1)),
                        ("birthday__lte", datetime.date(2199, 12, 31)),
                    ),
                    _connector="OR",
                ),
                name="member_birthday_within_reach",
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("member_since", None),
                    models.Q(
                        ("member_since__gte", datetime.date(1900, 1, 1)),
                        ("member_since__lte", datetime.date(2199, 12, 31)),
                    ),
                    _connector="OR",
                ),
                name="member_since_within_reach",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="frame_sites",
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
        migrations.AddField(
            model_name="club",
            name="new_public_as",
            field=models.CharField(
                choices=[
                    ("name", "with the name"),
                    ("initials", "with initials only"),
                    ("hidden", "not at all"),
                ],
                default="name",
                editable=False,
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="search_engines",
            field=models.CharField(
                choices=[
                    ("none", "nothing"),
                    ("plain", "the calendar and how we play, no page with names"),
                    (
                        "names",
                        "everything that is public, also results and players with their names",
                    ),
                ],
                default="plain",
                editable=False,
                max_length=5,
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="mail",
            field=models.CharField(
                choices=[
                    ("none", "not mailed"),
                    ("under_way", "on its way by mail"),
                    ("sent", "mailed"),
                    ("failed", "could not be mailed"),
                ],
                default="none",
                max_length=9,
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("search_engines__in", ["none", "plain", "names"])),
                name="club_search_engines_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("new_public_as__in", ["name", "initials", "hidden"])),
                name="club_new_public_as_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("mail__in", ["none", "under_way", "sent", "failed"])),
                name="invitation_mail_known",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="phone_address",
            field=models.CharField(blank=True, editable=False, max_length=200),
        ),
        migrations.AddField(
            model_name="club",
            name="practice_of",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="practice_clubs",
                to="clubs.club",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="practice_until",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="club",
            name="start_put_away",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.UniqueConstraint(
                fields=("practice_of",), name="club_has_one_practice_club"
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("practice_of", None), ("practice_until", None)),
                    models.Q(("practice_of__isnull", False), ("practice_until__isnull", False)),
                    _connector="OR",
                ),
                name="club_practice_has_an_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("practice_of", models.F("id")), _negated=True),
                name="club_practice_is_another",
            ),
        ),
        migrations.RunPython(
            code=tell_apart,
            reverse_code=django.db.migrations.operations.special.RunPython.noop,
        ),
    ]
