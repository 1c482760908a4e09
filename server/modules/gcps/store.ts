import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../platform/database/database.ts'
import { LOCK_FAMILIES } from '../../platform/database/locks.ts'
import { foldName } from '../../platform/names.ts'
import type { Gcp, NewGcp, TagConflict } from './schema.ts'

type GcpsTable = {
  id: number
  title: string
  description: string | null
  gcp_type: Gcp['gcpType']
  altitude: number | null
  april_tag_id: number | null
  gcp_data: string | null
  photo_urls: string[]
  zone_id: number | null
  created_at: string
  updated_at: string
}
type PinsTable = { gcp_id: number | null; latitude: number | null; longitude: number | null }
type Tables = { gcps: GcpsTable; zones: { id: number; title: string }; pins: PinsTable }

/** A GCP as its own table has it, and the place of the row in the list: micros since 1970 and id. */
type GcpRow = Omit<Gcp, 'pin' | 'zone' | 'uploadedFiles'> & { zoneTitle: string | null; cursor: string }

/** What a tag's bearer is, as the rule about tags wants it. */
type Bearer = Omit<TagConflict, 'distance'>
/** Where to look for bearers: around a point within metres, in a zone (null: none), or everywhere. */
export type BearerScope = {
  point: { latitude: number; longitude: number; metres: number } | null
  zoneId: number | null
}

/** A transaction that other modules take part in. */
export type Within = Transaction<AnyTables>

/** What a change is decided by. */
export type GcpState = {
  zoneId: number | null
  description: string | null
  altitude: number | null
  aprilTagId: number | null
  photoUrls: string[]
  geoPose: NonNullable<NewGcp['geoPose']> | null
  latitude: number | null
  longitude: number | null
}
/** What a change writes: everything that can change. */
export type GcpWrite = Omit<GcpState, 'zoneId'> & { title: string }

export type GcpStore = ReturnType<typeof gcpStore>

/** Tags are claimed one at a time: whoever holds the lock of a tag until the end of its transaction may check, then write. */
export async function lockTags(trx: Transaction<AnyTables>, tags: Iterable<number>): Promise<void> {
  const ordered = [...new Set(tags)].sort((a, b) => a - b)
  if (ordered.length === 0) return
  await sql`
    select pg_advisory_xact_lock(${LOCK_FAMILIES.aprilTags}, tag)
      from (select tag from unnest(${ordered}::int[]) with ordinality as t (tag, place) order by place) as ordered`.execute(
    trx,
  )
}

/** Ground control points, in SQL. A GCP and its pin are one write. */
export function gcpStore(
  db: Kysely<Tables>,
  {
    pinsOf,
    photosOf,
  }: {
    pinsOf: (gcpIds: number[]) => Promise<Map<number, Gcp['pin']>>
    photosOf: (gcpIds: number[]) => Promise<Map<number, Gcp['uploadedFiles']>>
  },
) {
  const rows = () =>
    db
      .selectFrom('gcps')
      .leftJoin('zones', 'zones.id', 'gcps.zone_id')
      .select([
        'gcps.id',
        'gcps.title',
        'gcps.description',
        'gcps.gcp_type as gcpType',
        'gcps.altitude',
        'gcps.april_tag_id as aprilTagId',
        'gcps.gcp_data as gcpData',
        'gcps.photo_urls as photoUrls',
        'gcps.zone_id as zoneId',
        'zones.title as zoneTitle',
        'gcps.created_at as createdAt',
        'gcps.updated_at as updatedAt',
        sql<string>`(extract(epoch from gcps.created_at) * 1000000)::bigint || '.' || gcps.id`.as('cursor'),
      ])

  const withPins = async (found: GcpRow[]): Promise<Gcp[]> => {
    const withPhotos = found.filter(({ photoUrls }) => photoUrls.length > 0)
    const [pins, photos] = await Promise.all([
      pinsOf(found.map(({ id }) => id)),
      photosOf(withPhotos.map(({ id }) => id)),
    ])
    return found.map(({ zoneTitle, cursor, createdAt, updatedAt, ...gcp }) => ({
      ...gcp,
      pin: pins.get(gcp.id) ?? null,
      zone: gcp.zoneId === null ? null : { id: gcp.zoneId, title: zoneTitle! },
      uploadedFiles: photos.get(gcp.id) ?? [],
      createdAt,
      updatedAt,
    }))
  }

  return {
    /** A page of all GCPs or a zone's, oldest first, from after a cursor. `next` is undefined on the last page. */
    async list({ zoneId, after, limit }: { zoneId?: number | undefined; after?: string | undefined; limit: number }) {
      const inZone = zoneId === undefined ? rows() : rows().where('gcps.zone_id', '=', zoneId)
      const [micros, id] = after?.split('.').map(Number) ?? []
      const page = after
        ? inZone.where(
            sql<boolean>`(gcps.created_at, gcps.id) > (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`,
          )
        : inZone
      const found = await page
        .orderBy('gcps.created_at')
        .orderBy('gcps.id')
        .limit(limit + 1)
        .execute()
      const shown = found.slice(0, limit)
      return { gcps: await withPins(shown), next: found.length > limit ? shown.at(-1)!.cursor : undefined }
    },

    async count(zoneId: number | undefined): Promise<number> {
      let query = db.selectFrom('gcps').select(sql<number>`count(*)`.as('count'))
      if (zoneId !== undefined) query = query.where('zone_id', '=', zoneId)
      return (await query.executeTakeFirstOrThrow()).count
    },

    async get(id: number): Promise<Gcp | undefined> {
      const row = await rows().where('gcps.id', '=', id).executeTakeFirst()
      return row && (await withPins([row]))[0]
    },

    /** Every tag that is carried by some GCP. */
    async usedTags(): Promise<number[]> {
      const { rows } = await sql<{ tag: number }>`
        select tag from generate_series(0, 50) as tag where exists (select from gcps where april_tag_id = tag)`.execute(
        db,
      )
      return rows.map(({ tag }) => tag)
    },

    bearers: (tag: number | null, scope: BearerScope | null): Promise<Bearer[]> => bearersOf(db, tag, scope),

    /** Who may change a GCP: its maker and the owner of its zone. */
    ownersOf: async (id: number): Promise<(string | null)[] | undefined> => {
      const { rows } = await sql<{ maker: string | null; zoneOwner: string | null }>`
        select g.user_id as maker, z.user_id as "zoneOwner" from gcps g left join zones z on z.id = g.zone_id where g.id = ${id}`.execute(
        db,
      )
      return rows[0] && [rows[0].maker, rows[0].zoneOwner]
    },

    /**
     * Changes a GCP and its pin while nobody else can claim the tags that are named. `decide` sees the GCP as it is by
     * then and gives what is to be written, or something else that is handed back with nothing written.
     * @returns undefined when there is no such GCP
     */
    change: <Other>(
      id: number,
      tags: number[],
      decide: (
        current: GcpState,
        bearers: (tag: number, scope: BearerScope) => Promise<Bearer[]>,
        within: Within,
      ) => Promise<GcpWrite | { other: Other }>,
    ): Promise<{ other: Other } | { written: true } | undefined> =>
      db.transaction().execute(async (trx) => {
        await lockTags(trx, tags)
        const current = await stateOf(trx, id)
        if (!current) return undefined
        const decision = await decide(current, (tag, scope) => bearersOf(trx, tag, scope), trx)
        if ('other' in decision) return decision
        await write(trx, id, decision)
        return { written: true as const }
      }),

    /** @returns whether the address was among the GCP's photos. */
    async removePhoto(id: number, url: string): Promise<boolean> {
      const { rows } = await sql`
        update gcps set photo_urls = array_remove(photo_urls, ${url}), edited_at = clock_timestamp(), updated_at = clock_timestamp()
         where id = ${id} and ${url} = any(photo_urls) returning id`.execute(db)
      return rows.length > 0
    },

    /** Takes a GCP away, and its pin with it. @returns whether there was one. */
    async remove(id: number): Promise<boolean> {
      const { rows } = await sql`delete from gcps where id = ${id} returning id`.execute(db)
      return rows.length > 0
    },

    /**
     * Writes a GCP and its pin. With a tag, `conflicts` judges the bearers in scope while nobody else can claim it; if
     * it returns any, nothing is written. `photos` gives all it shows, in the same transaction. @returns the id, or those conflicts.
     */
    insert: (
      gcp: NewGcp,
      userId: string | null,
      scope: BearerScope,
      conflicts: (bearers: Bearer[]) => TagConflict[],
      photos: (within: Within) => Promise<string[]>,
    ): Promise<number | TagConflict[]> =>
      db.transaction().execute(async (trx) => {
        if (gcp.aprilTagId != null) {
          await lockTags(trx, [gcp.aprilTagId])
          const found = conflicts(await bearersOf(trx, gcp.aprilTagId, scope))
          if (found.length > 0) return found
        }
        return insertWithPin(trx, { ...gcp, photoUrls: await photos(trx) }, userId)
      }),
  }
}

async function stateOf(trx: Kysely<Tables>, id: number): Promise<GcpState | undefined> {
  const { rows } = await sql<GcpState>`
    select g.zone_id as "zoneId", g.description, g.altitude, g.april_tag_id as "aprilTagId", g.photo_urls as "photoUrls",
           p.geo_pose as "geoPose", p.latitude, p.longitude
      from gcps g join pins p on p.gcp_id = g.id where g.id = ${id} for update`.execute(trx)
  return rows[0]
}

async function write(trx: Kysely<Tables>, id: number, gcp: GcpWrite): Promise<void> {
  await sql`
    update gcps set title = ${gcp.title}, title_key = ${foldName(gcp.title)}, description = ${gcp.description}, altitude = ${gcp.altitude},
           april_tag_id = ${gcp.aprilTagId}, photo_urls = ${gcp.photoUrls}, edited_at = clock_timestamp(), updated_at = clock_timestamp()
     where id = ${id}`.execute(trx)
  await sql`
    update pins set title = ${gcp.title}, latitude = ${gcp.latitude}, longitude = ${gcp.longitude},
           geo_pose = ${gcp.geoPose ? JSON.stringify(gcp.geoPose) : null}::jsonb, updated_at = clock_timestamp()
     where gcp_id = ${id}`.execute(trx)
}

async function insertWithPin(trx: Kysely<Tables>, gcp: NewGcp, userId: string | null): Promise<number> {
  const { lat = null, lon = null, h = null } = gcp.geoPose?.position ?? {}
  const { rows } = await sql<{ gcp_id: number }>`
    with made as (
      insert into gcps (title, title_key, description, gcp_type, altitude, april_tag_id, gcp_data, photo_urls, zone_id, user_id)
      values (${gcp.title}, ${foldName(gcp.title)}, ${gcp.description ?? null}, ${gcp.gcpType}, ${gcp.altitude ?? h},
              ${gcp.aprilTagId ?? null}, ${gcp.gcpData ?? null}, ${gcp.photoUrls}, ${gcp.zoneId ?? null}, ${userId})
      returning id, title, zone_id, user_id)
    insert into pins (title, latitude, longitude, geo_pose, content_type, zone_id, gcp_id, user_id)
    select title, ${lat}::float8, ${lon}::float8, ${gcp.geoPose ? JSON.stringify(gcp.geoPose) : null}::jsonb, 'GCP', zone_id, id, user_id
      from made
    returning gcp_id`.execute(trx)
  return rows[0]!.gcp_id
}

/**
 * Who carries a tag (null: any) in scope: around the point by a box in space that holds the circle, and without a
 * place in the zone; without a point, in the zone; without a scope, anywhere. Each part can use an index of its own.
 */
async function bearersOf(db: Kysely<Tables>, tag: number | null, scope: BearerScope | null): Promise<Bearer[]> {
  const carries = tag === null ? sql`g.april_tag_id is not null` : sql`g.april_tag_id = ${tag}::smallint`
  const select = sql`
    select g.id as "gcpId", g.title, g.april_tag_id as "aprilTagId", g.zone_id as "zoneId", z.title as "zoneTitle", p.latitude, p.longitude
      from gcps g join pins p on p.gcp_id = g.id left join zones z on z.id = g.zone_id
     where ${carries}`
  const inZone = sql`g.zone_id = ${scope?.zoneId ?? null}::bigint`
  const { point } = scope ?? {}
  const around = point
    ? sql`${select} and p.place <@ cube_enlarge(ecef(${point.latitude}::float8, ${point.longitude}::float8), ${point.metres + 0.05}::float8, 3)
          union all ${select} and p.place is null and ${inZone}`
    : scope
      ? sql`${select} and ${inZone}`
      : select
  const { rows } = await sql<Bearer>`${around} order by "gcpId" limit 10000`.execute(db)
  return rows
}
