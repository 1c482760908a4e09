import { sql } from 'kysely'
import type { DegreeBox } from '../../places/degree-boxes.ts'
import type { Positions } from '../crs/positions.ts'
import { readSystem } from '../crs/systems.ts'
import type { Condition } from '../query/properties.ts'
import { queryables } from '../query/queryables.ts'
import type { CollectionId, ItemsQuery } from '../schema.ts'
import { compile } from './compile.ts'
import { filterFault, type GeometryLiteral, literalsIn } from './expression.ts'
import { inWgs84, type PlacedGeometry } from './in-wgs84.ts'
import { parseJson } from './parse-json.ts'
import { parseText } from './parse-text.ts'
import { boxesOf, placeIntersects } from './spatial.ts'

/** The most geometries that a filter of zones has: each is a search in their boundaries. */
const MAX_ZONE_GEOMETRIES = 5

/** The zones whose boundaries intersect one of some boxes; undefined if there are too many to test. */
export type FindZones = (boxes: DegreeBox[]) => Promise<number[] | undefined>

type FilterQuery = Pick<ItemsQuery, 'filter' | 'filter-lang' | 'filter-crs'>
type Deps = { findZones: FindZones; positions: Positions }

/** Reads the filter of a query for a collection (OGC API Features part 3); undefined if it has none. @throws 400 */
export async function readFilter(
  collection: CollectionId,
  { filter, 'filter-lang': lang, 'filter-crs': uri }: FilterQuery,
  { findZones, positions }: Deps,
): Promise<Condition | undefined> {
  const system = readSystem(uri, 'filter-crs')
  if (filter === undefined) return undefined
  const expression = lang === 'cql2-json' ? parseJson(filter) : parseText(filter)
  // Rejects what does not fit before any geometry is transformed or tested.
  compile(collection, expression, () => sql`true`)
  const geometries = [...literalsIn(expression)]
  if (collection === 'zones' && geometries.length > MAX_ZONE_GEOMETRIES)
    throw filterFault(`has more than ${MAX_ZONE_GEOMETRIES} geometries, the most for zones`)
  if (collection === 'zones' && geometries.some((geometry) => 'type' in geometry && geometry.type !== 'Point'))
    throw filterFault('has a polygon, which zones are not compared with: use POINT or BBOX')
  const placed = await inWgs84(geometries, system, positions)
  const found = new Map<GeometryLiteral, Condition>()
  for (const [i, geometry] of placed.entries())
    found.set(geometries[i]!, collection === 'zones' ? await zonesAt(geometry, findZones) : placeIntersects(geometry))
  return compile(collection, expression, (geometry) => found.get(geometry)!)
}

async function zonesAt(geometry: PlacedGeometry, findZones: FindZones): Promise<Condition> {
  const boxes = boxesOf(geometry.around ? { bbox: geometry.around } : geometry)
  const ids = await findZones(boxes!)
  if (!ids) throw filterFault('has a geometry that lies near too many zones: use a smaller one')
  return sql`(case when ${queryables.geometry.zones} is not null then z.id = any(${ids}::bigint[]) end)`
}
