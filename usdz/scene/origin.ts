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
  const given = element.getExtras()
  const text = given && Object.keys(given).length > 0 ? JSON.stringify(given).replaceAll('\\u0000', '') : ''
  if (text.length > maxLength) notes.leftOut('extras', `Extras of more than ${maxLength} characters are left out.`)
  const extras = text.length > 0 && text.length <= maxLength ? text : undefined
  return name || extras ? { name, ...(extras && { extras }) } : undefined
}
