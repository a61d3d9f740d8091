"""What the database looks like: which migrations it has had, and its models as they were then."""

from collections.abc import Mapping

from django.core.management.base import CommandError
from django.db import OperationalError, connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from clubs.archives.container import BadArchive

APPS = "clubs", "scoring", "tournaments"
Models = dict[str, type[models.Model]]


def migrated_to() -> dict[str, str]:
    """The last migration of each of our apps that the database has had."""
    loader = MigrationLoader(connection)
    had = {key for key in loader.applied_migrations if key[0] in APPS}
    followed = {
        parent.key
        for key in had
        for parent in loader.graph.node_map[key].parents
        if parent.key[0] == key[0]
    }
    return dict(sorted(had - followed))


def newest() -> dict[str, str]:
    """The last migration of each of our apps that this version of the program knows."""
    leaves = MigrationLoader(None).graph.leaf_nodes()
    return dict(sorted(key for key in leaves if key[0] in APPS))


def models_at(migrations: Mapping[str, str]) -> Models:
    """Our tables by name, as models that have these migrations and fill in no time by themselves.

    Raises BadArchive where this version of the program does not know one of the migrations.
    """
    loader = MigrationLoader(None)
    for key in migrations.items():
        if key not in loader.graph.nodes:
            migration = " ".join(map(str, key))
            raise BadArchive(
                f"A newer version of Klaverclub made it ({migration}): update this one."
            )
    state = loader.project_state(list(migrations.items()))
    tables = {
        model._meta.label_lower: model
        for model in state.apps.get_models()
        if model._meta.app_label in APPS and model._meta.managed and not model._meta.proxy
    }
    for model in tables.values():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.DateField):
                field.auto_now = field.auto_now_add = False
    return tables


def migrate_to(migrations: Mapping[str, str]) -> None:
    """Bring an empty database to these migrations."""
    MigrationExecutor(connection).migrate(list(migrations.items()))


def require_migrated() -> None:
    """Raises CommandError where the database does not answer, or is behind the program."""
    try:
        had = migrated_to()
    except OperationalError as error:
        raise CommandError(f"The database does not answer: {error}") from error
    if had != newest():
        raise CommandError(
            "The database is not up to date with the program: run `manage.py migrate` first."
        )
