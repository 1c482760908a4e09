import { unitBeside } from './units.ts'

export type Decimal = '.' | ','

const plain = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/
const comma = /^[+-]?\d+(,\d+)?([eE][+-]?\d+)?$/
const bare = /^[+-]?(\d+\.|\.\d+)$/
const bareComma = /^[+-]?(\d+,|,\d+)$/
/**
 * Grouped thousands: by spaces and apostrophes in either convention; by the other separator only if it cannot be the
 * decimal one: `650,100` is refused.
 */
const grouped = /^[+-]?\d{1,3}(?:(?:([ '’])\d{3}(?:\1\d{3})*|(?:,\d{3}){2,})(?:\.\d+)?|,\d{3}\.\d+)$/
const groupedComma = /^[+-]?\d{1,3}(?:(?:([ '’])\d{3}(?:\1\d{3})*|(?:\.\d{3}){2,})(?:,\d+)?|\.\d{3},\d+)$/

/** The axis after metres of a grid, as map programs write it: `391776.155 mE`, `5820072 m N`. */
const AXIS = /(?<=\d) ?m ?([EN])$/i

/** Maximum length of a number or angle; bounds the running time of the expressions below. */
const MAX_CHARACTERS = 64

/** Full-width forms of figures and signs, as Japanese programs write them. */
const WIDE = /[\uff01-\uff5e]/g

/** Figures of Arabic and Persian, their decimal and thousands separators, and marks of the writing direction and of breaks. */
const ARABIC = /[\u0660-\u0669\u06f0-\u06f9\u066b\u066c\u061c\u200b\u200e\u200f\u2060]/g
/** Whether a cell may have any of these. */
const OTHER_FIGURES = /[^ -~]/
const arabic = (sign: string, decimal: Decimal): string =>
  sign === '\u066b' ? decimal : sign === '\u066c' ? "'" : /\p{Nd}/u.test(sign) ? String(sign.charCodeAt(0) & 15) : ''

/**
 * Normalizes a cell: single spaces, no trailing `*`, an ASCII minus, no full-width or Arabic figures.
 * @param decimal what the Arabic decimal separator becomes: it is one in either convention
 */
export function tidyNumber(cell: string, decimal: Decimal = '.'): string {
  const whole = cell.trim()
  if (whole.length > MAX_CHARACTERS) return ''
  const text = OTHER_FIGURES.test(whole)
    ? whole
        .replace(WIDE, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
        .replace(ARABIC, (sign) => arabic(sign, decimal))
    : whole
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?\*+$/, '')
    .replace(/^[−–]/, '-')
}

/** Whether a cell is a number in either convention, before the file's is known. */
export const looksNumeric = (cell: string): boolean => {
  const text = tidyNumber(cell)
  return plain.test(text) || comma.test(text)
}

/** Whether a cell is a number if grouped thousands are allowed. */
export function looksLikeNumber(cell: string): boolean {
  const text = tidyNumber(cell).replace(AXIS, '')
  return looksNumeric(text) || grouped.test(text) || groupedComma.test(text)
}

/** The axis that a cell names after its metres: `E` of `391776.155 mE`. */
export const axisAfter = (cell: string): string | undefined => AXIS.exec(tidyNumber(cell))?.[1]?.toUpperCase()

/**
 * The number in a cell, or undefined: the whole cell must be a number in the file's decimal convention, so that `12,5`
 * is never read in half.
 */
export function readNumber(cell: string, decimal: Decimal): number | undefined {
  const text = tidyNumber(cell, decimal)
  const whole = decimal === ',' ? comma.test(text) || bareComma.test(text) : plain.test(text) || bare.test(text)
  if (!whole) return undefined
  const value = Number(decimal === ',' ? text.replace(',', '.') : text)
  return Number.isFinite(value) ? value : undefined
}

/** Like `readNumber`, but accepts grouped thousands, `5 820 000,12`, `2'600'000.00`, `5,820,000.12`, and an axis. */
export function readGrouped(cell: string, decimal: Decimal): number | undefined {
  const text = tidyNumber(cell, decimal).replace(AXIS, '')
  const simple = readNumber(text, decimal)
  if (simple !== undefined) return simple
  if (!(decimal === ',' ? groupedComma : grouped).test(text)) return undefined
  return Number(text.replace(decimal === ',' ? /[ '’.]/g : /[ '’,]/g, '').replace(',', '.'))
}

/** Heights as ExifTool writes them: `35.2 m Above Sea Level`. */
const SEA_LEVEL = /^([^a-z]{1,20}m) (above|below) sea level$/i

/**
 * A length with an optional unit in the cell, as the factor to metres: `34.2 m`, `112.3 ft`, `391776.155 mE`.
 * @param around the unit of the column or the system: `ft` is that foot
 */
export function readLength(
  cell: string,
  decimal: Decimal,
  around = 1,
): { value: number; unit: number | undefined } | undefined {
  const value = readGrouped(cell, decimal)
  if (value !== undefined) return { value, unit: axisAfter(cell) === undefined ? undefined : 1 }
  const text = tidyNumber(cell, decimal)
  const [, length, side] = SEA_LEVEL.exec(text) ?? []
  if (length !== undefined) {
    const above = readLength(length, decimal, around)
    return above && { ...above, value: /^below/i.test(side!) ? -above.value : above.value }
  }
  const parts = /^(.*\d) ?([a-z]{1,5})$/i.exec(text)
  const unit = parts ? unitBeside(parts[2]!, around) : undefined
  const inUnit = unit === undefined ? undefined : readGrouped(parts![1]!, decimal)
  return inUnit === undefined ? undefined : { value: inUnit, unit }
}

/**
 * The size of the last figure of a number in scientific notation: 1000 of `3.92E+05`. Undefined for others, and for whole
 * ones such as `5e+05`, which programs write where nothing is lost.
 */
export function lastFigureOf(cell: string): number | undefined {
  const [, fraction, exponent] = /^[+-]?\d+[.,](\d+)[eE]([+-]?\d{1,3})(?!\d)/.exec(tidyNumber(cell)) ?? []
  return fraction === undefined ? undefined : 10 ** (Number(exponent) - fraction.length)
}

/** Detects the decimal separator of a file: the one that more cells have. */
export function decimalOf(cells: Iterable<string>): Decimal {
  const votes = { ',': 0, '.': 0 }
  const weak = { ',': 0, '.': 0 }
  for (const cell of cells) {
    if (cell.includes('\u066b')) continue
    const text = tidyNumber(cell).replace(AXIS, '')
    const last = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
    // Seconds of angles, dates and texts do not count.
    if (!/\d[.,]\d/.test(text) || !/^[+-]?[\d.,' ’]+(?:[eE][+-]?\d+)?(?: ?[a-zA-Z]{1,5})?$/.test(text)) continue
    const sign = text[last] as Decimal
    const other = sign === ',' ? '.' : ','
    if (text.indexOf(sign) !== last) votes[other]++
    // A separator before three digits may group thousands: it decides only if nothing else does.
    else if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) weak[sign]++
    else votes[sign]++
  }
  const counts = votes[','] + votes['.'] > 0 ? votes : weak
  return counts[','] > counts['.'] ? ',' : '.'
}
