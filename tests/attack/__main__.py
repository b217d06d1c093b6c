"""All attacks, one after the other, each on a server of its own; the figures of docs/reliability.md.

python -m tests.attack [--seconds 10] [NAMES…]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

import uvloop

from tests.attack.attacks import ATTACKS
from tests.attack.report import described, markdown, summary
from tests.attack.siege import Attack
from tests.attack.stage import Outcome, stage

AFTERWARDS = 3.0
"""Seconds until it is looked how much memory was given back."""


async def suffer(attack: Attack, seconds: float) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        async with stage(Path(folder)) as here:
            await asyncio.sleep(1)
            await here.rest(seconds)
            return await here.suffer(attack, seconds, afterwards=AFTERWARDS)


def tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - this is a command


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAMES", help="of attacks, or what they begin with; all, if none")
    parser.add_argument("--seconds", type=float, default=10, help="of each flood, and of the calm before it")
    parser.add_argument("--markdown", type=Path, help="a file between whose marks the table is written")
    parser.add_argument("--list", action="store_true", help="what there is")
    options = parser.parse_args()
    chosen = [a for a in ATTACKS.values() if not options.names or a.name.startswith(tuple(options.names))]
    outcomes: list[Outcome] = []
    for attack in chosen:
        tell(f"{attack.name} ({attack.protocol}): {attack.about}")
        if options.list:
            continue
        try:
            outcomes.append(uvloop.run(suffer(attack, options.seconds)))
        except Exception as problem:  # the others are still of interest
            tell(f"    FAILED: {problem!r}")
        else:
            for line in described(outcomes[-1]):
                tell(f"    {line}")
    if outcomes:
        tell(summary(outcomes))
        if options.markdown is not None:
            markdown(outcomes, options.markdown)


if __name__ == "__main__":
    main()
