// What is wrong with a page at its present size: an expression that evaluates to sentences. See sizes.py.
;() => {
  const PRESSABLE =
    'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), summary, [role=button]'
  const GRID = 12
  /** Of the 121 points that are tried, so many have to hit: of a card in a hand only a strip may be to be seen. */
  const ENOUGH = 8
  const found = []

  const name = (element) => {
    const text = element.getAttribute('aria-label') || element.innerText || element.title || ''
    const kind = typeof element.className === 'string' && element.className.trim().split(/\s+/)[0]
    return `${element.tagName.toLowerCase()}${kind ? `.${kind}` : ''} “${text.trim().replace(/\s+/g, ' ').slice(0, 40)}”`
  }
  const ancestors = function* (element) {
    for (let one = element.parentElement; one; one = one.parentElement) yield one
  }
  /** Scripts can scroll what hides its overflow; people can't. */
  const fixed = (element) => !/auto|scroll/.test(getComputedStyle(element).overflowY + getComputedStyle(element).overflowX)
  const showing = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('[inert], [aria-hidden=true], .visually-hidden') &&
    getComputedStyle(element).pointerEvents !== 'none'

  const root = document.documentElement
  if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide, the screen ${innerWidth}`)
  const scrolled = [...document.querySelectorAll('*')].map((one) => [one, one.scrollLeft, one.scrollTop])

  for (const element of (document.querySelector('dialog[open]') ?? document).querySelectorAll(PRESSABLE)) {
    if (!showing(element)) continue
    const stuck = [...ancestors(element)].filter((one) => one !== root && one !== document.body && fixed(one))
    const before = stuck.map((one) => [one, one.scrollLeft, one.scrollTop])
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    for (const [one, left, top] of before) {
      if (one.scrollLeft !== left || one.scrollTop !== top) one.scrollTo(left, top)
    }
    const box = element.getBoundingClientRect()
    if (box.width < 1 || box.height < 1) continue
    const left = Math.max(box.left, 0)
    const right = Math.min(box.right, innerWidth)
    const top = Math.max(box.top, 0)
    const bottom = Math.min(box.bottom, innerHeight)
    if (right - left < Math.min(8, box.width) || bottom - top < Math.min(8, box.height)) {
      found.push(`${name(element)} is out of reach, at ${Math.round(box.left)}, ${Math.round(box.top)}`)
      continue
    }
    let seen = 0
    const above = new Map()
    for (let i = 1; i < GRID && seen < ENOUGH; i++) {
      for (let j = 1; j < GRID && seen < ENOUGH; j++) {
        const hit = document.elementFromPoint(left + ((right - left) * i) / GRID, top + ((bottom - top) * j) / GRID)
        if (hit && (element.contains(hit) || hit.closest('label')?.contains(element))) seen++
        else if (hit) above.set(hit, (above.get(hit) ?? 0) + 1)
      }
    }
    if (seen < ENOUGH) {
      const most = [...above].sort((one, other) => other[1] - one[1])[0]
      found.push(`${name(element)} is covered${most ? `, or cut off, by ${name(most[0])}` : ''}`)
    }
  }
  for (const [one, left, top] of scrolled) {
    if (one.scrollLeft !== left || one.scrollTop !== top) one.scrollTo(left, top)
  }
  return found
}
