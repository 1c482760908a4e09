/** The controls of a page that a finger may miss: with less than 44 CSS pixels to press around their centre, upright or across. Links in text are not among them, nor what is dragged on a map: a field beside the map does the same. */
export function untouchable(): string[] {
  /** From the centre; a pixel less, for rounding. */
  const REACH = 21
  const CONTROLS =
    'nav a, td a[data-row], button:not(.maplibregl-marker), select, textarea, input:not([type="file"]):not([type="hidden"])'

  const isPressedAt = (control: Element, x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (control.contains(hit) || hit.closest('label')?.control === control)
  }

  const found: string[] = []
  for (const control of document.querySelectorAll<HTMLElement>(CONTROLS)) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (control.closest('.visually-hidden, [aria-hidden="true"], model-viewer')) continue
    if (control.className.includes('skip') || control.matches(':disabled')) continue
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const { left, top, width, height } = control.getBoundingClientRect()
    if (width < 4) continue
    const [x, y] = [left + width / 2, top + height / 2]
    const isUpright = isPressedAt(control, x, y - REACH) && isPressedAt(control, x, y + REACH)
    const isAcross = isPressedAt(control, x - REACH, y) && isPressedAt(control, x + REACH, y)
    if (isUpright && isAcross) continue
    const name = (control.ariaLabel ?? control.textContent ?? '').trim().slice(0, 30)
    found.push(`"${name}" ${control.outerHTML.slice(0, 70)} is ${Math.round(width)} × ${Math.round(height)}`)
  }
  scrollTo(0, 0)
  return found
}
