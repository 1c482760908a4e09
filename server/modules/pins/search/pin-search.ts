import type { Pool, QueryConfig } from 'pg'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { greatestChord, greatestChordSql, minChord } from '../../places/chords.ts'
import { DEGREES, degreeBox, degreeBoxesSql, usesDegrees } from '../../places/degree-boxes.ts'
import { distanceFrom, toEcef } from '../../places/geodesy.ts'
import { COLUMN_COUNT, coordinatesOf, type PinTexts, pinColumnsSql, writeAddresses } from '../pin-json.ts'
import { ball, inBall, inDegrees, isPlain, pointSql, type SearchRequest, statement } from './pin-conditions.ts'

export type FoundPin = {
  id: number
  /** Along the WGS84 geodesic. */
  metres: number
  /** The text of each column. */
  texts: PinTexts
}
export type PinSearch = ReturnType<typeof pinSearch>

/**
 * Searches pins around a point in SQL: nearest first, then by ID, at most `limit`. Filters apply before the limit.
 *
 * An index finds the candidates: by boxes in degrees or, near the poles, across 180° and on later pages, by boxes in space,
 * ordered by chord. The geodesic distance then decides which are within the radius, and their order.
 * @param quick the pool for searches that the index answers @param long the pool for searches that may read every pin,
 *   because a filter leaves few or the page begins far away
 */
export function pinSearch(quick: Pick<Pool, 'query'>, long: Pick<Pool, 'query'>, ownUrls: OwnUrls) {
  const find = async (wanted: SearchRequest): Promise<FoundPin[]> => {
    const { radius } = wanted
    const pool = isPlain(wanted) && !wanted.after ? quick : long
    if (radius !== undefined && wanted.nearest === undefined && !wanted.after) {
      const { rows } = await pool.query<PinTexts>(candidatesQuery(wanted, radius))
      if (rows.length <= wanted.limit) return within(rows, wanted, radius)
    }
    const { rows } = await pool.query<PinTexts>(nearestQuery(wanted))
    return rows.map((texts) => ({ id: Number(texts[0]), metres: Number(texts[COLUMN_COUNT]), texts }))
  }
  return async (wanted: SearchRequest): Promise<FoundPin[]> => {
    const found = await find(wanted)
    for (const { texts } of found) writeAddresses(texts, ownUrls)
    return found
  }
}

/** Candidates within a radius, at most one more than the limit. If that one is there, others may be nearer: use `nearestQuery`. */
export function candidatesQuery(wanted: SearchRequest, radius: number): QueryConfig {
  const { conditions, param, toQuery } = statement(wanted)
  const box = degreeBox(wanted.latitude, wanted.longitude, radius)
  const near = box ? inDegrees(box, param) : inBall(pointSql(wanted, param).point, radius, param)
  return toQuery(
    box ? 'around' : 'around-in-space',
    `select ${pinColumnsSql} from pins where ${near} and ${conditions()} limit ${param(wanted.limit + 1, 'int')}`,
  )
}

function within(rows: PinTexts[], wanted: SearchRequest, radius: number): FoundPin[] {
  const from = toEcef(wanted.latitude, wanted.longitude)
  const found: FoundPin[] = []
  for (const texts of rows) {
    const metres = distanceFrom(from, coordinatesOf(texts))
    if (metres <= radius) found.push({ id: Number(texts[0]), metres, texts })
  }
  return found.sort((a, b) => a.metres - b.metres || a.id - b.id)
}

/**
 * The nearest pins, however many there are. The index returns pins in the order of their chords. The first `limit` of them
 * (on a later page, of those certainly behind the previous page) bound the distance: the nearest `limit` pins are no farther
 * than the farthest of these, so they are within the greatest chord of that distance. A single statement, so that both steps
 * see the same state of the table.
 */
export function nearestQuery(wanted: SearchRequest): QueryConfig {
  if (!wanted.after && usesDegrees(wanted.latitude, wanted.longitude)) return nearestByDegrees(wanted)
  const { radius, limit, after } = wanted
  const { conditions, param, toQuery } = statement(wanted)
  const { point, x, y, z } = pointSql(wanted, param)
  const distance = `metres_between(place, ${x}, ${y}, ${z})`
  const chord = `place <-> ${point}`
  const clauses = [conditions()]
  const first: string[] = []
  const rest: string[] = []
  let reached = '0'
  if (radius !== undefined) {
    clauses.push(inBall(point, radius, param))
    rest.push(`metres <= ${param(radius, 'float8')}`)
  }
  if (after) {
    reached = param(greatestChord(after.metres), 'float8')
    first.push(`${chord} > ${reached}`)
    rest.push(`${chord} >= ${param(minChord(after.metres), 'float8')}`)
    rest.push(`(metres, id) > (${param(after.metres, 'float8')}, ${param(after.id, 'bigint')})`)
  }
  const rows = param(limit, 'int')
  return toQuery(
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

/** As `nearestQuery`, by degrees: the farthest of the first `limit` pins in degrees gives the boxes that contain the nearest. */
function nearestByDegrees(wanted: SearchRequest): QueryConfig {
  const { latitude, longitude, radius, limit } = wanted
  const { conditions, param, toQuery } = statement(wanted)
  const { point, x, y, z } = pointSql(wanted, param)
  const [lat, lon] = [param(latitude, 'float8'), param(longitude, 'float8')]
  const distance = `metres_between(place, ${x}, ${y}, ${z})`
  const box = radius === undefined ? undefined : degreeBox(latitude, longitude, radius)
  const clauses = [conditions(), 'place is not null']
  if (radius !== undefined) clauses.push(box ? inDegrees(box, param) : inBall(point, radius, param))
  const rest = radius === undefined ? [] : [`metres <= ${param(radius, 'float8')}`]
  const { here, there } = degreeBoxesSql(lat, lon, 'metres')
  const rows = param(limit, 'int')
  return toQuery(
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
