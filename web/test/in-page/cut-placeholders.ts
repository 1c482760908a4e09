/** The placeholders of a page that are wider than their fields. */
export function cutPlaceholders(): string[] {
  const context = document.createElement('canvas').getContext('2d')!
  return [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')].flatMap((field) => {
    if (!field.checkVisibility() || field.placeholder === '') return []
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    context.font = font
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    const width = context.measureText(field.placeholder).width
    // A pixel for rounding.
    return width > room + 1 ? [`"${field.placeholder}" is ${Math.round(width)} in ${Math.round(room)}`] : []
  })
}
