import { sql } from 'kysely'
import type { DegreeBox } from '../../places/degree-boxes.ts'
import type { Condition } from '../query/properties.ts'
import { queryables } from '../query/queryables.ts'
import type { CollectionId } from '../schema.ts'
import { compile } from './compile.ts'
import { type Expression, filterFault, type GeometryLiteral } from './expression.ts'
import { parseJson } from './parse-json.ts'
import { parseText } from './parse-text.ts'
import { boxesOf, placeIntersects } from './spatial.ts'

/** The most geometries that a filter of zones has: each is a search in their boundaries. */
const MAX_ZONE_GEOMETRIES = 5

/** The zones whose boundaries intersect one of some boxes; undefined if there are too many to test. */
export type FindZones = (boxes: DegreeBox[]) => Promise<number[] | undefined>

/** Reads a filter for a collection (OGC API Features part 3). @throws 400 */
export async function readFilter(
  collection: CollectionId,
  { text, lang }: { text: string; lang: 'cql2-text' | 'cql2-json' | undefined },
  findZones: FindZones,
): Promise<Condition> {
  const expression = lang === 'cql2-json' ? parseJson(text) : parseText(text)
  if (collection !== 'zones') return compile(collection, expression, placeIntersects)
  // Rejects what does not fit before any boundary is tested.
  compile(collection, expression, () => sql`true`)
  const geometries = [...literalsIn(expression)]
  if (geometries.length > MAX_ZONE_GEOMETRIES)
    throw filterFault(`has more than ${MAX_ZONE_GEOMETRIES} geometries, the most for zones`)
  const found = new Map<GeometryLiteral, Condition>()
  for (const geometry of geometries) found.set(geometry, await zonesAt(geometry, findZones))
  return compile(collection, expression, (geometry) => found.get(geometry)!)
}

async function zonesAt(geometry: GeometryLiteral, findZones: FindZones): Promise<Condition> {
  const boxes = boxesOf(geometry)
  if (!boxes) throw filterFault('has a polygon, which zones are not compared with: use POINT or BBOX')
  const ids = await findZones(boxes)
  if (!ids) throw filterFault('has a geometry that lies near too many zones: use a smaller one')
  return sql`(case when ${queryables.geometry.zones} is not null then z.id = any(${ids}::bigint[]) end)`
}

function* literalsIn(part: Expression): Generator<GeometryLiteral> {
  if (typeof part === 'boolean') return
  if (part.op === 's_intersects') yield* part.args.filter((side) => !('property' in side)) as GeometryLiteral[]
  if (part.op === 'and' || part.op === 'or' || part.op === 'not') for (const arg of part.args) yield* literalsIn(arg)
}
