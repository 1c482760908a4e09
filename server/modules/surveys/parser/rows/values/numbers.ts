import { unitOf } from './units.ts'

export type Decimal = '.' | ','

const plain = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/
const comma = /^[+-]?\d+(,\d+)?([eE][+-]?\d+)?$/
const bare = /^[+-]?(\d+\.|\.\d+)$/
const bareComma = /^[+-]?(\d+,|,\d+)$/
/**
 * Thousands set apart, by gaps and apostrophes in either convention. By the sign that is not the decimal one only where
 * it cannot be that: `650,100` is refused.
 */
const grouped = /^[+-]?\d{1,3}(?:(?:([ '’])\d{3}(?:\1\d{3})*|(?:,\d{3}){2,})(?:\.\d+)?|,\d{3}\.\d+)$/
const groupedComma = /^[+-]?\d{1,3}(?:(?:([ '’])\d{3}(?:\1\d{3})*|(?:\.\d{3}){2,})(?:,\d+)?|\.\d{3},\d+)$/

/** No number and no angle takes more; what is longer is not looked at, so that no expression below runs long. */
const MAX_CHARACTERS = 64

/** A cell as a person meant it: single spaces inside only, without a trailing `*`, and with an ordinary minus. */
export function tidyNumber(cell: string): string {
  const text = cell.trim()
  if (text.length > MAX_CHARACTERS) return ''
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?\*+$/, '')
    .replace(/^[−–]/, '-')
}

/** Whether a cell is a number in either convention, before it is known which the file uses. */
export const looksNumeric = (cell: string): boolean => {
  const text = tidyNumber(cell)
  return plain.test(text) || comma.test(text)
}

/** Whether a cell is a number once thousands set apart are allowed too. */
export const looksLikeNumber = (cell: string): boolean =>
  looksNumeric(cell) || grouped.test(tidyNumber(cell)) || groupedComma.test(tidyNumber(cell))

/**
 * The number a cell holds, or undefined: the whole cell must be one, in the file's own decimal convention, so that
 * `12,5` is never half read.
 */
export function readNumber(cell: string, decimal: Decimal): number | undefined {
  const text = tidyNumber(cell)
  const whole = decimal === ',' ? comma.test(text) || bareComma.test(text) : plain.test(text) || bare.test(text)
  if (!whole) return undefined
  const value = Number(decimal === ',' ? text.replace(',', '.') : text)
  return Number.isFinite(value) ? value : undefined
}

/** As `readNumber`, with thousands set apart too: `5 820 000,12`, `2'600'000.00`, `5,820,000.12`. */
export function readGrouped(cell: string, decimal: Decimal): number | undefined {
  const simple = readNumber(cell, decimal)
  if (simple !== undefined) return simple
  const text = tidyNumber(cell)
  if (!(decimal === ',' ? groupedComma : grouped).test(text)) return undefined
  return Number(text.replace(decimal === ',' ? /[ '’.]/g : /[ '’,]/g, '').replace(',', '.'))
}

/** A length with the unit the cell itself names, if any, in metres to one of it: `34.2 m`, `112.3 ft`. */
export function readLength(cell: string, decimal: Decimal): { value: number; unit: number | undefined } | undefined {
  const value = readGrouped(cell, decimal)
  if (value !== undefined) return { value, unit: undefined }
  const parts = /^(.*\d) ?([a-z]{1,5})$/i.exec(tidyNumber(cell))
  const unit = parts ? unitOf(parts[2]!) : undefined
  const inUnit = unit === undefined ? undefined : readGrouped(parts![1]!, decimal)
  return inUnit === undefined ? undefined : { value: inUnit, unit }
}

/** Which decimal sign the numbers of a file use: the one that more of the cells are written with. */
export function decimalOf(cells: Iterable<string>): Decimal {
  const votes = { ',': 0, '.': 0 }
  const weak = { ',': 0, '.': 0 }
  for (const cell of cells) {
    const text = tidyNumber(cell)
    const last = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
    // An angle's seconds, a date, a text do not count.
    if (!/\d[.,]\d/.test(text) || !/^[+-]?[\d.,' ’]+(?:[eE][+-]?\d+)?(?: ?[a-zA-Z]{1,5})?$/.test(text)) continue
    const sign = text[last] as Decimal
    const other = sign === ',' ? '.' : ','
    if (text.indexOf(sign) !== last) votes[other]++
    // One sign before three figures may set thousands apart: it decides only where nothing else does.
    else if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) weak[sign]++
    else votes[sign]++
  }
  const counts = votes[','] + votes['.'] > 0 ? votes : weak
  return counts[','] > counts['.'] ? ',' : '.'
}
