import type { RowError } from '../../errors.ts'
import { isDecimal } from '../decimal-numbers.ts'
import type { Feature } from '../features/feature.ts'

const NAMESPACE = /\sxmlns(?::(\w{1,40}))?\s*=\s*["']http:\/\/www\.opengis\.net\/gml(?:\/[\d.]{1,9})?["']/g
const DECIMAL_COMMA = /\sdecimal\s*=\s*["'],["']/
/** Coordinates from this one on stand for errors, by their number: no place on earth has them. */
const FIRST_ERROR = 1e9

/**
 * Finds the coordinates that are not decimal numbers, which GDAL would read in part: those of `pos` (GML 3.1, §10.1.4),
 * `coord` and `coordinates` (GML 2.1, §4.3).
 * @returns the file, in which they stand for no place, and the error of a feature at such a place
 */
export function withoutFalseNumbers(file: Buffer): {
  file: Buffer
  faultOf: (feature: Feature) => RowError | undefined
} {
  const text = file.toString('latin1')
  const prefixes = Array.from(text.slice(0, 4096).matchAll(NAMESPACE), ([, prefix]) => (prefix ? `${prefix}:` : ''))
  const faults: RowError[] = []
  const faultOf = ({ position }: Feature) =>
    position && [position.x, position.y, position.z].map((value) => faults[(value ?? 0) - FIRST_ERROR]).find(Boolean)
  if (prefixes.length === 0) return { file, faultOf }
  const element = new RegExp(`<(${prefixes.join('|')})([XYZ]|pos|coordinates)(\\s[^<>]{0,500})?>([^<]{0,400})<`, 'g')
  const pieces: string[] = []
  let kept = 0
  let [line, lineAt] = [1, 0]
  for (const found of text.matchAll(element)) {
    const [whole, prefix, name, attributes = '', value] = found as unknown as [string, string, string, string, string]
    // GDAL refuses blanks beside the commas.
    const tidy = name === 'coordinates' ? withoutBlanks(value) : value
    const wrong = wrongIn(name, attributes, tidy)
    if (wrong === undefined) {
      if (tidy === value) continue
      pieces.push(text.slice(kept, found.index), `<${prefix}${name}${attributes}>${tidy}<`)
      kept = found.index + whole.length
      continue
    }
    for (; ; line++) {
      const end = text.indexOf('\n', lineAt)
      if (end < 0 || end >= found.index) break
      lineAt = end + 1
    }
    const mark = FIRST_ERROR + faults.length
    faults.push(notDecimal(name, wrong, line))
    const sign = name === 'coordinates' ? ',' : ' '
    const marked = /^[XYZ]$/.test(name) ? String(mark) : `${mark}${sign}${mark}`
    const others = name === 'coordinates' ? '' : attributes
    pieces.push(text.slice(kept, found.index), `<${prefix}${name}${others}>${marked}<`)
    kept = found.index + whole.length
  }
  return { file: kept === 0 ? file : Buffer.from(pieces.join('') + text.slice(kept), 'latin1'), faultOf }
}

/** `1.5 ,\n 2.5` → `1.5,2.5`. Runs of blanks become one first, so that the time is linear. */
const withoutBlanks = (value: string): string => value.trim().replace(/\s+/g, ' ').replace(/ ?, ?/g, ',')

/** The first text among the coordinates of an element that is not a decimal number. */
function wrongIn(name: string, attributes: string, value: string): string | undefined {
  if (name !== 'coordinates')
    return value
      .trim()
      .split(/\s+/)
      .find((part) => !isDecimal(part))
  const tuples = value
    .trim()
    .split(' ')
    .map((tuple) => tuple.split(','))
  const hasCommas = tuples.length === 1 && tuples[0]!.length > 3
  const isRead = !/\s(?:cs|ts)\s*=/.test(attributes)
  const isWrong = isRead && tuples.some((tuple) => tuple.some((part) => !isDecimal(part)))
  return hasCommas || isWrong || DECIMAL_COMMA.test(attributes) ? value : undefined
}

function notDecimal(column: string, text: string, line: number): RowError {
  const value = Buffer.from(text.trim().slice(0, 60), 'latin1').toString('utf8')
  const message = `line ${line}: ${column} "${value}" is not a decimal number: write it as in 52.5200066`
  return { column, value, code: 'NOT_A_NUMBER', message }
}
