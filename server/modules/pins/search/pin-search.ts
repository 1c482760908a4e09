import type { Pool, QueryConfig } from 'pg'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { greatestChord, greatestChordSql, minChord } from '../../places/chords.ts'
import { DEGREES, degreeBox, degreeBoxesSql, goesByDegrees } from '../../places/degree-boxes.ts'
import { distanceFrom, toEcef } from '../../places/geodesy.ts'
import { COLUMN_COUNT, type PinJson, pinColumnsSql, placeIn, writeAddresses } from '../pin-json.ts'
import { ball, inBall, inDegrees, isPlain, pointSql, statement, type Wanted } from './pin-conditions.ts'

export type FoundPin = {
  id: number
  /** Along the WGS84 geodesic. */
  metres: number
  /** Its columns, as texts. */
  texts: PinJson
}
export type PinSearch = ReturnType<typeof pinSearch>

/**
 * Pins around a point, nearest first and by id among equals, at most `limit`. Filters apply before the limit. An index
 * finds candidates by boxes of longitude and latitude, and near the poles, beyond 180° and on later pages by boxes in space,
 * ordered by chord; the geodesic decides which are within the radius, and their order.
 * @param quick for what the index answers by itself @param long for what may come to look at every pin: where a filter
 *   leaves few, or a page begins far away
 */
export function pinSearch(quick: Pick<Pool, 'query'>, long: Pick<Pool, 'query'>, ownUrls: OwnUrls) {
  const find = async (wanted: Wanted): Promise<FoundPin[]> => {
    const { radius } = wanted
    const pool = isPlain(wanted) && !wanted.after ? quick : long
    if (radius !== undefined && wanted.nearest === undefined && !wanted.after) {
      const { rows } = await pool.query<PinJson>(candidates(wanted, radius))
      if (rows.length <= wanted.limit) return within(rows, wanted, radius)
    }
    const { rows } = await pool.query<PinJson>(nearest(wanted))
    return rows.map((texts) => ({ id: Number(texts[0]), metres: Number(texts[COLUMN_COUNT]), texts }))
  }
  return async (wanted: Wanted): Promise<FoundPin[]> => {
    const found = await find(wanted)
    for (const { texts } of found) writeAddresses(texts, ownUrls)
    return found
  }
}

/** Candidates within a radius, one more than asked for: then there may be nearer ones among the rest. */
export function candidates(wanted: Wanted, radius: number): QueryConfig {
  const { where, add, done } = statement(wanted)
  const box = degreeBox(wanted.latitude, wanted.longitude, radius)
  const near = box ? inDegrees(box, add) : inBall(pointSql(wanted, add).point, radius, add)
  return done(
    box ? 'around' : 'around-in-space',
    `select ${pinColumnsSql} from pins where ${near} and ${where()} limit ${add(wanted.limit + 1, 'int')}`,
  )
}

function within(rows: PinJson[], wanted: Wanted, radius: number): FoundPin[] {
  const from = toEcef(wanted.latitude, wanted.longitude)
  const found: FoundPin[] = []
  for (const texts of rows) {
    const metres = distanceFrom(from, placeIn(texts))
    if (metres <= radius) found.push({ id: Number(texts[0]), metres, texts })
  }
  return found.sort((a, b) => a.metres - b.metres || a.id - b.id)
}

/**
 * The nearest, where there may be any number. The first so many by chord, which the index gives in order (after a place that
 * was reached: of those that are surely behind it), are all within the distance of the farthest of them, so the nearest are
 * too: they are within the greatest chord of that distance. One statement, so that it sees one state of the table.
 */
export function nearest(wanted: Wanted): QueryConfig {
  if (!wanted.after && goesByDegrees(wanted.latitude, wanted.longitude)) return nearestByDegrees(wanted)
  const { radius, limit, after } = wanted
  const { where, add, done } = statement(wanted)
  const { point, x, y, z } = pointSql(wanted, add)
  const distance = `metres_between(place, ${x}, ${y}, ${z})`
  const chord = `place <-> ${point}`
  const clauses = [where()]
  const first: string[] = []
  const rest: string[] = []
  let reached = '0'
  if (radius !== undefined) {
    clauses.push(inBall(point, radius, add))
    rest.push(`metres <= ${add(radius, 'float8')}`)
  }
  if (after) {
    reached = add(greatestChord(after.metres), 'float8')
    first.push(`${chord} > ${reached}`)
    rest.push(`${chord} >= ${add(minChord(after.metres), 'float8')}`)
    rest.push(`(metres, id) > (${add(after.metres, 'float8')}, ${add(after.id, 'bigint')})`)
  }
  const rows = add(limit, 'int')
  return done(
    `nearest${radius === undefined ? '' : '-within'}${after ? '-after' : ''}`,
    `with first as (
       select coalesce(${greatestChordSql('max(metres)')}, ${reached}) as reach from (
         select place from pins where ${[...clauses, ...first].join(' and ')} order by ${chord} limit ${rows}) as by_chord, ${distance})
     select ${pinColumnsSql}, metres from pins, ${distance}
      where place <@ ${ball(point, '(select reach from first)')} and ${chord} <= (select reach from first)
        and ${[...clauses, ...rest].join(' and ')}
      order by metres, id limit ${rows}`,
  )
}

/** The same by degrees: the first so many by those, and the farthest of them says within which boxes the nearest are. */
function nearestByDegrees(wanted: Wanted): QueryConfig {
  const { latitude, longitude, radius, limit } = wanted
  const { where, add, done } = statement(wanted)
  const { point, x, y, z } = pointSql(wanted, add)
  const [lat, lon] = [add(latitude, 'float8'), add(longitude, 'float8')]
  const distance = `metres_between(place, ${x}, ${y}, ${z})`
  const box = radius === undefined ? undefined : degreeBox(latitude, longitude, radius)
  const clauses = [where(), 'place is not null']
  if (radius !== undefined) clauses.push(box ? inDegrees(box, add) : inBall(point, radius, add))
  const rest = radius === undefined ? [] : [`metres <= ${add(radius, 'float8')}`]
  const { here, there } = degreeBoxesSql(lat, lon, 'metres')
  const rows = add(limit, 'int')
  return done(
    `nearest-by-degrees${radius === undefined ? '' : box ? '-within' : '-within-space'}`,
    `with first as (
       select ${here} as here, ${there} as there from (
         select coalesce(max(metres), 0) as metres from (
           select place from pins where ${clauses.join(' and ')} order by ${DEGREES} <-> point(${lon}, ${lat}) limit ${rows}) as by_degrees, ${distance}) as farthest)
     select ${pinColumnsSql}, metres from pins, ${distance}
      where (${DEGREES} <@ (select here from first) or ${DEGREES} <@ (select there from first))
        and ${[...clauses, ...rest].join(' and ')}
      order by metres, id limit ${rows}`,
  )
}
