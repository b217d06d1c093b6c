"""Everything that the page says is in its files of words, where every language has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.page_sources import LIBRARY, SOURCES, WEB, braced, parts, texts

TRANSLATED = ["components", "games/cambia", "games/coup", "games/palace", "generic", "lesson", "lib", "words"]
"""The folders of the page whose texts have gone into files of words; with what lies beside them, and the library."""
FOLDERS = [*(SOURCES / name for name in TRANSLATED), LIBRARY]

SPOKEN = r"(?:aria-\w*(?:label|description|valuetext)|title|placeholder|alt|label)"
"""Attributes that people read or hear."""
WORD = re.compile(r"[^\W\d_]{2}")
SENTENCE = re.compile(r"[^\W\d_]{2,}[,;:]? [^\W\d_]{2,}|^[A-Z][a-z]+[ .:!?…]*$")
"""What may be meant for people in code, where most texts are not: several words, or one with a capital letter."""
SAME_EVERYWHERE = {"Croupier", "English"}
DRAWING = re.compile(r'="|/>')
"""What is between the attributes of SVG that is put together in code."""
COMPARISON = re.compile(r"[!=]== '[^']*'|'[^']*' [!=]==|(?:case|\bin|startsWith\(|closest\(|satisfies) ?'[^']*'")


def forgotten(source: str) -> Iterator[str]:
    """What a component says by itself."""
    code, markup = parts(source)
    yield from spoken_by_code(code)
    plain = ""
    for before, expression in braced(markup):
        plain += before
        in_tag = plain.rfind("<") > plain.rfind(">")
        spoken = re.search(rf"""\b{SPOKEN}=["']?[^"'>]*$""", before) if in_tag else not re.match("[#:/@]", expression)
        looked_for = WORD if spoken else SENTENCE
        yield from (text for text in texts(COMPARISON.sub("", expression)) if looked_for.search(text))
        plain += "{}"
    for text in [*re.findall(r">([^<>]*)<", f">{plain}<"), *re.findall(rf'\s{SPOKEN}="([^"]*)"', plain)]:
        if WORD.search(unescape(text)) and text not in SAME_EVERYWHERE:
            yield text.strip()


def spoken_by_code(code: str) -> Iterator[str]:
    found = (text for text in texts(COMPARISON.sub("", code)) if SENTENCE.search(text))
    return (text for text in found if text not in SAME_EVERYWHERE and not DRAWING.search(text))


def files(folder: Path, pattern: str) -> list[Path]:
    found = SOURCES.glob(pattern) if folder == SOURCES else folder.rglob(pattern)
    return [path for path in sorted(found) if path.name not in ("en.ts", "fr.ts") and path.parent.name != "protocol"]


@pytest.mark.parametrize("folder", [SOURCES, *FOLDERS], ids=lambda folder: str(folder.relative_to(WEB)))
def test_no_text_is_left_in_components_and_code(folder: Path) -> None:
    found = {str(path.relative_to(WEB)): list(forgotten(path.read_text())) for path in files(folder, "*.svelte")}
    found |= {str(path.relative_to(WEB)): list(spoken_by_code(path.read_text())) for path in files(folder, "*.ts")}
    assert found, "there is nothing in this folder"
    assert {path: said for path, said in found.items() if said} == {}


@pytest.mark.parametrize(
    "component",
    [
        "<p>Your turn</p>",
        "<p>{#if over}Over{:else}{t.turn}{/if}</p>",
        "<p>{over ? 'over' : t.turn}</p>",
        "<p>{t.turn}, {name} is next</p>",
        '<button aria-label="Close" onclick={() => close()}>×</button>',
        '<button aria-label="{name}\'s cards">{t.cards}</button>',
        "<img alt={open ? 'open' : t.hidden} />",
        "<Claim text={`${name} claims it`} />",
        "<script>const status = mine ? 'Your turn' : t.wait</script>",
        "<script>const NAMES = { duke: 'Duke' }</script>",
    ],
)
def test_a_forgotten_text_is_found(component: str) -> None:
    assert len(list(forgotten(component))) == 1


@pytest.mark.parametrize(
    "component",
    [
        "<!-- A card --><p class='a class' title='S'>{t.turn}:&ensp; {step === 'over' ? '–' : `✓ ${name}`}</p>",
        "<style>p { content: 'some words' }</style>",
        "{#if event.key === 'Escape'}<Card {name} kind='some' />{/if}",
        '<script>const dot = `<circle class=\'some\' cx="${x}" cy="2"/>`</script>',
        "<h1>Croupier</h1>",
        "<script>import Card from 'the card.svelte' // my own words\n const d = 'M12 8h4 M3'</script>",
    ],
)
def test_what_nobody_reads_may_stay(component: str) -> None:
    assert list(forgotten(component)) == []


LOOSE = re.compile(r"[^\u202f\xa0][;!?]|[^\u202f\xa0\d]:|«[^\u202f\xa0]|[^\u202f\xa0]»")
"""High punctuation that may find itself at the beginning of a line. (Times of day have their colons as they are.)"""


FRENCH = sorted([*SOURCES.rglob("fr.ts"), *LIBRARY.rglob("fr.ts")])


@pytest.mark.parametrize("path", FRENCH, ids=lambda path: str(path.relative_to(WEB)))
def test_french_has_spaces_that_do_not_break(path: Path) -> None:
    assert [text for text in texts(path.read_text()) if LOOSE.search(text)] == []
