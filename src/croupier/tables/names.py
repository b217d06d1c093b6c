"""What people, and tables, may be called; and what is left of a text that would do something to whoever reads it.

Whatever people write is a name: letters of every script, accents, apostrophes, emoji. What nobody can see is not:
control characters, marks that turn the direction of a line, and those of no width, except where a script or an emoji
is written with them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Any

from croupier.kernel import Naming
from croupier.tables.notices import Refused
from croupier.tables.table import AnyGame

LONGEST = 40
"""Characters of a person's name, where no game wants it shorter."""
LONGEST_TABLE = 60
"""Characters of a table's name."""

_SERVER = "__server"
"""What a protocol may call the server where others have names."""
_BOT = "bot"
"""The first word of every bot's name. In most protocols it is all that tells them from people."""
_LIKE_LATIN = str.maketrans("вβоοтτ0", "bboott" + "o")
"""Letters of other alphabets that look like those, in capitals at least."""

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""They choose between two ways to draw what is before them."""
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")
"""Letters and symbols, says Unicode; nobody sees them."""
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
"""England's, Scotland's, Wales': a black flag and invisible letters."""
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories: control, format, surrogate, private, unassigned; and the ends of lines and paragraphs."""
_PICTURES = ("So", "Sk", "Sm")
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What turns the direction of a line."""


def of_person(text: str, game: AnyGame) -> str:
    """What somebody is called at a game's table. Nobody may pass for a bot, or for the server. Raises ``Refused``."""
    naming = game.customs.naming
    name, about = _checked(text, "player", naming.longest)
    if _passes_for_another(name, naming):
        raise Refused("bad_name", "only bots and the server have such names", about)
    if naming.pattern and not re.fullmatch(naming.pattern, name):
        raise Refused("bad_name", naming.hint, about, game)
    return name


def of_anybody(text: str) -> str:
    """What somebody is called who is at no table. Raises ``Refused``."""
    return _checked(text, "name", LONGEST)[0]


def of_table(text: str) -> str:
    """What a table is called. Raises ``Refused``."""
    return _checked(text, "name", LONGEST_TABLE)[0]


def distinct(name: str, taken: Collection[str], game: AnyGame) -> str:
    """The same name, or with a number where somebody is called so already (``taken`` is folded): for those who don't
    choose whom they meet."""
    naming = game.customs.naming
    for number in range(2, 100):
        if folded(name) not in taken:
            return name
        another = f"{name[: naming.longest - 3].rstrip()} {number}"
        if folded(another) not in taken and re.fullmatch(naming.pattern or ".*", another):
            return another
    return name


def _checked(text: str, field: str, longest: int) -> tuple[str, dict[str, Any]]:
    """A name as it is kept: no white space at its ends, single spaces within; and what there is to know about it.

    >>> _checked("  Zoë   O’Neil 🏳️‍🌈 ", "player", 40)[0]
    'Zoë O’Neil 🏳️‍🌈'
    """
    about = {"field": field, "longest": longest}
    if len(text) > 10 * longest:  # so long that nobody has to look at it
        raise Refused("bad_name", "a name has up to {longest} characters here", about)
    name = " ".join(text.split())
    if not _said(name):
        raise Refused("bad_name", "a name can't be empty", about)
    if not seen(text):
        raise Refused("bad_name", "a name can't have characters that nobody sees", about)
    if len(name) > longest:
        raise Refused("bad_name", "a name has up to {longest} characters here", about)
    return name, about


def folded(name: str) -> str:
    """Names are the same if this is: without case, width, accents of their own or what can't be seen.

    >>> folded("ＢＯＢ ") == folded("bob")
    True
    """
    text = _SELECTORS.sub("", name).replace(_ZWJ, "").replace(_ZWNJ, "")
    while (again := unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())) != text:
        text = again
    return " ".join(text.split())


def seen(text: str) -> bool:
    """Whether all of it can be seen, and nothing does anything else than to be seen."""
    text = _FLAG.sub("\U0001f3f4", text)
    for at, letter in enumerate(text):
        if letter in (_ZWNJ, _ZWJ):
            if not _joins(text, at):
                return False
        elif _SELECTORS.match(letter):
            if at == 0 or text[at - 1].isspace() or _SELECTORS.match(text[at - 1]):
                return False
        elif _BLANK.match(letter) or (unicodedata.category(letter) in _UNSEEN and not _is_new_picture(letter)):
            return False
    return True


def _said(name: str) -> bool:
    """Whether there is anything but spaces and accents."""
    return any(unicodedata.category(letter)[0] not in "MZ" for letter in name)


def _joins(text: str, at: int) -> bool:
    """Whether a joiner of no width has something to do there: in an emoji, or in a script that is written with them."""
    before, after = _SELECTORS.sub("", text[:at])[-1:], text[at + 1 : at + 2]
    if not before or not after:
        return False
    if text[at] == _ZWJ and _is_picture(before) and _is_picture(after):
        return True
    script = (
        unicodedata.bidirectional(before) == "AL" or unicodedata.combining(before) == 9
    )  # Persian; Hindi and others
    return script and unicodedata.category(after)[0] == "L"


def _is_picture(letter: str) -> bool:
    return unicodedata.category(letter) in _PICTURES or _is_new_picture(letter)


def _is_new_picture(letter: str) -> bool:
    """An emoji that phones know before we do: all that is not assigned there yet is kept for them."""
    return "\U0001f000" <= letter <= "\U0001faff" and unicodedata.category(letter) == "Cn"


def _passes_for_another(name: str, naming: Naming) -> bool:
    told = folded(name)
    first = told.partition(" ")[0].translate(_LIKE_LATIN)
    return first == _BOT or told in (_SERVER, *map(folded, naming.taken))


def line(text: str) -> str:
    """What somebody says, in one line that does nothing to those around it. Nobody is refused for what they paste.

    >>> line("so\\nmuch \\x1b]52;c;aGk=\\x07 \\u202eto say")
    'so much ]52;c;aGk= to say'
    """
    text = re.sub(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+", " ", text)
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", "", _TURNING.sub("", text)).strip()


def harmless(text: str) -> str:
    """For a terminal or a log: what was let in long ago, or by other ways, is seen and does nothing.

    >>> harmless("Ann\\x1b[2J \\u202enoB")
    'Ann\\\\x1b[2J \\\\u202enoB'
    """
    return "".join(_escaped(letter) if _acts(letter) else letter for letter in text)


def _acts(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or _TURNING.match(letter) is not None


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()
