import { invalid } from '../../../platform/errors.ts'

/** The deepest nesting of a filter, and how many parts it may have in all. */
export const MAX_DEPTH = 32
const MAX_PARTS = 500
/** The most positions of a geometry in a filter. */
export const MAX_POSITIONS = 1000

type Position = number[]
/** A geometry in a filter, as GeoJSON has it. */
export type GeometryLiteral =
  | { type: 'Point'; coordinates: Position }
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }
  | { bbox: number[] }

/** A value in a comparison. */
export type Operand = string | number | boolean | { property: string } | { timestamp: string } | { date: string }

export type Comparison = '=' | '<>' | '<' | '>' | '<=' | '>='
export const COMPARISONS: readonly string[] = ['=', '<>', '<', '>', '<=', '>=']

/** A filter in CQL2 (OGC 21-065r2), in the members of its JSON encoding. */
export type Expression =
  | boolean
  | { op: 'and' | 'or'; args: Expression[] }
  | { op: 'not'; args: [Expression] }
  | { op: Comparison; args: [Operand, Operand] }
  | { op: 'like'; args: [Operand, Operand] }
  | { op: 'between'; args: [Operand, Operand, Operand] }
  | { op: 'in'; args: [Operand, Operand[]] }
  | { op: 'isNull'; args: [Operand] }
  | { op: 's_intersects'; args: [{ property: string } | GeometryLiteral, { property: string } | GeometryLiteral] }

/** The geometries that a filter compares with. */
export function* literalsIn(part: Expression): Generator<GeometryLiteral> {
  if (typeof part === 'boolean') return
  if (part.op === 's_intersects') yield* part.args.filter((side) => !('property' in side)) as GeometryLiteral[]
  if (part.op === 'and' || part.op === 'or' || part.op === 'not') for (const arg of part.args) yield* literalsIn(arg)
}

/** The error for a filter that cannot be evaluated. */
export const filterFault = (message: string) => invalid([{ code: 'custom', message, path: ['filter'] }])

/** Counts the parts of a filter while it is read. */
export function createBudget() {
  let parts = 0
  return {
    /** @throws 400 beyond MAX_PARTS or MAX_DEPTH */
    enter(depth: number) {
      if (++parts > MAX_PARTS) throw filterFault(`has more than ${MAX_PARTS} parts: split the request`)
      if (depth > MAX_DEPTH) throw filterFault(`is nested more than ${MAX_DEPTH} deep`)
    },
  }
}
export type Budget = ReturnType<typeof createBudget>
