import type { Pool, QueryConfig } from 'pg'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { COLUMN_COUNT, type PinTexts, pinColumnsSql, writeAddresses } from '../pin-json.ts'
import { asTexts } from '../search/pin-conditions.ts'
import type { IndexedPin } from './pin-columns.ts'

type Row = (string | null)[]
export type PinRecord = { indexed: IndexedPin; texts: PinTexts }

export type PinIndexStore = ReturnType<typeof pinIndexStore>

const middle = (axis: number) => `(cube_ll_coord(place, ${axis}) + cube_ur_coord(place, ${axis})) / 2`
const INDEXED = `id, ${middle(1)}, ${middle(2)}, ${middle(3)}, latitude, longitude, geo_pose #>> '{position,h}', content_type, zone_id,
  case when visibility <> 'public' then user_id end`
/** Pins that at least one user can find in a search. */
const SEARCHABLE = `place is not null and (visibility = 'public' or (visibility = 'private' and user_id is not null))`

/** Reads pins for the index, and their records, in SQL: from the primary, each call in one snapshot. */
export function pinIndexStore(pool: Pick<Pool, 'query'>, ownUrls: OwnUrls) {
  const read = async (name: string, text: string, values: unknown[]): Promise<Row[]> => {
    const query = { name, text, values, rowMode: 'array', types: asTexts }
    return (await pool.query<Row>(query as QueryConfig)).rows
  }

  return {
    /** The next pins, ordered by ID. */
    pageAfter: async (id: number, limit: number): Promise<IndexedPin[]> =>
      (
        await read(
          'pins-indexed',
          `select ${INDEXED} from pins where id > $1::bigint and ${SEARCHABLE} order by id limit $2::int`,
          [id, limit],
        )
      ).map(indexedPin),

    /** Those of these pins that exist and can be found. */
    byIds: async (ids: number[]): Promise<IndexedPin[]> =>
      (
        await read(
          'pins-indexed-by-ids',
          `select ${INDEXED} from pins where id = any($1::bigint[]) and ${SEARCHABLE}`,
          [ids],
        )
      ).map(indexedPin),

    /** The records of these pins, by ID. */
    async records(ids: number[]): Promise<Map<number, PinRecord>> {
      const text = `select ${pinColumnsSql}, ${INDEXED} from pins where id = any($1::bigint[]) and ${SEARCHABLE}`
      const rows = await read('pins-records', text, [ids])
      return new Map(
        rows.map((texts) => {
          const indexed = indexedPin(texts.slice(COLUMN_COUNT))
          return [indexed.id, { indexed, texts: writeAddresses(texts.slice(0, COLUMN_COUNT), ownUrls) }]
        }),
      )
    },

    /** The coordinates of the first pin with at least this ID. */
    async coordinatesAfter(id: number): Promise<{ latitude: number; longitude: number } | undefined> {
      const text = `select latitude, longitude from pins where id >= $1::bigint and ${SEARCHABLE} order by id limit 1`
      const [row] = await read('pins-some-place', text, [id])
      return row && { latitude: Number(row[0]), longitude: Number(row[1]) }
    },
  }
}

const indexedPin = ([id, x, y, z, latitude, longitude, h, contentType, zoneId, ownerId]: Row): IndexedPin => ({
  id: Number(id),
  x: Number(x),
  y: Number(y),
  z: Number(z),
  latitude: Number(latitude),
  longitude: Number(longitude),
  h: h === null ? Number.NaN : Number(h),
  contentType: contentType!,
  zoneId: zoneId === null ? null : Number(zoneId),
  ownerId: ownerId ?? null,
})
