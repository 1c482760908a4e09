import { z } from 'zod'
import { exceedsDepth } from '../../../platform/http/bodies/body-limits.ts'
import {
  type Budget,
  COMPARISONS,
  createBudget,
  type Expression,
  filterFault,
  MAX_DEPTH,
  MAX_POSITIONS,
} from './expression.ts'

const Property = z.strictObject({ property: z.string() })
const Operand = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  Property,
  z.strictObject({ timestamp: z.string() }),
  z.strictObject({ date: z.string() }),
])
const position = z.array(z.number()).min(2).max(3)
const rings = z.array(z.array(position).min(1)).min(1)
const Geometry = z.union([
  Property,
  z.strictObject({ bbox: z.array(z.number()) }),
  z.strictObject({ type: z.literal('Point'), coordinates: position }),
  z.strictObject({ type: z.literal('Polygon'), coordinates: rings }),
  z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(rings).min(1) }),
])

/** The arguments of each operator that takes values. */
const ARGS: Record<string, z.ZodType> = {
  ...Object.fromEntries(COMPARISONS.map((op) => [op, z.tuple([Operand, Operand])])),
  like: z.tuple([Operand, z.string()]),
  between: z.tuple([Operand, Operand, Operand]),
  in: z.tuple([Operand, z.array(Operand).min(1)]),
  isNull: z.tuple([Operand]),
  s_intersects: z.tuple([Geometry, Geometry]),
}

/** Reads a filter in CQL2 JSON (OGC 21-065r2). @throws 400 */
export function parseJson(text: string): Expression {
  if (exceedsDepth(text, 3 * MAX_DEPTH)) throw filterFault(`is nested more than ${MAX_DEPTH} deep`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw filterFault(`is not valid JSON: ${(error as Error).message}`)
  }
  return expressionOf(value, createBudget(), 1)
}

function expressionOf(value: unknown, budget: Budget, depth: number): Expression {
  budget.enter(depth)
  if (typeof value === 'boolean') return value
  const { op, args } = (value ?? {}) as { op?: unknown; args?: unknown }
  if (typeof op !== 'string' || !Array.isArray(args)) throw filterFault('must be an object with op and args')
  if (op === 'and' || op === 'or' || op === 'not') {
    if (op === 'not' ? args.length !== 1 : args.length < 2)
      throw filterFault(`has "${op}" with ${args.length} arguments`)
    return { op, args: args.map((arg) => expressionOf(arg, budget, depth + 1)) } as Expression
  }
  const schema = Object.hasOwn(ARGS, op) ? ARGS[op] : undefined
  if (!schema) throw filterFault(`has the operator "${op.slice(0, 40)}", which is not supported`)
  const operands = args.flat()
  for (const _operand of operands) budget.enter(depth)
  const read = schema.safeParse(args)
  if (!read.success) throw filterFault(`has "${op}" with arguments that it does not take`)
  if (op === 's_intersects' && positionsIn(args) > MAX_POSITIONS)
    throw filterFault(`has a geometry of more than ${MAX_POSITIONS} positions`)
  return { op, args: read.data } as Expression
}

/** How many lists of numbers there are. */
function positionsIn(value: unknown): number {
  if (Array.isArray(value))
    return typeof value[0] === 'number' ? 1 : value.reduce((sum, one) => sum + positionsIn(one), 0)
  return typeof value === 'object' && value !== null ? positionsIn((value as { coordinates?: unknown }).coordinates) : 0
}
