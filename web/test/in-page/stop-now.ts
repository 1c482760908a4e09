/** The element that has the focus, as a Stop (stops.ts). What is drawn in its place, as the label of a choice, counts for it. */
export function stopNow() {
  const focused = document.activeElement as HTMLElement | null
  const none = { name: 'the page', faults: [], left: 0, top: 0, width: 0, nth: -1 }
  if (!focused || focused === document.body) return none

  const nth = [...document.querySelectorAll('*')].indexOf(focused)
  const isTiny = (element: Element) => element.getBoundingClientRect().width < 4
  const label = (focused as HTMLInputElement).labels?.[0]
  const seen = (isTiny(focused) || getComputedStyle(focused).opacity === '0') && label ? label : focused
  const box = seen.getBoundingClientRect()
  const name = focused.ariaLabel ?? (label?.textContent || focused.textContent || focused.tagName).trim().slice(0, 60)

  const isOutlined = (element: Element | null | undefined) => {
    const { outlineStyle, outlineWidth } = element
      ? getComputedStyle(element)
      : { outlineStyle: 'none', outlineWidth: '0' }
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  }
  const around = [focused, seen, focused.nextElementSibling, ...(label?.children ?? []), focused.parentElement]
  const isShown = around.some(isOutlined)

  const right = Math.min(box.right, innerWidth)
  const bottom = Math.min(box.bottom, innerHeight)
  const [x, y] = [(Math.max(box.left, 0) + right) / 2, (Math.max(box.top, 0) + bottom) / 2]
  const over = document.elementFromPoint(x, y)
  const isUncovered = over !== null && (seen.contains(over) || over.contains(seen) || (label?.contains(over) ?? false))
  const isWhole = box.top >= 0 && box.bottom <= innerHeight + 1 && box.left >= 0 && box.right <= innerWidth + 1
  // What is larger than the window, as a long table, cannot be seen whole.
  const fits = box.height < innerHeight / 2

  const faults = [
    ...(isShown ? [] : ['does not show that it has the focus']),
    ...(isUncovered ? [] : [`is covered by ${over?.outerHTML.slice(0, 120) ?? 'nothing: it is out of sight'}`]),
    ...(isWhole || !fits ? [] : ['is not seen whole']),
    ...(focused.tabIndex > 0 ? ['stands in an order of its own'] : []),
  ]
  return { name, faults, left: box.left, top: box.top + scrollY, width: box.width, nth }
}
