import type { Notes } from '../report.ts'

/** The name and the extras of the glTF element that a prim is made from; extras are JSON. */
export type Origin = { name: string; extras?: string }

/** Longer extras are data of a program, not about the model. */
const maxLength = 10_000

/** What has a name and extras. */
type Element = { getName(): string; getExtras(): Record<string, unknown> }

/** Reads what a prim keeps of its element besides its contents; undefined where there is nothing. */
export function originOf(element: Element, notes: Notes): Origin | undefined {
  const name = element.getName().replaceAll('\0', '').slice(0, 1000)
  const given = element.getExtras() ?? {}
  // The names of morph targets are the names of blend shapes, too.
  const { targetNames: _, ...others } = given
  const whole = jsonOf(given)
  const extras = whole.length <= maxLength ? whole : jsonOf(others)
  const isTooLong = extras.length > maxLength
  if (isTooLong) notes.leftOut('extras', `Extras of more than ${maxLength} characters are left out.`)
  const isKept = extras !== '' && !isTooLong
  return name || isKept ? { name, ...(isKept && { extras }) } : undefined
}

const jsonOf = (extras: object): string =>
  Object.keys(extras).length > 0 ? JSON.stringify(extras).replaceAll('\\u0000', '') : ''
