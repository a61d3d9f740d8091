"""The trail's words for an evening."""

from collections.abc import Iterable, Mapping

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.audit.trail import TrailPlace, describe, uuids
from clubs.models import Club
from tournaments.models import Evening, Table


def _names(club: Club, references: Iterable[str]) -> Mapping[str, TrailPlace]:
    """Evenings by their date, sheets by their table, which has a trail of its own."""
    evenings = Evening.objects.of(club).filter(uuid__in=uuids(references, "evening"))
    tables = Table.objects.filter(
        round__evening__club=club, sheet__uuid__in=uuids(references, "sheet")
    ).select_related("round__evening", "sheet")
    named = {f"evening:{evening.uuid}": TrailPlace(_evening_name(evening)) for evening in evenings}
    return named | {
        f"sheet:{table.sheet.uuid}": TrailPlace(_table_name(table), _table_url(club, table))
        for table in tables
    }


def _evening_name(evening: Evening) -> str:
    named = _("evening of %(date)s") % {"date": date_format(evening.date, "j F Y")}
    return f"{named} · {evening.name}" if evening.name else named


def _table_name(table: Table) -> str:
    return _("%(evening)s, round %(round)s, table %(table)s") % {
        "evening": _evening_name(table.round.evening),
        "round": table.round.number,
        "table": table.number,
    }


def _table_url(club: Club, table: Table) -> str:
    place = [club.slug, table.round.evening.slug, table.number]
    return f"{reverse('table_trail', args=place)}?round={table.round.number}"


describe(
    {
        "copy_put_back": gettext_lazy("A backup copy was put back: everything is as it was then"),
        "evening_created": gettext_lazy("The evening was made"),
        "evening_changed": gettext_lazy("The evening was changed"),
        "evening_rules_changed": gettext_lazy("How the evening is played was changed"),
        "photo_shown": gettext_lazy("A photo of the winners was put on the page of the evening"),
        "photo_removed": gettext_lazy("The photo of the winners was taken away"),
        "camera_link_made": gettext_lazy("An address for the camera of a phone was made"),
        "camera_link_ended": gettext_lazy("The address for the camera of a phone was ended"),
        "sheet_photo_placed": gettext_lazy(
            "The spare sheet on a picture is of round %(round)s, table %(table)s"
        ),
        "sheet_photo_gone": gettext_lazy("A picture of a score sheet was thrown away"),
        "play_off_written": gettext_lazy("The extra deals for the first place were written"),
        "evening_moved": gettext_lazy("The evening was moved to another season"),
        "evening_cancelled": gettext_lazy("The evening was called off"),
        "evening_restored": gettext_lazy("The evening goes on after all"),
        "evenings_planned": gettext_lazy("%(count)s evenings were planned in one go"),
        "kind_added": gettext_lazy("The kind of evening “%(name)s” was made"),
        "kind_renamed": gettext_lazy("A kind of evening is now called “%(name)s”"),
        "kind_removed": gettext_lazy("The kind of evening “%(name)s” was removed"),
        "evening_deleted": gettext_lazy(
            "The evening of %(evening)s was deleted; nothing had been played"
        ),
        "evening_put_back": gettext_lazy("The evening of %(evening)s, which was deleted, is back"),
        "evening_frozen": gettext_lazy("The standings were hidden until the prizes"),
        "evening_thawed": gettext_lazy("The standings were shown again"),
        "hall_message": gettext_lazy("An announcement was shown in the hall: %(message)s"),
        "hall_message_gone": gettext_lazy("The announcement in the hall was taken away"),
        "evening_closed": gettext_lazy("The evening was closed"),
        "absences_found": gettext_lazy(
            "%(count)s members were neither there nor signed off; the evening was closed with that"
        ),
        "person_corrected": gettext_lazy("%(member)s got a correction of %(points)s points"),
        "person_correction_removed": gettext_lazy(
            "The correction of %(points)s points for %(member)s was taken back"
        ),
        "competitor_corrected": gettext_lazy(
            "%(competitor)s got a correction of %(points)s points"
        ),
        "competitor_correction_removed": gettext_lazy(
            "The correction of %(points)s points for %(competitor)s was taken back"
        ),
        "evening_reopened": gettext_lazy("The evening was opened again"),
        "evening_imported": gettext_lazy("The evening was imported from a file"),
        "evening_replaced": gettext_lazy("The evening was replaced by the contents of a file"),
        "results_imported": gettext_lazy("Earlier results were imported from a file"),
        "results_taken_back": gettext_lazy("The import of the results of %(evening)s was undone"),
        "evening_taken_back": gettext_lazy("The import of the evening of %(evening)s was undone"),
        "guest_taken_back": gettext_lazy("%(name)s, a guest from a file, was taken off the list"),
        "published": gettext_lazy("Standings number %(release)s were published"),
        "prizes_chosen": gettext_lazy("The prizes of the evening were chosen"),
        "prizes_given": gettext_lazy("It was noted who got which prize of the evening"),
        "season_prizes_given": gettext_lazy("It was noted who got which prize of a season"),
        "fee_year_opened": gettext_lazy("A membership fee is asked for %(name)s"),
        "fees_set": gettext_lazy("The membership fee of %(name)s was set"),
        "fee_paid": gettext_lazy("The membership fee of %(member)s was marked as paid"),
        "fee_taken_back": gettext_lazy(
            "That %(member)s had paid the membership fee was taken back"
        ),
        "fee_noted": gettext_lazy("It was noted what %(member)s pays as membership fee"),
        "package_added": gettext_lazy("%(member)s paid for %(evenings)s evenings beforehand"),
        "package_removed": gettext_lazy(
            "The package of %(evenings)s evenings of %(member)s was removed"
        ),
        "pot_entry_added": gettext_lazy(
            "Something went in or out of the pot of season %(name)s: %(what)s"
        ),
        "pot_entry_removed": gettext_lazy(
            "Taken off the list of the pot of season %(name)s: %(what)s"
        ),
        "members_mailed": gettext_lazy("A mail was sent to %(count)s people: %(subject)s"),
        "season_prizes_chosen": gettext_lazy("The prizes of a season were chosen"),
        "cup_added": gettext_lazy("The challenge cup “%(cup)s” was added"),
        "cup_changed": gettext_lazy("The challenge cup “%(cup)s” was changed"),
        "cup_removed": gettext_lazy("The challenge cup “%(cup)s” was removed"),
        "cup_won": gettext_lazy("%(member)s won the challenge cup “%(cup)s”"),
        "cup_win_removed": gettext_lazy(
            "That %(member)s won the challenge cup “%(cup)s” was taken back"
        ),
        "wording_saved": gettext_lazy("The wording of what the club sends out was changed"),
        "stakes_set": gettext_lazy("The entry fee was set"),
        "stake_paid": gettext_lazy("The entry fee of %(member)s was marked as paid"),
        "stake_taken_back": gettext_lazy("The entry fee of %(member)s was taken back"),
        "present": gettext_lazy("%(member)s was ticked as present"),
        "absent": gettext_lazy("%(member)s was ticked as absent"),
        "presence_updated": gettext_lazy("The list of who is here was updated"),
        "entries_decided": gettext_lazy("It was decided how people enter for the evening"),
        "entries_closed": gettext_lazy("Entries for the evening were closed"),
        "entries_added": gettext_lazy("Entered for the evening: %(count)s"),
        "entries_thrown_away": gettext_lazy(
            "Entries that nobody had confirmed were thrown away: %(count)s"
        ),
        "entry_confirmed": gettext_lazy("The entry of %(name)s was confirmed"),
        "entry_withdrawn": gettext_lazy("The entry of %(name)s was withdrawn"),
        "entry_restored": gettext_lazy("The entry of %(name)s was put back"),
        "entry_changed": gettext_lazy("The entry of %(name)s was changed"),
        "entry_paid": gettext_lazy("Entry %(number)s was marked as paid"),
        "entry_unpaid": gettext_lazy("That entry %(number)s was paid was taken back"),
        "entry_door_made": gettext_lazy("The check-in at the door got an address"),
        "entry_door_ended": gettext_lazy("The address of the check-in at the door ended"),
        "couple_fixed": gettext_lazy("%(member)s and %(partner)s always play together from now on"),
        "couple_apart": gettext_lazy(
            "%(member)s and %(partner)s never sit at one table from now on"
        ),
        "couple_rule_removed": gettext_lazy(
            "For %(member)s and %(partner)s the draw became free again"
        ),
        "pair_made": gettext_lazy("%(member)s and %(partner)s became pair %(pair)s"),
        "pair_broken": gettext_lazy("Pair %(pair)s was taken apart"),
        "competitor_added": gettext_lazy("“%(name)s” was made, a pair or a team"),
        "competitor_renamed": gettext_lazy("A pair or team is now called “%(name)s”"),
        "competitor_removed": gettext_lazy("“%(name)s”, which had played nothing, was removed"),
        "competitor_joined": gettext_lazy("%(member)s joined “%(name)s”"),
        "competitor_left": gettext_lazy("%(member)s left “%(name)s”"),
        "pair_plays_for": gettext_lazy("Pair %(pair)s plays for “%(name)s”"),
        "team_chosen": gettext_lazy("It was noted who plays for which team"),
        "session_started": gettext_lazy(
            "An evening was started from that of %(from)s, with %(count)s people"
        ),
        "groups_made": gettext_lazy("The evening was split into %(count)s groups"),
        "groups_chosen": gettext_lazy("People were put in another group: %(count)s"),
        "groups_joined": gettext_lazy("%(count)s groups became one evening again"),
        "pairs_numbered": gettext_lazy("Pairs were numbered anew: %(count)s"),
        "pairs_taken_over": gettext_lazy("Pairs that were known already were made: %(count)s"),
        "drawn": gettext_lazy("A draw was made"),
        "draw_typed_in": gettext_lazy("The draw of round %(round)s was typed in"),
        "draw_final": gettext_lazy("The draw was made final"),
        "folders_planned": gettext_lazy("It was decided to play %(count)s folders"),
        "folders_dealt": gettext_lazy(
            "The program dealt %(count)s folders, with the commitment %(commitment)s"
        ),
        "folders_dropped": gettext_lazy("The cards of %(count)s folders were thrown away"),
        "folders_typed_in": gettext_lazy("The cards of %(count)s folders were typed in"),
        "folders_printed": gettext_lazy("The cards in the folders were printed or downloaded"),
        "movement_started": gettext_lazy("%(count)s pairs got their tables and folders"),
        "late_pair_seated": gettext_lazy("Pair %(pair)s came late and got a place"),
        "folder_ruled": gettext_lazy(
            "Pair %(pair)s was given %(percent)s percent of folder %(folder)s"
        ),
        "folder_ruling_removed": gettext_lazy(
            "What pair %(pair)s made of folder %(folder)s counts again"
        ),
        "draw_latecomer": gettext_lazy("%(member)s was put in the draw from round %(round)s"),
        "draw_leaver": gettext_lazy("%(member)s was taken out of the draw from round %(round)s"),
        "extra_table_made": gettext_lazy("In round %(round)s extra table %(table)s was made"),
        "extra_table_undone": gettext_lazy("In round %(round)s the extra table was removed"),
        "draw_undone": gettext_lazy("The draw was undone"),
        "round_started": gettext_lazy("Round %(round)s was started"),
        "round_closed": gettext_lazy("Round %(round)s was closed"),
        "round_reopened": gettext_lazy("Round %(round)s was opened again"),
        "substitute": gettext_lazy("%(member)s took over at table %(table)s for %(leaving)s"),
        "link_renewed": gettext_lazy("Table %(table)s got a new link"),
        "phone_cut_off": gettext_lazy("Phone %(phone)s of table %(table)s was cut off"),
        "phone_let_in": gettext_lazy("Phone %(phone)s of table %(table)s was let in again"),
        "season_added": gettext_lazy("A season was made"),
        "season_changed": gettext_lazy("A season was changed"),
        "season_rule_saved": gettext_lazy("What counts in the season was changed"),
        "season_rule_added": gettext_lazy("The season got one more standing"),
        "season_rule_raised": gettext_lazy("A standing of the season moved one place up"),
        "season_rule_removed": gettext_lazy("A standing of the season was removed"),
    },
    _names,
)
