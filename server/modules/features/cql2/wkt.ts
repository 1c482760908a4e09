import { filterFault, type GeometryLiteral, MAX_POSITIONS } from './expression.ts'
import type { Reader } from './parse-text.ts'

const UNKNOWN = ['LINESTRING', 'MULTIPOINT', 'MULTILINESTRING', 'GEOMETRYCOLLECTION']

/** Reads geometries in WKT, and BBOX. @param number reads a number */
export function geometryReader(reader: Reader, number: () => number) {
  let positions = 0

  const listOf = <Item>(item: () => Item): Item[] => {
    reader.need('sign', '(')
    const items = [item()]
    while (reader.take('sign', ',')) items.push(item())
    reader.need('sign', ')')
    return items
  }
  const position = (): number[] => {
    if (++positions > MAX_POSITIONS) throw filterFault(`has a geometry of more than ${MAX_POSITIONS} positions`)
    const numbers = [number(), number()]
    // A height makes no difference to S_INTERSECTS, which is planar.
    const { kind, value } = reader.peek()
    if (kind === 'number' || (kind === 'sign' && value === '-')) numbers.push(number())
    return numbers
  }
  const ring = () => listOf(position)

  const read: Record<string, () => GeometryLiteral> = {
    POINT: () => {
      reader.need('sign', '(')
      const coordinates = position()
      reader.need('sign', ')')
      return { type: 'Point', coordinates }
    },
    POLYGON: () => ({ type: 'Polygon', coordinates: listOf(ring) }),
    MULTIPOLYGON: () => ({ type: 'MultiPolygon', coordinates: listOf(() => listOf(ring)) }),
    BBOX: () => ({ bbox: listOf(number) }),
  }

  /** The geometry that follows; undefined if none does. @throws 400 */
  return (): GeometryLiteral | undefined => {
    if (reader.peek().kind !== 'name') return undefined
    const word = reader.peek().value.toUpperCase()
    if (UNKNOWN.includes(word)) throw filterFault(`has a ${word}: use POINT, POLYGON, MULTIPOLYGON or BBOX`)
    if (!Object.hasOwn(read, word)) return undefined
    reader.advance()
    reader.takeWord('Z')
    return read[word]!()
  }
}
