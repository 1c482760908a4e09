import { type RawBuilder, sql } from 'kysely'
import { asIndexed, DEGREES, type DegreeBox, partsOf } from '../../places/degree-boxes.ts'
import type { Condition } from '../query/properties.ts'
import { filterFault, type GeometryLiteral } from './expression.ts'

/** The boxes of a point or BBOX; undefined for polygons. @throws 400 */
export function boxesOf(geometry: GeometryLiteral): DegreeBox[] | undefined {
  if ('bbox' in geometry) {
    if (geometry.bbox.length !== 4) throw filterFault('has a BBOX that is not west, south, east, north')
    const [west, south, east, north] = geometry.bbox as [number, number, number, number]
    assertOnEarth([west, south], [east, north])
    if (south > north) throw filterFault('has a BBOX whose second number lies north of its fourth')
    return partsOf({ west, south, east, north })
  }
  if (geometry.type !== 'Point') return undefined
  const [longitude, latitude] = geometry.coordinates as [number, number]
  assertOnEarth([longitude, latitude])
  return partsOf({ west: longitude, south: latitude, east: longitude, north: latitude })
}

function assertOnEarth(...positions: number[][]) {
  for (const [longitude, latitude] of positions)
    if (!(Math.abs(longitude!) <= 180 && Math.abs(latitude!) <= 90))
      throw filterFault(
        `has the position ${longitude} ${latitude}, which is not on earth: write longitude, then latitude`,
      )
}

const boxSql = ({ west, south, east, north }: DegreeBox): Condition =>
  sql`box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`

/** Whether a place is in a box: by the index first. Null without a place. */
const inBox = (box: DegreeBox): Condition =>
  sql`(${sql.raw(DEGREES)} <@ ${boxSql(asIndexed(box))} and p.longitude between ${box.west}::float8 and ${box.east}::float8 and p.latitude between ${box.south}::float8 and ${box.north}::float8)`

/** Whether the place of a pin or point intersects a geometry: planar in degrees, edges included. */
export function placeIntersects(geometry: GeometryLiteral): Condition {
  const boxes = boxesOf(geometry)
  if (boxes) return sql`(${sql.join(boxes.map(inBox), sql` or `)})`
  const { type, coordinates } = geometry as Exclude<GeometryLiteral, { type: 'Point' } | { bbox: number[] }>
  const polygons = type === 'Polygon' ? [coordinates as number[][][]] : (coordinates as number[][][][])
  return sql`(${sql.join(polygons.map(inPolygon), sql` or `)})`
}

/** A place is in a polygon if an odd number of its sides lies east of it, or one holds it. */
function inPolygon(rings: number[][][]): Condition {
  const sides = rings.flatMap((ring) => sidesOf(ring))
  const column = (at: 0 | 1 | 2 | 3): RawBuilder<unknown> => sql`${sides.map((side) => side[at])}::float8[]`
  const all = sides.flatMap(([ax, ay]) => [[ax, ay] as const])
  const box = {
    west: Math.min(...all.map(([x]) => x)),
    south: Math.min(...all.map(([, y]) => y)),
    east: Math.max(...all.map(([x]) => x)),
    north: Math.max(...all.map(([, y]) => y)),
  }
  return sql`(${inBox(box)} and case when p.place is not null then (
    select coalesce(bool_or(turn = 0 and p.longitude between least(ax, bx) and greatest(ax, bx)
                            and p.latitude between least(ay, by) and greatest(ay, by)), false)
        or count(*) filter (where (ay > p.latitude) <> (by > p.latitude) and (turn > 0) = (by > ay)) % 2 = 1
      from (select *, (bx - ax) * (p.latitude - ay) - (by - ay) * (p.longitude - ax) as turn
              from unnest(${column(0)}, ${column(1)}, ${column(2)}, ${column(3)}) as side (ax, ay, bx, by)) as sides) end)`
}

type Side = [ax: number, ay: number, bx: number, by: number]

/** @throws 400 */
export function assertClosed(ring: number[][]) {
  const [first, last] = [ring[0]!, ring.at(-1)!]
  if (ring.length < 4 || first[0] !== last[0] || first[1] !== last[1])
    throw filterFault('has a ring that is not closed, or has fewer than 4 positions')
}

function sidesOf(ring: number[][]): Side[] {
  assertClosed(ring)
  assertOnEarth(...ring)
  return ring.slice(1).map((to, i) => [ring[i]![0]!, ring[i]![1]!, to[0]!, to[1]!])
}
