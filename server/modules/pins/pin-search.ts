import type { Pool, QueryConfig } from 'pg'
import { CHORD_MARGIN_METRES, CHORD_ORDER_METRES, distanceFrom, toEcef } from '../places/geodesy.ts'
import type { LocatedPin, Pin } from './schema.ts'
import { pinColumns } from './store.ts'

export type Near = {
  latitude: number
  longitude: number
  /** Metres, inclusive. */
  radius: number
  limit: number
  /** Whose private pins are found besides public ones. */
  viewerId: string | undefined
  contentType?: Pin['contentType'] | undefined
  zoneId?: number | undefined
}

export type PinSearch = ReturnType<typeof pinSearch>

/**
 * Pins around a point, nearest first and by id among equals. The index finds candidates by a box in space around the
 * point; the exact figure decides which of them are within the radius, and their order.
 */
export function pinSearch(pool: Pool) {
  return async (near: Near): Promise<LocatedPin[]> => {
    const { rows: candidates } = await pool.query<Pin>(candidatesOf(near))
    if (candidates.length <= near.limit) return locate(candidates, near)
    const { rows } = await pool.query<Pin>(nearestOf(near))
    return locate(rows, near).slice(0, near.limit)
  }
}

/** Candidates within the radius, one more than asked for: then there may be nearer ones among the rest. */
export function candidatesOf(near: Near): QueryConfig {
  const { name, where, values } = filters(near)
  return {
    name: `pins-near-${name}`,
    text: `select ${columns} from pins where ${inBox('$3')} and ${where} limit $4 + 1`,
    values,
  }
}

/**
 * When there are more than asked for: the chord of the last one wanted bounds the search, with a margin because chords
 * order points by distance only to that. One statement, so that it sees one state of the table.
 */
function nearestOf(near: Near): QueryConfig {
  const { name, where, values } = filters(near)
  const last = `select place <-> ${POINT} from pins where ${inBox('$3')} and ${where} order by place <-> ${POINT} offset $4 - 1 limit 1`
  const reach = `least($3, coalesce((${last}), $3) + ${CHORD_ORDER_METRES})`
  return {
    name: `pins-nearest-${name}`,
    text: `select ${columns} from pins where ${inBox(reach)} and ${where}`,
    values,
  }
}

const columns = pinColumns.map((column) => column.replace(/ as (\w+)/, ' as "$1"')).join(', ')
const POINT = 'ecef($1, $2)'
/** The box around the sphere of candidates holds a little more than it. */
const inBox = (reach: string) => `place <@ cube_enlarge(${POINT}, (${reach})::float8 + ${CHORD_MARGIN_METRES}, 3)`

/** Each combination of filters is a statement of its own, prepared once a connection under its name. */
function filters({ latitude, longitude, radius, limit, viewerId, contentType, zoneId }: Near) {
  const values: unknown[] = [latitude, longitude, radius, limit]
  const clauses = ["visibility = 'public'"]
  const used: string[] = []
  const add = (name: string, value: unknown, clause: (mark: string) => string) => {
    if (value === undefined) return
    used.push(name)
    clauses.push(clause(`$${values.push(value)}`))
  }
  if (viewerId !== undefined) {
    used.push('viewer')
    clauses[0] = `(visibility = 'public' or (visibility = 'private' and user_id = $${values.push(viewerId)}::uuid))`
  }
  add('type', contentType, (mark) => `content_type = ${mark}`)
  add('zone', zoneId, (mark) => `zone_id = ${mark}::bigint`)
  return { name: used.join('-'), where: clauses.join(' and '), values }
}

function locate(pins: Pin[], { latitude, longitude, radius }: Near): LocatedPin[] {
  const from = toEcef(latitude, longitude)
  const located: LocatedPin[] = []
  for (const pin of pins) {
    const position = { latitude: pin.latitude!, longitude: pin.longitude! }
    const distance = distanceFrom(from, position)
    if (distance <= radius) located.push({ ...pin, ...position, distance })
  }
  return located.sort((a, b) => a.distance - b.distance || a.id - b.id)
}
