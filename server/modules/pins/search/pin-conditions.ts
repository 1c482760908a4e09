import type { QueryConfig } from 'pg'
import { asIndexed, DEGREES, type DegreeBox, partsOf } from '../../places/degree-boxes.ts'
import { CHORD_MARGIN_METRES, toEcef } from '../../places/geodesy.ts'
import type { PagePosition, PinQuery } from './query.ts'

/** One page of a search, for one viewer. */
export type SearchRequest = PinQuery & {
  /** The user whose private pins are included; without one, only public pins are found. */
  viewerId: string | undefined
  /** Maximum number of pins. */
  limit: number
  /** The last pin of the previous page. */
  after?: PagePosition | undefined
}

/** Adds a parameter to a statement. @returns its placeholder, with a cast */
type AddParameter = (value: unknown, type: string) => string

/** The centre of a search in SQL: as a cube, and as its Earth-centred coordinates. */
export function pointSql({ latitude, longitude }: SearchRequest, param: AddParameter) {
  const [x, y, z] = toEcef(latitude, longitude).map((metres) => param(metres, 'float8')) as [string, string, string]
  return { point: `cube(array[${x}, ${y}, ${z}])`, x, y, z }
}

/** SQL condition: inside a box in degrees, or on its edge. */
export function inDegrees(box: DegreeBox, param: AddParameter): string {
  const { west, south, east, north } = asIndexed(box)
  const [w, s, e, n] = [west, south, east, north].map((degrees) => param(degrees, 'float8'))
  return `${DEGREES} <@ box(point(${w}, ${s}), point(${e}, ${n}))`
}

/** SQL condition: inside a cube that contains all places within the radius. @param point from {@link pointSql} */
export const inBall = (point: string, radius: number, param: AddParameter): string =>
  `place <@ ${ball(point, param(radius + CHORD_MARGIN_METRES, 'float8'))}`

/** The cube around a ball in space. A chord is never longer than its arc, so the cube contains everything within that distance. */
export const ball = (point: string, metres: string) => `cube_enlarge(${point}, ${metres}, 3)`

/** Leaves all values as PostgreSQL's text: they are copied into the response. */
export const asTexts = { getTypeParser: () => (text: string) => text }

/**
 * Builds a statement that searches pins. Without filters, it has a name, so each connection prepares it once. With filters, it
 * has none, so PostgreSQL plans it for their values.
 */
export function statement(wanted: SearchRequest) {
  const { viewerId, bbox, minH, maxH, contentType, zoneId } = wanted
  const values: unknown[] = []
  const param: AddParameter = (value, type) => `$${values.push(value)}::${type}`
  const conditions = () => {
    const open = "visibility = 'public'"
    const clauses = [
      viewerId === undefined ? open : `(${open} or (visibility = 'private' and user_id = ${param(viewerId, 'uuid')}))`,
    ]
    if (contentType !== undefined) clauses.push(`content_type = ${param(contentType, 'text')}`)
    if (zoneId !== undefined) clauses.push(`zone_id = ${param(zoneId, 'bigint')}`)
    if (minH !== undefined) clauses.push(`${HEIGHT} >= ${param(minH, 'float8')}`)
    if (maxH !== undefined) clauses.push(`${HEIGHT} <= ${param(maxH, 'float8')}`)
    if (bbox) clauses.push(inBox(bbox, param))
    return clauses.join(' and ')
  }
  const name = viewerId === undefined ? 'pins' : 'pins-of'
  const toQuery = (kind: string, text: string): QueryConfig =>
    ({
      ...(isPlain(wanted) && { name: `${name}-${kind}` }),
      text,
      values,
      rowMode: 'array',
      types: asTexts,
    }) as QueryConfig
  return { conditions, param, toQuery }
}

type Filters = Pick<PinQuery, 'bbox' | 'minH' | 'maxH' | 'contentType' | 'zoneId'>

/** Whether a search has no filters. */
export const isPlain = ({ bbox, minH, maxH, contentType, zoneId }: Filters): boolean =>
  [bbox, minH, maxH, contentType, zoneId].every((value) => value === undefined)

const HEIGHT = "(geo_pose #>> '{position,h}')::float8"

/**
 * Boxes up to this wide and high use the index; the unit is a degree of latitude. PostgreSQL estimates that any box matches
 * few rows, so a larger one is written as plain comparisons, for which it has statistics.
 */
const WIDEST_DEGREES = 9

/** Inside a box in degrees or on its edge; 180 and −180 are the same edge. */
function inBox([west, south, east, north]: NonNullable<SearchRequest['bbox']>, param: AddParameter): string {
  const widest = south <= 0 && north >= 0 ? 1 : Math.cos((Math.min(Math.abs(south), Math.abs(north)) * Math.PI) / 180)
  const width = (west > east ? east + 360 - west : east - west) * widest
  const isSmall = Math.max(width, north - south) <= WIDEST_DEGREES
  const parts = partsOf({ west, south, east, north }).map((part) => {
    const [w, s, e, n] = [part.west, part.south, part.east, part.north].map((degrees) => param(degrees, 'float8'))
    const between = `longitude between ${w} and ${e} and latitude between ${s} and ${n}`
    return isSmall ? `(${inDegrees(part, param)} and ${between})` : `(${between})`
  })
  return `(${parts.join(' or ')})`
}
