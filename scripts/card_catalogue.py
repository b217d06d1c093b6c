"""Write the card catalogue of Fortress into its page, from the cards themselves.

python scripts/card_catalogue.py    # rewrites what is between the markers in docs/games/fortress.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from croupier.games.fortress.card_definition import Card, Text
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.costs import price
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.places import Kind

PAGE = Path(__file__).parents[1] / "docs" / "games" / "fortress.md"
BEGIN, END = "<!-- cards -->\n", "<!-- /cards -->\n"

TITLES: dict[Kind, str] = {
    "castle": "Castles", "decree": "Decrees", "soldier": "Soldiers", "trickster": "Tricksters", "mage": "Mages",
}  # fmt: skip

ANSWERS = {
    "any": "anything",
    "trickster": "a trickster",
    "attack": "an attack",
    "soldier attack": "a soldier's attack",
    "ability": "an ability",
    "in play or on lvl": "an In play or On Lvl ability",
    "draw or add": "an ability that draws or adds",
}


def main(page: Path = PAGE) -> None:
    page.write_text(filled(page.read_text()))


def filled(page: str) -> str:
    """The page with a fresh catalogue."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{catalogue()}\n{END}{after}"


def catalogue() -> str:
    return "\n\n".join([*(_section(kind) for kind in TITLES), _starters()])


def _section(kind: Kind) -> str:
    cards = [card for card in CARDS if card.kind == kind]
    columns = {
        "castle": ("health", "effect"), "decree": ("turns", "effect"), "soldier": ("points", "cost", "abilities"),
        "trickster": ("answers", "effect"), "mage": ("points", "cost", "level 1", "level 2", "level 3"),
    }[kind]  # fmt: skip
    lines = [f"### {TITLES[kind]}", "", _row("", "name", *columns), "|" + "---|" * (len(columns) + 2)]
    lines += [_row(str(card.id), card.name, *_cells(card)) for card in cards]
    return "\n".join(lines)


def _cells(card: Card) -> list[str]:
    texts = [_text(text) for text in card.texts]
    if card.kind == "castle":
        return [str(card.health), " ".join(texts) or "none"]
    if card.kind == "decree":
        return [str(card.lasts), " ".join(texts)]
    if card.kind == "trickster":
        assert card.texts[0].answers is not None
        return [ANSWERS[card.texts[0].answers], " ".join(texts)]
    cost = price(card.id) or "–"
    return [str(card.points), cost, " ".join(texts)] if card.kind == "soldier" else [str(card.points), cost, *texts]


def _text(text: Text) -> str:
    printed = {"on play": "On play", "on lvl": "On Lvl", "in play": "In play", "field": "Field", "special": "Special"}
    return f"*{printed[text.trigger]}:* {text.words}" if text.trigger in printed else text.words


def _starters() -> str:
    lines = ["### Decks to begin with", ""]
    for name, deck in STARTERS.items():
        counts = {card: deck.count(card) for card in sorted(set(deck[:-1]))}
        listed = [f"{count} {CARDS[card].name}" if count > 1 else CARDS[card].name for card, count in counts.items()]
        lines.append(f"- **{name}**, {CARDS[deck[-1]].name}: {', '.join(listed)}.")
    return "\n".join(lines)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
