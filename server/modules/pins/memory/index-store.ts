import type { Pool, QueryConfig } from 'pg'
import type { OwnUrls } from '../../../platform/storage/own-urls.ts'
import { COLUMN_COUNT, type PinTexts, pinColumnsSql, writeAddresses } from '../pin-json.ts'
import type { IndexedPin } from './pin-columns.ts'

type Row = (string | null)[]
export type PinRecord = { indexed: IndexedPin; texts: PinTexts }

export type PinIndexStore = ReturnType<typeof pinIndexStore>

const middle = (axis: number) => `(cube_ll_coord(place, ${axis}) + cube_ur_coord(place, ${axis})) / 2`
const INDEXED = `id, ${middle(1)}, ${middle(2)}, ${middle(3)}, latitude, longitude, geo_pose #>> '{position,h}', content_type, zone_id,
  case when visibility <> 'public' then user_id end`
/** Those that some search finds. */
const SEARCHABLE = `place is not null and (visibility = 'public' or (visibility = 'private' and user_id is not null))`

/** Pins as the index holds them, and their records, in SQL. All of it reads the primary, each in one snapshot. */
export function pinIndexStore(pool: Pick<Pool, 'query'>, ownUrls: OwnUrls) {
  const read = async (name: string, text: string, values: unknown[]): Promise<Row[]> => {
    const query = { name, text, values, rowMode: 'array', types: asTexts }
    return (await pool.query<Row>(query as QueryConfig)).rows
  }

  return {
    /** The next of all pins by id. */
    pageAfter: async (id: number, limit: number): Promise<IndexedPin[]> =>
      (
        await read(
          'pins-indexed',
          `select ${INDEXED} from pins where id > $1::bigint and ${SEARCHABLE} order by id limit $2::int`,
          [id, limit],
        )
      ).map(indexedPin),

    /** Those of some pins that there are. */
    byIds: async (ids: number[]): Promise<IndexedPin[]> =>
      (
        await read(
          'pins-indexed-by-ids',
          `select ${INDEXED} from pins where id = any($1::bigint[]) and ${SEARCHABLE}`,
          [ids],
        )
      ).map(indexedPin),

    /** The records of some pins, by id. */
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

    /** Where some pin is: one of those after an id. */
    async coordinatesAfter(id: number): Promise<{ latitude: number; longitude: number } | undefined> {
      const text = `select latitude, longitude from pins where id >= $1::bigint and ${SEARCHABLE} order by id limit 1`
      const [row] = await read('pins-some-place', text, [id])
      return row && { latitude: Number(row[0]), longitude: Number(row[1]) }
    },
  }
}

const asTexts = { getTypeParser: () => (text: string) => text }

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
