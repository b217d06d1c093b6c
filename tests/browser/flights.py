"""What flies over a table, caught as it sets out, and led to its end step by step: no speed makes a difference."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from tests.browser.person import Person

STEPS = 60
STILL = 0.0005
"""Less than a letter that moves by a pixel, as browsers count it: nothing."""

CATCH = """
  window.caught = []
  window.shifts = []
  const name = ({ node }) => `${node?.nodeName} ${node?.className ?? node?.parentElement?.className}`
  // What holds nothing but pieces is where they are, and they are seen to go there.
  const filled = (node) => Boolean(node?.children?.length) && [...node.children].every(pieces)
  const pieces = (node) => Boolean(node?.matches?.('[data-piece]')) || filled(node)
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      if (!sources.every(({ node }) => pieces(node))) shifts.push([value, ...sources.map(name)])
  }).observe({ type: 'layout-shift' })
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes])
    const flying = added.filter((node) => node.dataset?.flight !== undefined)
    if (!flying.length) return
    for (const one of document.getAnimations()) if (one.timeline === document.timeline) one.pause()
    caught.push(...flying)
  }).observe(document, { childList: true, subtree: true })
"""
"""For each page, before its own scripts: whatever sets out is stopped in that moment."""

SHIFTS = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(shifts.splice(0)))))
})"""

MIDDLES = """(selector) => [...document.querySelectorAll(selector)].map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect()
  return [x + width / 2, y + height / 2]
})"""

LEAD = """async (steps) => {
  const middle = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return [x + width / 2, y + height / 2]
  }
  caught = caught.filter((node) => node.isConnected)  // what goes on from there goes on as another
  const moving = document.getAnimations().filter((one) => one.timeline === document.timeline)
  const found = caught.map((node) => ({ piece: node.dataset.flight, path: [], shown: node.textContent.trim() }))
  // What is drawn otherwise under a mouse, or when it is somebody's turn, is no motion.
  const ours = moving.filter((one) => !(one instanceof CSSTransition || one instanceof CSSAnimation))
  const properties = new Set(ours.flatMap((one) => one.effect.getKeyframes().flatMap((frame) => Object.keys(frame))))
  const last = (some) => Math.max(...some.map((one) => one.effect.getComputedTiming().endTime))
  const others = moving.filter((one) => !ours.includes(one))
  for (let step = 0; step <= steps; step++) {
    for (const some of [ours, others]) for (const one of some) one.currentTime = (last(some) * step) / steps
    caught.forEach((node, i) => found[i].path.push(middle(node)))
  }
  found.forEach((one) => {
    const pieces = [...document.querySelectorAll('[data-piece]')]
    one.ends = pieces.filter((node) => node.dataset.piece === one.piece).map(middle)
  })
  caught = []
  moving.forEach((one) => one.finish())
  await Promise.all(moving.map((one) => one.finished.catch(() => undefined)))
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  return { flights: found, properties: [...properties], left: document.querySelectorAll('[data-flight]').length }
}"""


class Flight(NamedTuple):
    piece: str
    """What it stands for; nothing, where it goes into something."""
    path: list[tuple[float, float]]
    """Where its middle is, from step to step."""
    ends: list[tuple[float, float]]
    """Where what it stands for lies: there may be several of a name."""


async def middle(person: Person, selector: str) -> tuple[float, float]:
    """Where the first of these is seen."""
    found = await person.page.evaluate(MIDDLES, selector)
    assert found, selector
    return found[0][0], found[0][1]


async def flown(person: Person) -> list[Flight]:
    """All that has set out, at its end, by steps that nobody could see as a leap."""
    await person.page.wait_for_function("() => caught.length > 0")
    led: dict[str, Any] = await person.page.evaluate(LEAD, STEPS)
    assert led["left"] == 0  # nothing is left of them
    # What else there is in a keyframe is when and how; of what is seen, these are all that a compositor changes alone.
    assert set(led["properties"]) <= {
        "transform",
        "opacity",
        "translate",
        "offset",
        "computedOffset",
        "easing",
        "composite",
    }
    flights = [
        Flight(one["piece"], [tuple(at) for at in one["path"]], [tuple(at) for at in one["ends"]])
        for one in led["flights"]
    ]
    for flight in flights:
        way = math.dist(flight.path[0], flight.path[-1])
        steps = [math.dist(here, there) for here, there in zip(flight.path, flight.path[1:], strict=False)]
        assert max(steps) <= max(3, 0.25 * max(way, sum(steps) / 2)), flight
        if flight.piece:
            assert min(math.dist(flight.path[-1], end) for end in flight.ends) < 2, flight
    return flights


def the(flights: list[Flight], piece: str) -> Flight:
    (found,) = (flight for flight in flights if flight.piece == piece)
    return found


async def shifted(person: Person) -> list[list[Any]]:
    """What else has moved since the page was asked last, and how much, as browsers count it."""
    found: list[list[Any]] = await person.page.evaluate(SHIFTS)
    return found


async def nothing_else_moved(person: Person) -> None:
    """Words change, what lies on the table does not jump."""
    found = await shifted(person)
    assert sum(value for value, *_ in found) < STILL, found
