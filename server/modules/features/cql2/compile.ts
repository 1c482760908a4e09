import { sql } from 'kysely'
import { dateInput, timestampInput } from '../../../platform/schema.ts'
import type { Condition } from '../query/properties.ts'
import { type QueryableType, queryables } from '../query/queryables.ts'
import type { CollectionId } from '../schema.ts'
import { type Expression, filterFault, type GeometryLiteral, type Operand } from './expression.ts'

/** The longest pattern of LIKE. */
const MAX_PATTERN = 255
/** The most values of an IN. */
const MAX_LIST = 200
/** Every collection has one, by this name. */
const GEOMETRY = 'geometry'

type Value = { type: QueryableType | 'boolean' | 'date'; sql: Condition }
/** What is compared with its own kind alone; the properties of layers are instants. */
const TIMES: Value['type'][] = ['instant', 'date']
const HINT = ": write TIMESTAMP('2026-01-31T00:00:00Z')"
/** Whether the geometry of a feature intersects one; null if it has none. */
export type Intersects = (geometry: GeometryLiteral) => Condition

/** A filter as a condition on the tables of a collection: true, false or null. @throws 400 for what does not fit the collection */
export function compile(collection: CollectionId, expression: Expression, intersects: Intersects): Condition {
  const known = queryables[collection]

  const named = (name: string): Value => {
    if (name === GEOMETRY) throw filterFault('compares "geometry": use S_INTERSECTS')
    const found = Object.hasOwn(known, name) ? known[name] : undefined
    if (found) return { type: found.type, sql: found.sql }
    const names = [...Object.keys(known), GEOMETRY].join(', ')
    throw filterFault(`names "${name.slice(0, 60)}", which is no queryable: these are ${names}`)
  }

  const sqlOf = (operand: Operand): Value => {
    if (typeof operand === 'string') return { type: 'string', sql: sql`${operand}::text` }
    if (typeof operand === 'number') return { type: 'number', sql: sql`${operand}::float8` }
    if (typeof operand === 'boolean') return { type: 'boolean', sql: sql`${operand}::boolean` }
    if ('property' in operand) return named(operand.property)
    if ('date' in operand) {
      if (!dateInput.safeParse(operand.date).success)
        throw filterFault(`has "${operand.date.slice(0, 60)}", which is no date such as 2026-01-31`)
      return { type: 'date', sql: sql`${operand.date}::date` }
    }
    const read = timestampInput.safeParse(operand.timestamp)
    if (!read.success) throw filterFault(`has "${operand.timestamp.slice(0, 60)}", which is no time in RFC 3339`)
    return { type: 'instant', sql: sql`${read.data}::timestamptz` }
  }

  /** The values, which must be of one type. @returns their SQL, with texts in the order of their code points */
  const alike = (...operands: Operand[]): Condition[] => {
    const types = new Set(operands.map((operand) => sqlOf(operand).type))
    // A time may be written without TIMESTAMP beside one that says its type, as the abstract tests of IN have it.
    const values = operands.map((operand) =>
      typeof operand === 'string' && types.has('instant') ? sqlOf({ timestamp: operand }) : sqlOf(operand),
    )
    const [first] = values
    const other = values.find(({ type }) => type !== first!.type)
    if (other) {
      const isOfTimes = TIMES.includes(first!.type) && TIMES.includes(other.type)
      throw filterFault(`compares ${first!.type} with ${other.type}${isOfTimes ? HINT : ''}`)
    }
    return values.map((value) => (value.type === 'string' ? sql`(${value.sql} collate "C")` : value.sql))
  }

  const like = ([left, pattern]: [Operand, Operand]): Condition => {
    if (typeof pattern !== 'string') throw filterFault('has a LIKE whose pattern is no text')
    if (pattern.length > MAX_PATTERN) throw filterFault(`has a LIKE with more than ${MAX_PATTERN} characters`)
    if (/(?<!\\)(?:\\\\)*\\$/.test(pattern)) throw filterFault('has a LIKE that ends with an escaping \\')
    const { type, sql: text } = sqlOf(left)
    if (type !== 'string') throw filterFault(`has a LIKE on a ${type}`)
    return sql`(${text} like ${pattern})`
  }

  const within = ([left, list]: [Operand, Operand[]]): Condition => {
    if (list.length > MAX_LIST) throw filterFault(`has an IN with more than ${MAX_LIST} values`)
    const [value, ...values] = alike(left, ...list)
    return sql`(${value!} in (${sql.join(values)}))`
  }

  const spatial = (sides: [{ property: string } | GeometryLiteral, { property: string } | GeometryLiteral]) => {
    const properties = sides.filter((side) => 'property' in side)
    const literal = sides.find((side) => !('property' in side)) as GeometryLiteral | undefined
    const [property] = properties
    if (!literal || !property) throw filterFault('has an S_INTERSECTS that is not between a property and a geometry')
    if (property.property !== GEOMETRY) throw filterFault(`has an S_INTERSECTS on "${property.property.slice(0, 60)}"`)
    return intersects(literal)
  }

  const conditionOf = (part: Expression): Condition => {
    if (typeof part === 'boolean') return sql`${part}::boolean`
    switch (part.op) {
      case 'and':
        return sql`(${sql.join(part.args.map(conditionOf), sql` and `)})`
      case 'or':
        return sql`(${sql.join(part.args.map(conditionOf), sql` or `)})`
      case 'not':
        return sql`(not ${conditionOf(part.args[0])})`
      case 'like':
        return like(part.args)
      case 'in':
        return within(part.args)
      case 'isNull':
        return isNull(part.args[0])
      case 'between': {
        const [value, low, high] = alike(...part.args)
        return sql`(${value!} between ${low!} and ${high!})`
      }
      case 's_intersects':
        return spatial(part.args)
      default: {
        const [left, right] = alike(...part.args)
        return sql`(${left!} ${sql.raw(part.op)} ${right!})`
      }
    }
  }

  const isNull = (operand: Operand): Condition => {
    if (typeof operand === 'object' && 'property' in operand && operand.property === GEOMETRY)
      return sql`(${queryables.geometry[collection]} is null)`
    return sql`(${sqlOf(operand).sql} is null)`
  }

  return conditionOf(expression)
}
