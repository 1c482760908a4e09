import { decimalCheck } from '../decimal-numbers.ts'

const NAMESPACE = /\sxmlns(?::(\w{1,40}))?\s*=\s*["']http:\/\/www\.opengis\.net\/gml(?:\/[\d.]{1,9})?["']/g
const DECIMAL_COMMA = /\sdecimal\s*=\s*["'],["']/

/**
 * Checks that the coordinates of points are decimal numbers: `pos` (GML 3.1, §10.1.4), `coord` and `coordinates` (GML
 * 2.1, §4.3). @throws SurveyFileError UNREADABLE_FILE with the line of the first that is not
 */
export function assertGmlNumbers(file: Buffer): void {
  const text = file.toString('latin1')
  const check = decimalCheck(text)
  const prefixes = Array.from(text.slice(0, 4096).matchAll(NAMESPACE), ([, prefix]) => (prefix ? `${prefix}:` : ''))
  const elements = (name: string) =>
    text.matchAll(new RegExp(`<(?:${prefixes.join('|')})(${name})(\\s[^<>]{0,500})?>([^<]{0,400})<`, 'g'))
  if (prefixes.length === 0) return
  for (const { 1: axis, 3: value, index } of elements('[XYZ]')) check(axis!, value!, index)
  for (const { 1: pos, 3: values, index } of elements('pos'))
    for (const value of values!.trim().split(/\s+/)) check(pos!, value, index)
  for (const { 1: coordinates, 2: attributes = '', 3: values, index } of elements('coordinates')) {
    const tuples = values!.trim().split(/\s+/)
    const hasCommas = tuples.length === 1 && tuples[0]!.split(',').length > 3
    if (hasCommas || DECIMAL_COMMA.test(attributes)) check(coordinates!, values!, index)
  }
}
