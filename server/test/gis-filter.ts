import type { Expression, GeometryLiteral, Operand } from '../modules/features/cql2/expression.ts'

/** A feature as a filter sees it. */
export type Seen = { geometry: { type: string; coordinates: unknown } | null; properties: Record<string, unknown> }
type Truth = boolean | null
type Point = [x: number, y: number]

const isTime = (name: string) => /^(created|updated)At$/.test(name)

/** Whether a filter holds for a feature: the rules of CQL2 written down once more, in the plainest way. */
export function holds(filter: Expression, feature: Seen): Truth {
  if (typeof filter === 'boolean') return filter
  const value = (operand: Operand): string | number | boolean | null => {
    if (typeof operand !== 'object') return operand
    if ('timestamp' in operand) return Date.parse(operand.timestamp)
    if ('date' in operand) throw new Error('no dates here')
    const found = feature.properties[operand.property] as string | number | null
    return found !== null && isTime(operand.property) ? Date.parse(found as string) : found
  }
  switch (filter.op) {
    case 'and': {
      const truths = filter.args.map((arg) => holds(arg, feature))
      return truths.includes(false) ? false : truths.includes(null) ? null : true
    }
    case 'or': {
      const truths = filter.args.map((arg) => holds(arg, feature))
      return truths.includes(true) ? true : truths.includes(null) ? null : false
    }
    case 'not': {
      const truth = holds(filter.args[0], feature)
      return truth === null ? null : !truth
    }
    case 'isNull': {
      const [operand] = filter.args
      if (typeof operand === 'object' && 'property' in operand && operand.property === 'geometry')
        return feature.geometry === null
      return value(operand) === null
    }
    case 'like': {
      const [text, pattern] = filter.args.map(value) as [string | null, string]
      return text === null ? null : isLike(text, pattern)
    }
    case 'in': {
      const [operand, list] = filter.args
      const found = value(operand)
      return found === null ? null : list.map(value).includes(found)
    }
    case 'between': {
      const [found, low, high] = filter.args.map(value)
      return found === null ? null : found! >= low! && found! <= high!
    }
    case 's_intersects': {
      const literal = filter.args.find((side) => !('property' in side)) as GeometryLiteral
      return feature.geometry === null ? null : intersects(feature.geometry, literal)
    }
    default: {
      const [left, right] = filter.args.map(value)
      if (left === null || right === null) return null
      if (filter.op === '=') return left === right
      if (filter.op === '<>') return left !== right
      if (filter.op === '<') return left! < right!
      if (filter.op === '>') return left! > right!
      return filter.op === '<=' ? left! <= right! : left! >= right!
    }
  }
}

function isLike(text: string, pattern: string): boolean {
  if (pattern === '') return text === ''
  const [first, ...rest] = pattern
  const after = rest.join('')
  if (first === '%') return isLike(text, after) || (text !== '' && isLike(text.slice(1), pattern))
  if (text === '') return false
  if (first === '_') return isLike(text.slice(1), after)
  if (first === '\\') return text[0] === rest[0] && isLike(text.slice(1), after.slice(1))
  return text[0] === first && isLike(text.slice(1), after)
}

/** Points against anything; squares with sides along the axes against points and boxes. */
function intersects({ type, coordinates }: NonNullable<Seen['geometry']>, literal: GeometryLiteral): boolean {
  if (type === 'Polygon') {
    const ring = (coordinates as Point[][])[0]!
    const [west, south, east, north] = boundsOf(ring)
    const [w, s, e, n] = 'bbox' in literal ? literal.bbox : boundsOf([literal.coordinates as Point])
    return west <= e! && east >= w! && south <= n! && north >= s!
  }
  const [x, y] = coordinates as Point
  if ('bbox' in literal) {
    const [w, s, e, n] = literal.bbox
    return x >= w! && x <= e! && y >= s! && y <= n!
  }
  if (literal.type === 'Point') return literal.coordinates[0] === x && literal.coordinates[1] === y
  const polygons = (literal.type === 'Polygon' ? [literal.coordinates] : literal.coordinates) as Point[][][]
  return polygons.some(
    ([outer, ...holes]) => isIn(outer!, [x, y]) !== 'out' && holes.every((hole) => isIn(hole, [x, y]) !== 'in'),
  )
}

const boundsOf = (points: Point[]): [number, number, number, number] => [
  Math.min(...points.map(([x]) => x)),
  Math.min(...points.map(([, y]) => y)),
  Math.max(...points.map(([x]) => x)),
  Math.max(...points.map(([, y]) => y)),
]

/** By the sum of the angles under which the point sees the sides. */
function isIn(ring: Point[], [x, y]: Point): 'in' | 'out' | 'on' {
  let sum = 0
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = [ring[i - 1]![0] - x, ring[i - 1]![1] - y]
    const [bx, by] = [ring[i]![0] - x, ring[i]![1] - y]
    const [cross, dot] = [ax * by - ay * bx, ax * bx + ay * by]
    if (cross === 0 && dot <= 0) return 'on'
    sum += Math.atan2(cross, dot)
  }
  return Math.abs(sum) > 1 ? 'in' : 'out'
}
