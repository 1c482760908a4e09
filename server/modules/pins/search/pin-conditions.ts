import type { QueryConfig } from 'pg'
import { asIndexed, DEGREES, type DegreeBox, partsOf } from '../../places/degree-boxes.ts'
import { CHORD_MARGIN_METRES, toEcef } from '../../places/geodesy.ts'
import type { PagePosition, PinQuery } from './query.ts'

export type SearchRequest = PinQuery & {
  /** The user whose private pins are found besides public ones. */
  viewerId: string | undefined
  /** How many of them. */
  limit: number
  /** From where on. */
  after?: PagePosition | undefined
}

type AddParameter = (value: unknown, type: string) => string

/** The point that is asked around, in SQL: as a cube, and its coordinates. */
export function pointSql({ latitude, longitude }: SearchRequest, param: AddParameter) {
  const [x, y, z] = toEcef(latitude, longitude).map((metres) => param(metres, 'float8')) as [string, string, string]
  return { point: `cube(array[${x}, ${y}, ${z}])`, x, y, z }
}

/** What lies within a box of degrees, or on its edge. */
export function inDegrees(box: DegreeBox, param: AddParameter): string {
  const { west, south, east, north } = asIndexed(box)
  const [w, s, e, n] = [west, south, east, north].map((degrees) => param(degrees, 'float8'))
  return `${DEGREES} <@ box(point(${w}, ${s}), point(${e}, ${n}))`
}

/** What lies within the box around the ball about a point (of {@link pointSql}) that holds all that is within the radius. */
export const inBall = (point: string, radius: number, param: AddParameter): string =>
  `place <@ ${ball(point, param(radius + CHORD_MARGIN_METRES, 'float8'))}`

/** The box around a ball in space. No chord is longer than its arc, so the box holds everything within that distance. */
export const ball = (point: string, metres: string) => `cube_enlarge(${point}, ${metres}, 3)`

/** All texts as they come: what they are for is to be written into the answer. */
const asTexts = { getTypeParser: () => (text: string) => text }

/** A statement on the pins that are wanted. Without filters it is prepared once a connection, under a name; with them it is planned for their values. */
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

export const isPlain = ({ bbox, minH, maxH, contentType, zoneId }: SearchRequest): boolean =>
  [bbox, minH, maxH, contentType, zoneId].every((value) => value === undefined)

const HEIGHT = "(geo_pose #>> '{position,h}')::float8"

/** Up to this many degrees of latitude, or what is as long along a circle of latitude, the index is asked. PostgreSQL takes any box to be small: in a wider one it goes by how many pins lie between the degrees. */
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
