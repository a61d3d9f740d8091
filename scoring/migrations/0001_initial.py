"""All tables, as the first version had them."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("clubs", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Deal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("version", models.PositiveIntegerField(default=0, editable=False)),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="DealEntry",
            fields=[
                ("uuid", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("revision", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("written", "written"),
                            ("undone", "undone"),
                            ("swapped", "sides swapped"),
                            ("moved", "moved from another sheet"),
                            ("restored", "put back"),
                        ],
                        default="written",
                        max_length=8,
                    ),
                ),
                ("written", models.JSONField(blank=True, null=True)),
                ("result", models.JSONField(blank=True, null=True)),
                ("warnings", models.JSONField(default=list)),
                ("replayed", models.BooleanField(default=False)),
                ("record", models.JSONField(blank=True, null=True)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("actor", models.CharField(max_length=60)),
                ("side", models.CharField(blank=True, max_length=2)),
                ("device", models.CharField(blank=True, max_length=60)),
                ("made_at", models.DateTimeField()),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="scoring.deal",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="replaced_by",
                        to="scoring.dealentry",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["revision"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("deal", "revision"), name="deal_entry_revision_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["written", "undone", "swapped", "moved", "restored"])
                        ),
                        name="deal_entry_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("replaces", None), ("revision", 1)),
                            models.Q(("replaces__isnull", False), ("revision__gt", 1)),
                            _connector="OR",
                        ),
                        name="deal_entry_replaces_the_one_before",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["", "NS", "EW"])),
                        name="deal_entry_side_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DealConfirmation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("side", models.CharField(max_length=2)),
                ("actor", models.CharField(max_length=60)),
                ("device", models.CharField(blank=True, max_length=60)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="confirmations",
                        to="scoring.dealentry",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("entry", "side"), name="deal_confirmation_once_per_side"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["NS", "EW", "N", "E", "S"])),
                        name="deal_confirmation_side_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DealClaim",
            fields=[
                ("uuid", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("different", "two phones wrote it differently"),
                            ("objected", "the other side counted something else"),
                            ("late", "it came when the sheet was done"),
                            ("cut_off", "it came from a phone that may no longer write here"),
                            ("same", "it says what is there already"),
                        ],
                        max_length=9,
                    ),
                ),
                ("written", models.JSONField()),
                ("result", models.JSONField()),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("side", models.CharField(blank=True, max_length=2)),
                ("actor", models.CharField(max_length=60)),
                ("device", models.CharField(blank=True, max_length=60)),
                ("made_at", models.DateTimeField()),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("decided_by", models.CharField(blank=True, max_length=60)),
                ("taken", models.BooleanField(blank=True, null=True)),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to="scoring.deal",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "against",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="claims",
                        to="scoring.dealentry",
                    ),
                ),
            ],
            options={
                "ordering": ["received_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("decided_at", None)),
                        fields=("deal", "actor", "device"),
                        name="deal_claim_one_open_per_device",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("why__in", ["different", "objected", "late", "cut_off", "same"])
                        ),
                        name="deal_claim_why_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["", "NS", "EW"])),
                        name="deal_claim_side_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at", None), ("taken", None)),
                            models.Q(("decided_at__isnull", False), ("taken__isnull", False)),
                            _connector="OR",
                        ),
                        name="deal_claim_decided_one_way",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("why", "same"), _negated=True),
                            models.Q(("decided_at__isnull", False), ("taken", True)),
                            _connector="OR",
                        ),
                        name="deal_claim_same_is_no_dispute",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="deal",
            name="current",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="current_of",
                to="scoring.dealentry",
            ),
        ),
        migrations.CreateModel(
            name="Regulation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("settings", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="regulations",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "-version"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "name", "version"), name="regulation_version_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", 1)), name="regulation_version_from_1"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "topic",
                    models.CharField(
                        choices=[
                            ("dealing", "cutting and dealing"),
                            ("signalling", "signalling"),
                            ("out_of_turn", "cards played out of turn"),
                            ("counting", "who counts"),
                            ("other", "everything else"),
                        ],
                        max_length=11,
                    ),
                ),
                ("text", models.TextField(max_length=1000)),
                ("text_en", models.TextField(blank=True, max_length=1000)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rule_notes",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "topic"), name="rule_note_once_per_topic"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "topic__in",
                                ["dealing", "signalling", "out_of_turn", "counting", "other"],
                            )
                        ),
                        name="rule_note_topic_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="rule_note_says_something",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Scoresheet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("chain_length", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "chain_head",
                    models.CharField(blank=True, default="", editable=False, max_length=64),
                ),
                ("three_handed", models.BooleanField(default=False)),
                ("two_handed", models.BooleanField(default=False)),
                ("deals_planned", models.PositiveSmallIntegerField(default=16)),
                ("first_dealer", models.CharField(blank=True, default="E", max_length=1)),
                ("target", models.PositiveIntegerField(blank=True, null=True)),
                ("first_trump", models.CharField(blank=True, max_length=1)),
                ("first_reneging_replayed", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[("planned", "planned"), ("open", "open"), ("closed", "closed")],
                        default="open",
                        max_length=7,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("deals_entered", models.PositiveSmallIntegerField(default=0)),
                ("warnings", models.PositiveSmallIntegerField(default=0)),
                ("score_ns", models.IntegerField(default=0)),
                ("score_ew", models.IntegerField(default=0)),
                ("last_entry_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scoresheets",
                        to="clubs.club",
                    ),
                ),
                (
                    "regulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="scoresheets",
                        to="scoring.regulation",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["planned", "open", "closed"])),
                        name="scoresheet_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first_dealer__in", ["", "N", "E", "S", "W"])),
                        name="scoresheet_first_dealer_is_a_seat",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("deals_planned__gte", 1), ("deals_planned__lte", 99)),
                        name="scoresheet_deals_1_to_99",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("deals_entered__lte", models.F("deals_planned"))),
                        name="scoresheet_entered_at_most_planned",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("target", None),
                            models.Q(("target__gte", 162), ("target__lte", 5000)),
                            _connector="OR",
                        ),
                        name="scoresheet_target_162_to_5000",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first_trump__in", ["", "C", "D", "H", "S"])),
                        name="scoresheet_first_trump_is_a_suit",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("three_handed", False), ("two_handed", False), _connector="OR"
                        ),
                        name="scoresheet_of_three_or_of_two",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="deal",
            name="sheet",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deals",
                to="scoring.scoresheet",
            ),
        ),
        migrations.CreateModel(
            name="ControlTotal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("side", models.CharField(max_length=2)),
                ("points", models.PositiveIntegerField(blank=True, null=True)),
                ("roem", models.PositiveIntegerField(blank=True, null=True)),
                ("pits", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("total", models.IntegerField(blank=True, null=True)),
                ("accepted_version", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="control_totals",
                        to="scoring.scoresheet",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("sheet", "side"), name="control_total_once_per_side"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["NS", "EW", "N", "E", "S"])),
                        name="control_total_side_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Confirmation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("side", models.CharField(max_length=2)),
                ("sheet_version", models.PositiveIntegerField()),
                ("agrees", models.BooleanField()),
                ("note", models.CharField(blank=True, max_length=200)),
                ("by", models.CharField(max_length=60)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="confirmations",
                        to="scoring.scoresheet",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("sheet", "side", "sheet_version"), name="confirmation_once_per_side"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["NS", "EW", "N", "E", "S"])),
                        name="confirmation_side_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.CharField(max_length=1)),
                ("from_deal", models.PositiveSmallIntegerField(default=1)),
                ("extra", models.BooleanField(default=False)),
                ("score", models.IntegerField(default=0)),
                ("roem", models.PositiveIntegerField(default=0)),
                ("pits", models.PositiveSmallIntegerField(default=0)),
                ("nats", models.PositiveSmallIntegerField(default=0)),
                ("deals", models.PositiveSmallIntegerField(default=0)),
                (
                    "counts_for",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="credited_seats",
                        to="clubs.member",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="seats",
                        to="clubs.member",
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="scoring.scoresheet",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("sheet", "seat", "from_deal"), name="seat_one_holder_per_deal"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seat__in", ["N", "E", "S", "W"])),
                        name="seat_is_a_compass_point",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("from_deal__gte", 1)), name="seat_from_deal_1"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SideTotal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("side", models.CharField(max_length=2)),
                ("points", models.PositiveIntegerField()),
                ("roem", models.PositiveIntegerField(default=0)),
                ("pits", models.PositiveSmallIntegerField(default=0)),
                ("correction", models.IntegerField(default=0)),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="side_totals",
                        to="scoring.scoresheet",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("sheet", "side"), name="side_total_once_per_side"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["NS", "EW", "N", "E", "S"])),
                        name="side_total_side_known",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.UniqueConstraint(
                fields=("sheet", "number"), name="deal_number_once_per_sheet"
            ),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1)), name="deal_number_from_1"
            ),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("current", None), ("version", 0)),
                    ("version__gte", 1),
                    _connector="OR",
                ),
                name="deal_at_version_0_has_no_entry",
            ),
        ),
        migrations.AddField(
            model_name="scoresheet",
            name="chain_seal",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
    ]
