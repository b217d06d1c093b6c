/** For what scrolls when there is a lot of it. `data-more` says on which sides there is more, so that it can be seen;
 * and as long as there is, the keyboard can reach it. */
export function scrolls(box: HTMLElement) {
  const look = () => {
    const beyond = box.scrollHeight - box.clientHeight - box.scrollTop
    box.dataset.more = [box.scrollTop > 1 && 'above', beyond > 1 && 'below'].filter(Boolean).join(' ')
    if (box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0
    else box.removeAttribute('tabindex')
  }
  const resized = new ResizeObserver(look)
  const changed = new MutationObserver(look)
  resized.observe(box)
  changed.observe(box, { childList: true, subtree: true })
  box.addEventListener('scroll', look, { passive: true })
  return {
    destroy: () => {
      resized.disconnect()
      changed.disconnect()
    },
  }
}
