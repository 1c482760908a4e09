import { type Kysely, sql } from 'kysely'
import { CHORD_MARGIN_METRES, CHORD_ORDER_METRES, distanceFrom, toEcef } from './geodesy.ts'
import type { LocatedPin, Pin } from './schema.ts'
import { type PlaceTables, pinColumns } from './store.ts'

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
export function pinSearch(db: Kysely<PlaceTables>) {
  return async (near: Near): Promise<LocatedPin[]> => {
    const candidates = await within(db, near, sql`${near.radius}::float8`, near.limit + 1)
    const found = candidates.length <= near.limit ? candidates : await nearest(db, near)
    return locate(found, near).slice(0, near.limit)
  }
}

/** Candidates whose chord may be up to `reach` metres; a box holds a little more than the sphere in it. */
function within(db: Kysely<PlaceTables>, near: Near, reach: ReturnType<typeof sql>, limit?: number): Promise<Pin[]> {
  let query = selected(db, near).select(pinColumns).where(inBox(near, reach))
  if (limit !== undefined) query = query.limit(limit)
  return query.execute()
}

/**
 * When there are more than asked for: the chord of the last one wanted bounds the search, with a margin because chords
 * order points by distance only to that. One statement, so that it sees one state of the table.
 */
function nearest(db: Kysely<PlaceTables>, near: Near): Promise<Pin[]> {
  const chord = sql<number>`place <-> ${point(near)}`
  const last = selected(db, near)
    .select(chord.as('chord'))
    .where(inBox(near, sql`${near.radius}::float8`))
    .orderBy(chord)
    .offset(near.limit - 1)
    .limit(1)
  const reach = sql`least(${near.radius}::float8, coalesce((${last}), ${near.radius}::float8) + ${CHORD_ORDER_METRES}::float8)`
  return within(db, near, reach)
}

const point = (near: Near) => sql`ecef(${near.latitude}::float8, ${near.longitude}::float8)`
const inBox = (near: Near, reach: ReturnType<typeof sql>) =>
  sql<boolean>`place <@ cube_enlarge(${point(near)}, ${reach} + ${CHORD_MARGIN_METRES}::float8, 3)`

function selected(db: Kysely<PlaceTables>, { viewerId, contentType, zoneId }: Near) {
  let query = db
    .selectFrom('pins')
    .where((by) =>
      viewerId === undefined
        ? by('visibility', '=', 'public')
        : by.or([
            by('visibility', '=', 'public'),
            by.and([by('visibility', '=', 'private'), by('user_id', '=', viewerId)]),
          ]),
    )
  if (contentType !== undefined) query = query.where('content_type', '=', contentType)
  if (zoneId !== undefined) query = query.where('zone_id', '=', zoneId)
  return query
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
