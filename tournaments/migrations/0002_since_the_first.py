"""What came since: addresses and namesakes, what clubs show outside, first steps and practice,
totals handed in whole, photos, kinds of evening, copies, deleted evenings, the hall, money and mail."""

import datetime
import uuid

import django.core.serializers.json
import django.core.validators
import django.db.migrations.operations.special
import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def summaries_forget(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """They are a cache, and have everybody's longest streak now."""
    apps.get_model("tournaments", "EveningSummary").objects.all().delete()


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", "0006_photos_of_winners"),
        ("tournaments", "0007_kinds_and_series"),
        ("tournaments", "0008_copies_made_on_pages"),
        ("tournaments", "0009_deleted_evenings"),
        ("tournaments", "0010_hall_screen"),
        ("tournaments", "0011_money_and_mail"),
        ("tournaments", "0012_fees_of_calendar_years"),
        ("tournaments", "0013_streaks_in_summaries"),
        ("tournaments", "0014_followers"),
        ("tournaments", "0015_interim_standing"),
    ]

    dependencies = [
        ("clubs", "0002_since_the_first"),
        ("scoring", "0002_since_the_first"),
        ("tournaments", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="EveningPhoto",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("jpeg", models.BinaryField()),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
                ("shown_at", models.DateTimeField(auto_now_add=True)),
                (
                    "evening",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="photo",
                        to="tournaments.evening",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PhotoPerson",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="photos",
                        to="clubs.member",
                    ),
                ),
                (
                    "photo",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="people",
                        to="tournaments.eveningphoto",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("photo", "member"), name="photo_person_once")
                ],
            },
        ),
        migrations.AddField(
            model_name="evening",
            name="series",
            field=models.UUIDField(blank=True, db_index=True, editable=False, null=True),
        ),
        migrations.CreateModel(
            name="EveningKind",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("name", models.CharField(max_length=40, verbose_name="name")),
                ("settings", models.JSONField(blank=True, default=dict)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kinds",
                        to="clubs.club",
                    ),
                ),
                (
                    "regulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="kinds",
                        to="scoring.regulation",
                        verbose_name="regulation",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "name"), name="evening_kind_name_once"),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True),
                        name="evening_kind_has_a_name",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="evening",
            name="kind",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="evenings",
                to="tournaments.eveningkind",
                verbose_name="kind of evening",
            ),
        ),
        migrations.CreateModel(
            name="Copy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[("made", "Made"), ("sent", "Sent"), ("before", "Before")],
                        max_length=6,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("sending", "Sending"),
                            ("working", "Working"),
                            ("ready", "Ready"),
                            ("placing", "Placing"),
                            ("placed", "Placed"),
                            ("failed", "Failed"),
                        ],
                        default="working",
                        max_length=7,
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("done", models.PositiveSmallIntegerField(default=0)),
                ("fault", models.TextField(blank=True)),
                (
                    "contents",
                    models.JSONField(
                        default=list, encoder=django.core.serializers.json.DjangoJSONEncoder
                    ),
                ),
                ("started_at", models.DateTimeField(auto_now_add=True)),
                ("touched_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("taken_at", models.DateTimeField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="copies",
                        to="clubs.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("done__lte", 100)), name="copy_done_of_a_hundred"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CopyFolder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("path", models.CharField(max_length=500)),
                ("chosen_at", models.DateTimeField(auto_now_add=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("made_at", models.DateTimeField(null=True)),
                ("made_name", models.CharField(blank=True, max_length=100)),
                ("fault", models.CharField(blank=True, max_length=500)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("pk", 1)), name="copy_folder_at_most_one"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CopyPiece",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "copy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="tournaments.copy",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("copy", "number"), name="copy_piece_number_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DeletedEvening",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                ("series", models.UUIDField(editable=False, null=True)),
                ("date", models.DateField(verbose_name="date")),
                ("name", models.CharField(blank=True, max_length=80, verbose_name="name")),
                ("settings", models.JSONField(default=dict)),
                ("was_cancelled", models.BooleanField(default=False)),
                ("version", models.PositiveIntegerField(default=1)),
                ("revision", models.PositiveIntegerField(default=1)),
                ("deleted_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deleted_evenings",
                        to="clubs.club",
                    ),
                ),
                (
                    "kind",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.eveningkind",
                    ),
                ),
                (
                    "regulation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="scoring.regulation",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tournaments.season",
                    ),
                ),
            ],
            options={
                "ordering": ["-deleted_at", "date", "pk"],
            },
        ),
        migrations.CreateModel(
            name="HallScreen",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "scene",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("seats", "Where to sit"),
                            ("standings", "Standings"),
                            ("tables", "Tables"),
                            ("movers", "Climbers"),
                            ("pits", "Pits"),
                            ("code", "Code for phones"),
                            ("prizes", "Prizes"),
                        ],
                        max_length=9,
                    ),
                ),
                ("turn", models.PositiveIntegerField(default=0)),
                ("turned_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("held", models.BooleanField(default=False)),
                ("light", models.BooleanField(default=False)),
                ("message", models.CharField(blank=True, max_length=80)),
                ("message_until", models.DateTimeField(blank=True, null=True)),
                (
                    "clock_minutes",
                    models.PositiveSmallIntegerField(
                        default=45,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(300),
                        ],
                    ),
                ),
                ("clock_ends_at", models.DateTimeField(blank=True, null=True)),
                ("clock_left", models.PositiveIntegerField(blank=True, null=True)),
                ("rung", models.PositiveIntegerField(default=0)),
                (
                    "evening",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hall",
                        to="tournaments.evening",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "scene__in",
                                [
                                    "",
                                    "seats",
                                    "standings",
                                    "tables",
                                    "movers",
                                    "pits",
                                    "code",
                                    "prizes",
                                ],
                            )
                        ),
                        name="hall_scene_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("clock_minutes__gte", 1), ("clock_minutes__lte", 300)),
                        name="hall_clock_minutes_1_to_300",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("clock_ends_at", None), ("clock_left", None), _connector="OR"
                        ),
                        name="hall_clock_runs_or_stands",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("message_until", None),
                            models.Q(("message", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="hall_end_of_a_message",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PotEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("booked_on", models.DateField(verbose_name="day")),
                ("what", models.CharField(max_length=100, verbose_name="what it is for")),
                ("cents", models.IntegerField()),
            ],
            options={
                "ordering": ["booked_on", "pk"],
            },
        ),
        migrations.CreateModel(
            name="PrizeGiven",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=60)),
                ("what", models.CharField(blank=True, max_length=80, verbose_name="prize")),
                (
                    "cents",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="amount",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="season",
            name="fee_guest",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MaxValueValidator(9999999)],
                verbose_name="fee for a guest",
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="fee_reduced",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MaxValueValidator(9999999)],
                verbose_name="reduced membership fee",
            ),
        ),
        migrations.CreateModel(
            name="FeePayment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rate",
                    models.CharField(
                        choices=[
                            ("usual", "usual"),
                            ("reduced", "reduced"),
                            ("free", "pays nothing"),
                        ],
                        default="usual",
                        max_length=7,
                    ),
                ),
                (
                    "paid",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="paid",
                    ),
                ),
                ("paid_on", models.DateField(blank=True, null=True, verbose_name="paid on")),
                ("remark", models.CharField(blank=True, max_length=200, verbose_name="remark")),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="fee_payments",
                        to="clubs.member",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fee_payments",
                        to="tournaments.season",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MemberMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("subject", models.CharField(max_length=150, verbose_name="subject")),
                ("text", models.TextField(max_length=10000, verbose_name="text")),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to="clubs.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="MailReceiver",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("under_way", "on its way"),
                            ("sent", "sent"),
                            ("failed", "not sent"),
                        ],
                        default="under_way",
                        max_length=9,
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.member",
                    ),
                ),
                (
                    "mail",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="receivers",
                        to="tournaments.membermail",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("mail", "member"), name="mail_receiver_once"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["under_way", "sent", "failed"])),
                        name="mail_receiver_state_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Package",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bought_on", models.DateField(verbose_name="bought on")),
                (
                    "evenings",
                    models.PositiveSmallIntegerField(
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(200),
                        ],
                        verbose_name="number of evenings",
                    ),
                ),
                (
                    "price",
                    models.PositiveIntegerField(
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="price",
                    ),
                ),
                ("remark", models.CharField(blank=True, max_length=200, verbose_name="remark")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="packages",
                        to="clubs.club",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="packages",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "ordering": ["bought_on", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("evenings__gte", 1), ("evenings__lte", 200)),
                        name="package_evenings_1_to_200",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("bought_on__gte", datetime.date(1900, 1, 1)),
                            ("bought_on__lte", datetime.date(2199, 12, 31)),
                        ),
                        name="package_within_reach",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="registration",
            name="package",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="turns",
                to="tournaments.package",
            ),
        ),
        migrations.AddConstraint(
            model_name="registration",
            constraint=models.CheckConstraint(
                condition=models.Q(("package", None), ("paid__isnull", False), _connector="OR"),
                name="registration_package_is_paid",
            ),
        ),
        migrations.AddField(
            model_name="potentry",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="pot_entries",
                to="tournaments.season",
            ),
        ),
        migrations.AddField(
            model_name="prizegiven",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="prizes_given",
                to="clubs.club",
            ),
        ),
        migrations.AddField(
            model_name="prizegiven",
            name="evening",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="prizes_given",
                to="tournaments.evening",
            ),
        ),
        migrations.AddField(
            model_name="prizegiven",
            name="member",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="prizes_given",
                to="clubs.member",
            ),
        ),
        migrations.AddField(
            model_name="prizegiven",
            name="season",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="prizes_given",
                to="tournaments.season",
            ),
        ),
        migrations.AddConstraint(
            model_name="feepayment",
            constraint=models.UniqueConstraint(
                fields=("season", "member"), name="fee_payment_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="feepayment",
            constraint=models.CheckConstraint(
                condition=models.Q(("rate__in", ["usual", "reduced", "free"])),
                name="fee_payment_rate_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="feepayment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("paid", None), ("paid_on", None)),
                    models.Q(
                        ("paid__isnull", False),
                        ("paid_on__gte", datetime.date(1900, 1, 1)),
                        ("paid_on__isnull", False),
                        ("paid_on__lte", datetime.date(2199, 12, 31)),
                    ),
                    _connector="OR",
                ),
                name="fee_payment_on_a_day",
            ),
        ),
        migrations.AddConstraint(
            model_name="potentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("cents__gte", -9999999),
                    ("cents__lte", 9999999),
                    models.Q(("cents", 0), _negated=True),
                ),
                name="pot_entry_in_or_out",
            ),
        ),
        migrations.AddConstraint(
            model_name="potentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("what", ""), _negated=True), name="pot_entry_says_what"
            ),
        ),
        migrations.AddConstraint(
            model_name="potentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("booked_on__gte", datetime.date(1900, 1, 1)),
                    ("booked_on__lte", datetime.date(2199, 12, 31)),
                ),
                name="pot_entry_within_reach",
            ),
        ),
        migrations.AddConstraint(
            model_name="prizegiven",
            constraint=models.UniqueConstraint(
                fields=("evening", "key", "member"), name="prize_of_evening_given_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="prizegiven",
            constraint=models.UniqueConstraint(
                fields=("season", "key", "member"), name="prize_of_season_given_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="prizegiven",
            constraint=models.CheckConstraint(
                condition=models.Q(("evening", None), ("season", None), _connector="XOR"),
                name="prize_of_evening_or_season",
            ),
        ),
        migrations.AddConstraint(
            model_name="prizegiven",
            constraint=models.CheckConstraint(
                condition=models.Q(("cents", None), ("what", ""), _negated=True),
                name="prize_given_says_what",
            ),
        ),
        migrations.AlterField(
            model_name="feepayment",
            name="season",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="fee_payments",
                to="tournaments.season",
            ),
        ),
        migrations.CreateModel(
            name="FeeYear",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("year", models.PositiveSmallIntegerField(verbose_name="year")),
                (
                    "fee",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="membership fee",
                    ),
                ),
                (
                    "fee_reduced",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="reduced membership fee",
                    ),
                ),
                (
                    "fee_guest",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(9999999)],
                        verbose_name="fee for a guest",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fee_years",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "ordering": ["-year"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "year"), name="fee_year_once"),
                    models.CheckConstraint(
                        condition=models.Q(("year__gte", 1900), ("year__lte", 2199)),
                        name="fee_year_within_reach",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="feepayment",
            name="fee_year",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="fee_payments",
                to="tournaments.feeyear",
            ),
        ),
        migrations.AddConstraint(
            model_name="feepayment",
            constraint=models.UniqueConstraint(
                fields=("fee_year", "member"), name="fee_payment_once_a_year"
            ),
        ),
        migrations.AddConstraint(
            model_name="feepayment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("fee_year__isnull", False), ("season", None)),
                    models.Q(("fee_year", None), ("season__isnull", False)),
                    _connector="OR",
                ),
                name="fee_payment_of_season_or_year",
            ),
        ),
        migrations.CreateModel(
            name="Follower",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("endpoint", models.CharField(max_length=700)),
                ("p256dh", models.CharField(max_length=88)),
                ("auth", models.CharField(max_length=24)),
                (
                    "language",
                    models.CharField(
                        choices=[("nl", "Nederlands"), ("en", "English")],
                        default="nl",
                        max_length=2,
                    ),
                ),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followers",
                        to="clubs.club",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followers",
                        to="clubs.member",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("member", None)),
                        fields=("endpoint", "club"),
                        name="follower_of_a_club_once",
                    ),
                    models.UniqueConstraint(
                        fields=("endpoint", "member"), name="follower_of_a_member_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("endpoint__startswith", "https://")),
                        name="follower_over_https",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ["nl", "en"])),
                        name="follower_language_known",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="evening",
            name="interim",
            field=models.CharField(
                choices=[
                    ("rounds", "the rounds that are over; the round being played stands apart"),
                    ("average", "the average per deal"),
                ],
                default="rounds",
                max_length=7,
                verbose_name="what places go by during the evening",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("interim__in", ["rounds", "average"])),
                name="evening_interim_known",
            ),
        ),
        migrations.RunPython(
            code=summaries_forget,
            reverse_code=django.db.migrations.operations.special.RunPython.noop,
        ),
    ]
