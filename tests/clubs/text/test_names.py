import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.text.names import initials, name_key, sort_key, tidy_name

NAMES = st.text(max_size=60)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Jan van der Meer", "meer, jan van der"),
        ("JAN VAN DER MEER", "meer, jan van der"),
        ("Anna Maria van den Berg-de Wit", "berg-de wit, anna maria van den"),
        ("Mia Smit-van der Laan", "smit-van der laan, mia"),
        ("Piet de Vries", "vries, piet de"),
        ("Wil 't Hart", "hart, wil 't"),
        ("Wil ’t Hart", "hart, wil ’t"),
        ("Kees in 't Veld", "veld, kees in 't"),
        ("Jean D'Artagnan", "d'artagnan, jean"),
        ("Anna Łuczak", "luczak, anna"),
        ("Ayşe Özdemir", "ozdemir, ayse"),
        ("Linh Đặng", "dang, linh"),
        ("Prince", "prince"),
        ("van", "van"),
        ("Jan van", "van, jan"),
        ("J. P. Bos", "bos, j. p."),
        ("", ""),
    ],
)
def test_names_sort_by_surname(name: str, key: str) -> None:
    assert sort_key(name) == key


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Jan Bakker", "J. B."),
        ("Jan van der Meer", "J. v. d. M."),
        ("Wil 't Hart", "W. t. H."),
        ("Mia Smit-de Vries", "M. S.-d. V."),
        ("Anna Łuczak", "A. Ł."),
        ("J. P. Bos", "J. P. B."),
        ("Prince", "P."),
        ("Jan - Bos", "J. B."),
        ("", ""),
    ],
)
def test_of_a_name_only_initials_may_be_left(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_a_list_sorts_as_in_the_dutch_telephone_book() -> None:
    people = ["Ab Zwart", "Jan van der Meer", "An de Boer", "Bep Meijer", "Cor Łuczak", "Ap Meer"]
    assert sorted(people, key=sort_key) == [
        "An de Boer",
        "Cor Łuczak",
        "Ap Meer",
        "Jan van der Meer",
        "Bep Meijer",
        "Ab Zwart",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Jan Bos", "  jan   BOS "), ("Straße", "STRASSE"), ("Lies van Dijk", "lies VAN dijk")],
)
def test_case_and_spaces_do_not_count(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_control_characters_are_spaces() -> None:
    assert tidy_name("Jan\x00Bos\t van\n Dam") == "Jan Bos van Dam"


@given(NAMES)
def test_any_text_has_keys(name: str) -> None:
    tidy = tidy_name(name)
    assert tidy_name(tidy) == tidy
    assert name_key(tidy) == name_key(f"  {tidy} ")
    assert sort_key(tidy) == sort_key(f" {tidy}  ")


@given(
    st.lists(st.sampled_from(["Jan", "van", "de", "'t", "Bos", "Smit-de", "Łuczak"]), min_size=1)
)
def test_no_word_is_lost(words: list[str]) -> None:
    key = sort_key(" ".join(words)).replace(",", "")
    assert sorted(key.split()) == sorted(sort_key(word) for word in words)


@pytest.mark.parametrize(
    ("name", "tidied"),
    [
        ("Jan\u200b", "Jan"),
        ("\ufeffJan", "Jan"),
        ("Jan\u202eretteP", "JanretteP"),
        ("\u2066Jan\u2069 Bos", "Jan Bos"),
        ("\u200b\ufeff\u3164\u2800\u202e", ""),
        ("Ja\u200dn", "Jan"),
        ("Jose\u200b\u0301", "José"),
        ("ශ්\u200dරී", "ශ්\u200dරී"),
        ("👩\u200d🍳", "👩\u200d🍳"),
        ("دينا\u200c‌ها", "دينا\u200c‌ها"),
    ],
)
def test_what_nobody_sees_is_no_part_of_a_name(name: str, tidied: str) -> None:
    """Two of one name, one of them with a space of no width, were two people on each list."""
    assert tidy_name(name) == tidied


@given(NAMES)
def test_to_tidy_twice_changes_nothing_more(name: str) -> None:
    assert tidy_name(tidy_name(name)) == tidy_name(name)


def test_names_that_differ_in_joiners_only_are_the_same_when_compared() -> None:
    assert name_key("ශ්\u200dරී") == name_key("ශ්රී")
