import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { countedRows } from '../../platform/database/row-counts.ts'
import { invalid } from '../../platform/errors.ts'
import type { Bbox } from './query/bbox.ts'
import { conditions, isEarth, type Wanted } from './query/conditions.ts'
import { type Condition, properties } from './query/properties.ts'
import { isAfterPlace, type SortedPlace, type SortKey, sortOrder, sortValues } from './query/sorting.ts'
import { json, tables } from './query/tables.ts'
import type { CollectionId } from './schema.ts'

/** A feature as GeoJSON in a text. */
export type FeatureRow = { id: number; feature: string; bytes: number }
/** Features whose GeoJSON is one text in UTF-8, separated by commas. */
type TextBatch = { rows: Pick<FeatureRow, 'id' | 'bytes'>[]; text: Buffer }
export type FeatureBatch = FeatureRow[] | TextBatch
export const rowsIn = (batch: FeatureBatch): TextBatch['rows'] => (Array.isArray(batch) ? batch : batch.rows)
/** The size of some features. */
export const bytesOf = (rows: TextBatch['rows']): number => rows.reduce((sum, { bytes }) => sum + bytes, 0)

/** A zone whose bounding box intersects the requested one, or without a boundary. `version` is the transaction that wrote it, `bytes` the size of its outline. */
export type ZoneNear = { id: number; version: string; bytes: number; isPlaceless: boolean }

/** Features read at once end with the one that fills this many bytes of GeoJSON: a few may have megabytes of addresses or boundaries. */
export const BATCH_BYTES = 1024 * 1024

/** Features of a query are counted up to this number. */
export const MAX_COUNTED = 5000
/** The IDs scanned for a page of many features before the spatial index is used. A bounding box contains few zones, and a boundary may be large. */
const IDS_AT_ONCE = { pins: 50_000, gcps: 50_000, zones: 2000 }
/** Larger tables are not sorted: each page goes through all that match. */
const MAX_SORTED = 1_000_000
/** No extent is computed for larger tables. */
const MAX_LOOKED_AT = 5_000_000

/** Where a batch begins, and whether the features were counted. */
type Place = { after: number; limit: number; few: boolean }

type Reading = {
  where: Condition
  after: number
  limit: number
  fence: boolean
  properties?: string[] | undefined
}

/** The names of a collection's properties. */
export const propertiesOf = (collection: CollectionId): string[] => Object.keys(properties[collection])

/** An object of these properties, by default of all. */
function chosenOf(collection: CollectionId, publicUrl: string, names = propertiesOf(collection)): Condition {
  const shownAs = (name: string) => {
    const { sql: read, written } = properties[collection][name]!
    return written ? sql`${sql.raw(written)}(${read}, ${publicUrl})` : read
  }
  return json(sql.join(names.map((name) => sql`${sql.lit(name)}, ${shownAs(name)}`)))
}

/** @throws 400 */
async function assertSortable(db: Kysely<AnyTables>, collection: CollectionId) {
  const { rows } = await sql<{ rows: number }>`
    select reltuples::float8 as rows from pg_class where oid = ${sql.lit(collection)}::regclass`.execute(db)
  if (rows[0]!.rows < MAX_SORTED) return
  const message = `the layer has more than ${MAX_SORTED.toLocaleString('en')} features, too many to sort: leave sortby out`
  throw invalid([{ code: 'custom', message, path: ['sortby'] }])
}

/** The pins in each part, as many as are counted: found without going through all that lie in a large one. */
const inParts = (parts: Bbox['parts']): Condition =>
  sql.join(
    parts.map(
      ({ west, south, east, north }) =>
        sql`select from public_pins_in(${west}, ${south}, ${east}, ${north}, ${MAX_COUNTED + 1})`,
    ),
    sql` union all `,
  )

/** The row count that answers a query; undefined if none does. */
function countKept(collection: CollectionId, { filters, filter, interval, bbox }: Wanted) {
  if (collection === 'pins' || interval || bbox || filter) return undefined
  const [name, ...more] = Object.keys(filters)
  if (name === undefined) return { table: collection }
  const isZone = collection === 'gcps' && name === 'zoneId' && more.length === 0
  return isZone ? { table: collection, scope: Number(filters.zoneId) } : undefined
}

export type FeatureStore = ReturnType<typeof featureStore>

/** Features of all collections, in SQL: in the order of their ids, so that a page continues after the last id returned. */
export function featureStore(db: Kysely<AnyTables>, bulk: Kysely<AnyTables>, publicUrl: () => string) {
  const idsWhere = (collection: CollectionId, { where, after, limit, fence }: Reading): Condition => {
    const { from, id, alsoId } = tables[collection]
    const ids = sql`select ${id} as id from ${from} where ${where} and ${id} > ${after} ${alsoId(after)}`
    // `offset 0` makes the planner use the index of the condition first and sort its results.
    return fence
      ? sql`select id from (${ids} offset 0) as found order by id limit ${limit}`
      : sql`${ids} order by ${id} limit ${limit}`
  }

  const rows = (collection: CollectionId, reading: Reading): Promise<FeatureRow[]> =>
    written(collection, idsWhere(collection, reading), reading.properties)

  const text = (collection: CollectionId, reading: Reading): Promise<FeatureBatch> =>
    writtenAsText(collection, idsWhere(collection, reading), reading.properties)

  /** A query of some features, in the order of their ids, until they fill BATCH_BYTES. @param ids a query of them */
  const writing = (collection: CollectionId, ids: Condition, properties: string[] | undefined): Condition => {
    const { from, id, geometry } = tables[collection]
    const shown = chosenOf(collection, publicUrl(), properties)
    const feature = json(sql`'type', 'Feature', 'id', ${id}, 'geometry', ${geometry}, 'properties', ${shown}`)
    // Only the features of the page are serialised, and because of `offset 0` once each: a boundary may take half a megabyte.
    const all = sql`select ${id} as id, ${feature}::text as feature from ${from} where ${id} = any(array(${ids}))`
    return sql`
      select id, feature, bytes
        from (select *, octet_length(feature) as bytes, sum(octet_length(feature)) over (order by id) as total
                from (${all} offset 0) as written) as summed
       where total - bytes < ${BATCH_BYTES} order by id`
  }

  const written = async (...asked: Parameters<typeof writing>): Promise<FeatureRow[]> =>
    (await sql<FeatureRow>`${writing(...asked)}`.execute(db)).rows

  /** The same as one text, in the thread of large reads. */
  const writtenAsText = async (...asked: Parameters<typeof writing>): Promise<FeatureBatch> => {
    const { rows } = await sql<{ rows: TextBatch['rows'] | null; text: Uint8Array | null }>`
      select json_agg(json_build_object('id', id, 'bytes', bytes) order by id) as rows,
             string_agg(feature, ',' order by id) as text from (${writing(...asked)}) as written`.execute(bulk)
    const { rows: sizes, text } = rows[0]!
    return text === null ? [] : { rows: sizes!, text: Buffer.from(text.buffer, text.byteOffset, text.byteLength) }
  }

  /** Reads what is after an ID. If a scan of IDs finds too few, the bounding box is searched. */
  const found = async <Batch extends FeatureBatch>(
    read: (collection: CollectionId, reading: Reading) => Promise<Batch>,
    collection: CollectionId,
    wanted: Wanted,
    { after, limit, few }: Place,
  ): Promise<Batch> => {
    const readWhere = (fence: boolean, and = sql``) => {
      const where = sql`${conditions(collection, wanted, fence)} ${and}`
      return read(collection, { where, after, limit, fence, properties: wanted.properties })
    }
    if (few) return readWhere(wanted.bbox !== undefined || Object.keys(wanted.filters).length > 0)
    if (!wanted.bbox || isEarth(wanted.bbox)) return readWhere(false)
    const next = await readWhere(false, sql`and ${tables[collection].id} <= ${after + IDS_AT_ONCE[collection]}`)
    return rowsIn(next).length === limit ? next : readWhere(true)
  }

  return {
    /**
     * The number of features: exact for all GCPs, those of a zone and all zones, whose row counts are maintained;
     * otherwise exact up to 5,000. Undefined if there are more, or if counting would need a full scan.
     */
    async count(collection: CollectionId, wanted: Wanted): Promise<number | undefined> {
      const kept = countKept(collection, wanted)
      if (kept) return countedRows(db, kept.table, kept.scope)
      if (wanted.filter) return undefined
      const { from, indexed } = tables[collection]
      const named = Object.keys(wanted.filters)
      const free = named.length === 0 && !wanted.interval
      if (!free && !wanted.bbox && !named.some((name) => indexed.includes(name))) return undefined
      const found =
        collection === 'pins' && free && wanted.bbox?.parts.length && !wanted.bbox.heights && !wanted.bbox.outline
          ? inParts(wanted.bbox.parts)
          : sql`select from ${from} where ${conditions(collection, wanted, true)} limit ${MAX_COUNTED + 1}`
      const { rows } = await sql<{ count: number }>`select count(*) as count from (${found}) as found`.execute(db)
      const { count } = rows[0]!
      return count > MAX_COUNTED ? undefined : count
    },

    /**
     * Features after an id: up to `limit`, fewer if they reach BATCH_BYTES. Few features are found through the index of
     * the condition, many by scanning ids. If a scan finds too few, as when places were added region by region, the
     * bounding box is searched as well, so a page costs at most the scanned ids and the content of its box.
     */
    page: (collection: CollectionId, wanted: Wanted, place: Place): Promise<FeatureRow[]> =>
      found(rows, collection, wanted, place),

    /** The same as one text, in the thread of large reads. */
    pageText: (collection: CollectionId, wanted: Wanted, place: Place): Promise<FeatureBatch> =>
      found(text, collection, wanted, place),

    /** What `ofIds` reads, as one text, in the thread of large reads. */
    textOf: (collection: CollectionId, ids: number[], properties: string[] | undefined): Promise<FeatureBatch> =>
      writtenAsText(collection, sql`select unnest(${ids}::bigint[])`, properties),

    /** Features of a range of ids: up to `limit`, fewer if they reach BATCH_BYTES. */
    window: (
      collection: CollectionId,
      wanted: Wanted,
      { after, upTo, limit }: { after: number; upTo: number; limit: number },
    ): Promise<FeatureRow[]> => {
      const where = sql`${conditions(collection, wanted, false)} and ${tables[collection].id} <= ${upTo}`
      return rows(collection, { where, after, limit, fence: false, properties: wanted.properties })
    },

    /** Places of features in an order, after one. @throws 400 for a table that is too large to sort */
    async sorted(
      collection: CollectionId,
      wanted: Wanted,
      { keys, after, limit }: { keys: SortKey[]; after: SortedPlace | undefined; limit: number },
    ): Promise<SortedPlace[]> {
      await assertSortable(db, collection)
      const { from, id } = tables[collection]
      const where = [conditions(collection, wanted, true), ...(after ? [isAfterPlace(keys, id, after)] : [])]
      const { rows } = await sql<SortedPlace>`
        select ${id} as id, ${sortValues(keys)} as values from ${from} where ${sql.join(where, sql` and `)}
         order by ${sortOrder(keys, id)} limit ${limit}`.execute(db)
      return rows
    },

    /** The largest id of a collection; 0 if it is empty. */
    async lastId(collection: CollectionId): Promise<number> {
      const { rows } = await sql<{ last: number }>`
        select coalesce(max(id), 0) as last from ${sql.table(collection)}`.execute(db)
      return rows[0]!.last
    },

    /** Zones after an id whose bounding box intersects the requested one, searched as pages are. The caller tests the boundaries. */
    async zonesNear(wanted: Wanted, { after, limit }: { after: number; limit: number }): Promise<ZoneNear[]> {
      const read = async (fence: boolean, and = sql``) => {
        const { rows } = await sql<ZoneNear>`
          select id, version, bytes, "isPlaceless"
            from (select z.id, z.xmin::text as version, z.extent is null as "isPlaceless", coalesce(octet_length(z.outline), 16 * z.positions, pg_column_size(z.boundary), 0) as bytes from zones z
                   where ${conditions('zones', wanted, fence)} and z.id > ${after} ${and} ${fence ? sql`offset 0` : sql``}) as near
           order by id limit ${limit}`.execute(db)
        return rows
      }
      if (wanted.bbox && isEarth(wanted.bbox)) return read(false)
      const next = await read(false, sql`and z.id <= ${after + IDS_AT_ONCE.zones}`)
      return next.length === limit ? next : read(true)
    },

    /** The first of some features, until they fill BATCH_BYTES. @param ids in their order */
    ofIds: (collection: CollectionId, ids: number[], properties: string[] | undefined): Promise<FeatureRow[]> =>
      written(collection, sql`select unnest(${ids}::bigint[])`, properties),

    /** The bbox of all features of a collection; undefined if there are none, or too many to compute it quickly. */
    async extent(collection: CollectionId): Promise<[number, number, number, number] | undefined> {
      const { table, corners } = tables[collection]
      const all = collection === 'gcps' ? sql`p.gcp_id is not null` : tables[collection].always
      const { rows } = await sql<{ west: number | null; south: number; east: number; north: number }>`
        select ${corners} from ${table}
         where ${all} and (select reltuples from pg_class where oid = ${sql.lit(collection === 'zones' ? 'zones' : 'pins')}::regclass) < ${MAX_LOOKED_AT}`.execute(
        db,
      )
      const { west, south, east, north } = rows[0]!
      return west === null ? undefined : [west, south, east, north]
    },

    async get(collection: CollectionId, id: number): Promise<FeatureRow | undefined> {
      const { always, id: column } = tables[collection]
      const [row] = await rows(collection, {
        where: sql`${always} and ${column} = ${id}`,
        after: 0,
        limit: 1,
        fence: false,
      })
      return row
    },
  }
}
