"""The table of `make bench` says by itself what is too slow."""

from tests.load.bench.table import Row, missed, table_lines


def test_a_line_a_name_with_both_databases() -> None:
    rows = {
        "SQLite": [Row("page", 60, "req/s", 40, 100, 400), Row("save", 3.456, "ms")],
        "PostgreSQL": [Row("page", 39, "req/s", 40, 100, 390)],
    }
    assert [line.split() for line in table_lines(rows)] == [
        ["must", "aim", "SQLite", "PostgreSQL"],
        ["figure", "×", "floor", "figure", "×", "floor"],
        ["page,", "req/s", "40", "100", "60", "0.15", "ok", "39", "0.10", "TOO", "SLOW"],
        ["save,", "ms", "3.46", "–"],
    ]
    assert missed(rows) == ["PostgreSQL: page"]


def test_the_most_or_the_least_it_may_be() -> None:
    figures = [Row("", figure, "ms", 20, 8).mark for figure in (21, 20, 8)]
    assert figures == ["TOO SLOW", "ok", "aim"]
    assert [Row("", figure, "req/s", 40, 100).mark for figure in (39, 40, 100)] == figures
    assert Row("", 5, "ms").mark == ""
