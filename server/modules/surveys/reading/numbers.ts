export type Decimal = '.' | ','

const plain = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/
const comma = /^[+-]?\d+(,\d+)?([eE][+-]?\d+)?$/

/** No number and no angle takes more; what is longer is not looked at, so that no expression below runs long. */
const MAX_CHARACTERS = 64

/** A cell as a person meant it: single spaces inside only, without a trailing `*`, and with an ordinary minus. */
function tidyNumber(cell: string): string {
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

/**
 * The number a cell holds, or undefined: the whole cell must be one, in the file's own decimal convention, so that
 * neither `12,5` nor `1.234,56` is ever half read.
 */
export function readNumber(cell: string, decimal: Decimal): number | undefined {
  const text = tidyNumber(cell)
  if (!(decimal === ',' ? comma : plain).test(text)) return undefined
  const value = Number(decimal === ',' ? text.replace(',', '.') : text)
  return Number.isFinite(value) ? value : undefined
}

export type Angle = { degrees: number; hemisphere: 'N' | 'S' | 'E' | 'W' | undefined }

const number = String.raw`\d+(?:[.,]\d+)?`
const sexagesimal = new RegExp(
  `^([NSEW])? ?([+-]?)(${number})(?: ?[°ºd:] ?| )(?:(${number})(?: ?['′’m:] ?| )(?:(${number})(?: ?(?:["″”s]|''|′′))?)?)? ?([NSEW])?$`,
  'i',
)
const decimalHemisphere = new RegExp(`^([NSEW])? ?([+-]?)(${number}) ?°? ?([NSEW])?$`, 'i')

/**
 * Degrees in any way surveyors write them: `46.2084`, `46,2084` (by the file's convention), `46.2084 N`,
 * `46°12'30.5"N`, `46° 12.508' N`, `N 46 12 30.5`, `46:12:30.5`. Without a hemisphere, parts set apart by mere
 * spaces are not an angle but a number with gaps, and refused.
 */
export function readAngle(cell: string, decimal: Decimal): Angle | undefined {
  const simple = readNumber(cell, decimal)
  if (simple !== undefined) return { degrees: simple, hemisphere: undefined }
  const text = tidyNumber(cell)
  const short = decimalHemisphere.exec(text)
  if (short) return angle(short[1] ?? short[4], short[1] && short[4], short[2]!, [short[3]!], decimal)
  const long = sexagesimal.exec(text)
  if (!long) return undefined
  const marked = /[NSEW°ºd:'′]/i.test(text)
  const parts = [long[3]!, long[4], long[5]].filter((part) => part !== undefined)
  return marked ? angle(long[1] ?? long[6], long[1] && long[6], long[2]!, parts, decimal) : undefined
}

/** Only the last part may have a fraction, minutes and seconds stay below 60, and a sign beside a hemisphere says it twice. */
function angle(
  letter: string | undefined,
  second: string | undefined,
  sign: string,
  parts: string[],
  decimal: Decimal,
): Angle | undefined {
  if (second || (letter && sign)) return undefined
  const values: number[] = []
  for (const [i, part] of parts.entries()) {
    const value = readNumber(part, decimal)
    if (value === undefined || (i > 0 && value >= 60)) return undefined
    if (i < parts.length - 1 && !Number.isInteger(value)) return undefined
    values.push(value)
  }
  const size = values[0]! + (values[1] ?? 0) / 60 + (values[2] ?? 0) / 3600
  const hemisphere = letter?.toUpperCase() as Angle['hemisphere']
  const negative = sign === '-' || hemisphere === 'S' || hemisphere === 'W'
  return { degrees: negative ? -size : size, hemisphere }
}

/** Which decimal sign the numbers of a file use: the one that more of the cells are written with. */
export function decimalOf(cells: Iterable<string>): Decimal {
  let commas = 0
  let points = 0
  for (const cell of cells) {
    const text = tidyNumber(cell)
    if (/^[+-]?\d+,\d+$/.test(text)) commas++
    else if (/\d\.\d/.test(text)) points++
    else if (/\d,\d/.test(text)) commas++
  }
  return commas > points ? ',' : '.'
}
