"""Names of people: what a name may look like, and when two names look alike. Nothing here knows a table."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from lamplighter import bots
from lamplighter.engine.phrase import translate

NAME_LENGTH = 40
MARKS = 4  # combining marks on one letter, at most; no script that people are named in needs more
JOINER = "\u200d"  # makes one picture of several
PICTURE = "\ufe0f"  # asks for the coloured picture of a sign
SKIN = range(0x1F3FB, 0x1F400)
# what has no look of its own although Unicode calls it a letter, a mark or a sign
BLANK = {
    *"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U00016fe4\U0001d159",
    *map(chr, [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]),
}


def clean_name(name: str) -> str:
    """Return a name as it is shown: normalised, nothing in it invisible, not too long; empty if nothing is left.

    >>> clean_name("  Ana\\u202e \\u3164 Bo\\u200b ")
    'Ana Bo'
    """
    while (cleaned := _clean_once(name)) != name:  # letters that are side by side now may combine
        name = cleaned
    return name


def _clean_once(name: str) -> str:
    seen = "".join(map(_unmasked, unicodedata.normalize("NFKC", name)))
    return " ".join("".join(_kept(seen)).split())[:NAME_LENGTH].rstrip()


def _unmasked(letter: str) -> str:
    """Return a letter; a space for one that looks like a space, nothing for a mark that nobody sees."""
    if letter.isspace() or (letter in BLANK and unicodedata.category(letter)[0] != "M"):
        return " "
    return "" if letter in BLANK and letter != PICTURE else letter


def _kept(text: str) -> Iterator[str]:
    """The letters of a text that can be seen: marks that sit on a letter, joiners that join pictures."""
    before, marks = " ", 0
    for letter, after in itertools.pairwise(f"{text} "):
        kind = unicodedata.category(letter)
        if letter == JOINER:
            keep = _is_picture(before) and unicodedata.category(after) == "So"
        elif letter == PICTURE:
            keep = unicodedata.category(before) == "So"
        elif kind[0] == "M":
            marks += 1
            keep = unicodedata.category(before)[0] in "LM" and before != PICTURE and marks <= MARKS
        else:
            marks = 0
            keep = letter.isprintable()
        if keep:
            before = letter
            yield letter


def _is_picture(letter: str) -> bool:
    return letter == PICTURE or ord(letter) in SKIN or unicodedata.category(letter) == "So"


# --- what looks alike -------------------------------------------------------------------------------------------------

# Latin letters, and what looks like them: Cyrillic, Greek, Armenian, Cherokee, Lisu, small capitals, letters with a stroke
_ALIKE = {
    "a": "АаΑαɑᴀᎪꓮ",
    "b": "ВвЬьΒβßʙᏴꓐⲃ",
    "c": "СсϹϲςᴄᏟꓚ",
    "d": "ԁԀđĐᴅᎠꓓ",
    "e": "ЕеΕεϵєЄᴇᎬꓰ",
    "f": "ꜰϜꓝ",
    "g": "ɡցɢԌԍᏀꓖ",
    "h": "НнҺһΗհħĦʜᎻꓧ",
    "l": "iI1|ІіӀӏΙιıɩłŁɪʟᒪᏞꓡᏆꓲ",
    "j": "ЈјϳᴊȷͿᎫꓙ",
    "k": "КкΚκᴋᏦꓗ",
    "m": "МмΜᴍᎷꓟ",
    "n": "ПпΝηոɴꓠⲛ",
    "o": "0ОоΟοσօՕøØᴏꓳⲟ",
    "p": "РрΡρϷᴘᏢꓑ",
    "q": "ԛԚզ",
    "r": "ГгʀᎡᏒꓣ",
    "s": "ЅѕꜱՏᏚꓢ",
    "t": "ТтΤτᴛᎢꓔ",
    "u": "υμսՍᴜꓴ",
    "v": "νѵѴᴠᏙꓦ",
    "w": "ԝԜωшᴡᎳꓪ",
    "x": "ХхΧχꓫ",
    "y": "УуҮүΥγʏᎽꓬ",
    "z": "ΖᴢᏃꓜ",
    "3": "Зззʒ",
}
_LOOK = str.maketrans({letter: look for look, letters in _ALIKE.items() for letter in letters})


def skeleton(name: str) -> str:
    """Return what a name comes to without case, spaces and marks, with one letter for all that look like it.

    >>> skeleton("Ánа Ll0") == skeleton("ana 110")  # the second a is Cyrillic
    True
    """
    return _look(name.casefold())


def looks(name: str) -> set[str]:
    """Return the skeletons of a name as written and in small letters: a large letter can look like another than its small one."""
    return {_look(name), skeleton(name)}


def _look(name: str) -> str:
    kinds = ((letter, unicodedata.category(letter)) for letter in unicodedata.normalize("NFKD", name))
    plain = (letter for letter, kind in kinds if kind[0] in "LNS" and kind not in ("Lm", "Sk"))
    seen = "".join(plain).translate(_LOOK).casefold().translate(_LOOK)
    return seen.replace("rn", "m").replace("vv", "w")


def own_name(name: str, taken: Iterable[str]) -> str:
    """Return a name that looks like none of those that are taken: itself, or itself with a number.

    One that mixes alphabets always gets a number: no table of letters knows all that look alike.
    """
    seen = set().union(*map(looks, taken))
    if seen.isdisjoint(looks(name)) and not (seen and mixes_scripts(name)):
        return name
    for number in itertools.count(2):
        numbered = f"{clean_name(name[: NAME_LENGTH - len(f' {number}')])} {number}"
        if seen.isdisjoint(looks(numbered)):
            return numbered
    raise AssertionError("numbers do not end")


def mixes_scripts(name: str) -> bool:
    """Return whether a name has Latin letters beside those of another alphabet: few names do, and most that do imitate one.

    >>> [mixes_scripts(name) for name in ("Ꭺna", "Анна", "Aña", "さくら Ana")]
    [True, False, False, False]
    """
    scripts = {unicodedata.name(letter, "?").split(" ")[0].split("-")[0] for letter in name if letter.isalpha()}
    return "LATIN" in scripts and not scripts.isdisjoint(ALPHABETS)


# written letter by letter, and in part with letters that look like Latin ones
ALPHABETS = {
    "ARMENIAN",
    "CANADIAN",
    "CHEROKEE",
    "COPTIC",
    "CYRILLIC",
    "DESERET",
    "GREEK",
    "LISU",
    "OLD",
    "OSAGE",
}


# --- bots ---------------------------------------------------------------------------------------------------------

# what bots are called, each beside the level it plays at; the seat says which, so that a rematch is with the same ones
BOTS = (
    "Ada", "Bruno", "Cleo", "Doris", "Edgar", "Flora", "Gustav", "Hilda", "Igor", "Juno", "Kasper", "Luna", "Mabel", "Nero",
    "Olga", "Percy",
)  # fmt: skip


def bot_name(bot: str, seat: int, taken: Iterable[str]) -> str:
    """Return what a bot is called at a seat, with its level; nobody else at the table has that name.

    >>> bot_name("greedy?slips=20", 1, ["ada"]), bot_name("greedy?slips=20", 0, ["ada", "Bruno (hard)"])
    ('Bruno (greedy)', 'Cleo (greedy)')
    """
    seen: set[str] = set().union(*(looks(bare_name(name)) for name in taken))
    names = BOTS[seat % len(BOTS) :] + BOTS[: seat % len(BOTS)]
    free = next((name for name in names if seen.isdisjoint(looks(name))), "")
    return f"{free or own_name(names[0], map(bare_name, taken))} ({bot.partition('?')[0]})"


def bare_name(name: str) -> str:
    """Return a name without the level that a bot has after it.

    >>> bare_name("Ada (medium)"), bare_name("Ana (the first)")
    ('Ada', 'Ana (the first)')
    """
    bare, _, level = name.partition(" (")
    return bare if bare in BOTS and level.endswith(")") else name


def name_in(name: str, messages: Mapping[str, str]) -> str:
    """Return the name of a bot with its level in the language of these messages; another name as it is.

    >>> name_in("Ada (calm)", {"calm": "ruhig"}), name_in("", {})
    ('Ada (ruhig)', '')
    """
    bare = bare_name(name)
    return name if bare == name else f"{bare} ({translate(name[len(bare) + 2 : -1], messages)})"


def is_bots(name: str) -> bool:
    """Return whether a name looks like that of a bot: a level with or without a number, or a bot's name with a level.

    >>> [is_bots(name) for name in ("greedy 2", "Greеdy", "Greedy Bo", "Ada", "Ada (medium)", "Adа - hard")]
    [True, True, False, False, True, True]
    """
    kinds = "|".join(sorted(re.escape(skeleton(bot)) for bot in bots.names()))
    people = "|".join(re.escape(skeleton(bot)) for bot in BOTS)
    return any(re.fullmatch(rf"(({people})[\dlo]*)?({kinds})[\dlo]*", look) for look in looks(name))
