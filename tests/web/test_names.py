"""Names: what is shown of them, and which look alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lamplighter import bots
from lamplighter.web.names import BLANK, JOINER, MARKS, NAME_LENGTH, PICTURE, clean_name, is_bots, looks, own_name

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
COUPLE = "\U0001f469\u200d\u2764\ufe0f\u200d\U0001f468"
COOK = "\U0001f468\U0001f3fd\u200d\U0001f373"
texts = st.text(max_size=60) | st.text(
    st.sampled_from(
        [*"Aa 1é\u0301\u0308\u0323", JOINER, "\u200c", PICTURE, *BLANK, *COOK, "\U000e0062", "\u202e", "\u1112"]
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    "name",
    [
        "Ana", "O’Brien", "Łukasz", "Zoë", "José-María", "Nguyễn Thị Hạnh", "Dr. No", "x²".replace("²", "2"),
        "محمد علي", "مُحَمَّد", "שָׁלוֹם", "दीपिका", "श्रीमती", "さくら", "ガンダム", "山田太郎", "김민준", "สมชาย", "မြို့", "Ωmega",
        FAMILY, COUPLE, COOK, "Ana 🚲", "🇫🇷", "(ツ)",
    ],
)  # fmt: skip
def test_names_of_people_stay_as_they_are(name: str) -> None:
    assert clean_name(unicodedata.normalize("NFKC", name)) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize("name", ["Zoe\u0308", "Ａｎａ", "ﬁn", "𝓐𝓷𝓪"])
def test_one_name_has_one_spelling(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFKC", name) != name


@pytest.mark.parametrize(
    "nothing",
    [
        "\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u180e", "\u200b", "\u200c", "\u200d", "\ufeff", "\u2060",
        "\u00ad", "\u034f", "\u17b5", "\U000e0061", "\U000e0100", "\ufe0f", "\u202e", "\u2066", "\u200f", "\u0301",
        "\u20dd", "\u00a0", "\u3000", "\u2028", "\x00", "\ud800", "\ue000", "\u180b", "\U0001d159", "\ufffc", "\u0378",
        "\u3164\u2800\u200b", "\u200d\u200d", " \u0301\u0301",
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_no_name(nothing: str) -> None:
    assert clean_name(nothing) == ""
    assert unicodedata.normalize("NFD", clean_name(f"An{nothing}a")).translate({0x301: "", 0x20: ""}) in (
        "Ana",
        "An\u20dda",
    )


def test_joiners_join_pictures_only() -> None:
    assert clean_name("A\u200dn\u200da") == "Ana"
    assert clean_name(f"{JOINER}{FAMILY}{JOINER}") == FAMILY
    assert clean_name("Ana\ufe0f") == "Ana"


def test_marks_do_not_pile_up() -> None:
    piled = clean_name("Z" + "\u0324\u0330\u0331\u0345\u0301\u0302" * 10 + "oe")
    assert sum(unicodedata.category(letter)[0] == "M" for letter in piled) <= MARKS
    assert piled.endswith("oe")


@given(texts)
@example("e\u034f\u0301")
@example("\u1100\u200b\u1161")
@example("\ufdfa" * 5)
@example("a" * 39 + COOK)
@example("a\u0301\u0300\u0302\u0303\u0304\u0323")
def test_a_clean_name(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    assert len(name) <= NAME_LENGTH
    assert all(letter.isprintable() or letter == JOINER for letter in name)
    assert name == name.strip() and "  " not in name
    assert not set(name) & (BLANK - {PICTURE})
    assert not name or any(unicodedata.category(letter)[0] in "LNPS" for letter in name)
    assert unicodedata.is_normalized("NFKC", name)


# --- alike ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ana", "ana"), ("Ana", "Аnа"), ("Ana", "A n a"), ("Ana", "Aná"), ("Bob", "B0b"), ("Ali", "A1i"), ("Ali", "AIl"),
        ("Hans", "Ηans"), ("Nina", "Νina"), ("vera", "νera"), ("Sam", "Ѕаm"), ("Sam", "Sarn"), ("Will", "VVill"),
        ("ΗΡΑ", "ηρα"), ("Peter", "Рetеr"), ("Anna", "Aɴɴᴀ"), ("Łukasz", "Lukasz"), ("Otto", "0tt0"), ("ИРА", "ира"),
    ],
)  # fmt: skip
def test_names_that_look_alike_get_a_number(name: str, other: str) -> None:
    assert own_name(other, [name]) == f"{other} 2"
    assert own_name(name, [other]) == f"{name} 2"


@pytest.mark.parametrize(
    ("name", "other"), [("Ana", "Anna"), ("Bo", "Bob"), ("Ida", "Ada"), ("さくら", "さら"), ("🚲", "🚗")]
)
def test_names_that_differ_stay(name: str, other: str) -> None:
    assert own_name(other, [name]) == other


@given(texts.map(clean_name).filter(bool), st.lists(st.sampled_from(["Ana", "Ana 2", "Аna2", "A" * 40, "Bo"])))
@example("A" * 40, ["A" * 40, "A" * 38 + " 2"])
def test_a_numbered_name_looks_like_no_other(name: str, taken: list[str]) -> None:
    own = own_name(name, taken)
    assert all(looks(own).isdisjoint(looks(other)) for other in taken)
    assert len(own) <= NAME_LENGTH and clean_name(own) == own
    assert own == name or own[-1].isdigit()


def test_nobody_looks_like_a_bot() -> None:
    for bot in bots.names():
        assert all(map(is_bots, [bot, f"{bot} 2", f"{bot} 17", bot.upper(), bot.replace("e", "е"), f"{bot}l"]))
        assert not is_bots(f"{bot} Bo")
    assert not is_bots("") and not is_bots("Ana 2")


@pytest.mark.parametrize("name", ["Ꭺna", "ꓮna", "Ana.", "Ana·", "Anaˑ", "Ⲁna"])
def test_letters_of_far_alphabets_and_signs_imitate_nobody(name: str) -> None:
    assert own_name(clean_name(name), ["Ana"]) != clean_name(name)
    assert is_bots("Ꮐreedy") and is_bots("greedy-2") and not is_bots("Grete")
