"""What tells people of one name apart, for those who are there already."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from clubs.text.names import initials
from clubs.text.namesakes import marks, named


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
    dependencies = [("clubs", "0006_people_with_addresses_and_namesakes")]

    operations = [migrations.RunPython(tell_apart, migrations.RunPython.noop, elidable=True)]
