/** The texts of a page that cannot be read whole, and the buttons and links that cannot be pressed: each with why. A text that ends in … by design is whole. */
export function unreadable(): string[] {
  /** Of rounding, and of letters that reach over their line. */
  const SLACK = 3
  const named = (element: Element, text: string) =>
    `"${text.trim().slice(0, 40)}" in ${element.className || element.tagName}`
  const isForEars = (element: Element) => element.closest('.visually-hidden, [aria-hidden="true"]') !== null

  const faultOf = (node: Text): string | undefined => {
    const parent = node.parentElement!
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (box.width === 0 || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      return undefined
    if (isForEars(parent)) return undefined
    let fault: string | undefined
    let isOwn = true
    for (let around: Element | null = parent; around; around = around.parentElement) {
      const { display, overflowX, overflowY, textOverflow, position, clipPath } = getComputedStyle(around)
      if (textOverflow === 'ellipsis' || clipPath !== 'none') return undefined
      if (display === 'inline' || display === 'contents') continue
      // What is out of sight there is scrolled to.
      if (/auto|scroll/.test(overflowX) && around.scrollWidth > around.clientWidth) return undefined
      if (/auto|scroll/.test(overflowY) && around.scrollHeight > around.clientHeight) return fault
      const frame = around.getBoundingClientRect()
      const isOver = {
        x: box.left < frame.left - SLACK || box.right > frame.right + SLACK,
        y: box.top < frame.top - SLACK || box.bottom > frame.bottom + SLACK,
      }
      if (isOwn && (isOver.x || isOver.y)) fault = `${named(around, node.data)} runs out of its box`
      isOwn = false
      if ((isOver.x && overflowX !== 'visible') || (isOver.y && overflowY !== 'visible'))
        return `${named(around, node.data)} is cut off`
      if (position === 'fixed') return fault
    }
    return fault
  }

  const faults: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const fault = faultOf(texts.currentNode as Text)
    if (fault) faults.push(fault)
  }
  for (const control of document.querySelectorAll<HTMLElement>('a[href], button, input:not([type="file"])')) {
    if (isForEars(control) || !control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const { left, top, width, height } = control.getBoundingClientRect()
    if (width < 4 || control.className.includes('skip')) continue
    const over = document.elementFromPoint(left + width / 2, top + height / 2)
    const isPressed =
      over !== null && (control.contains(over) || over.contains(control) || over.closest('label')?.control === control)
    if (!isPressed)
      faults.push(
        `${named(control, control.ariaLabel ?? control.textContent)} cannot be pressed: ${over?.className || over?.tagName}`,
      )
  }
  scrollTo(0, 0)
  return faults
}
