import { type Kysely, sql } from 'kysely'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { afterTime, type Page, type PageQuery, pageByTime } from '../../../platform/http/pages.ts'
import type { FenceRow } from '../matching/fence-set.ts'
import type {
  CheckInRule,
  FenceChange,
  FenceRecord,
  NewFence,
  NewPositionSettings,
  PositionSettings,
} from './schema.ts'

/** Rules written before a member existed have its default. */
const RULE = `'{"requireProof": false}'::jsonb || f.check_in`
const shown =
  sql.raw(`f.id, f.name, f.zone_id as "zoneId", f.pin_id as "pinId", f.radius, f.max_accuracy as "maxAccuracy",
  f.dwell_seconds as "dwellSeconds", f.listed, ${RULE} as "checkIn", f.created_at as "createdAt", f.updated_at as "updatedAt"`)

const asJson = (rule: CheckInRule | null) => sql`${rule && JSON.stringify(rule)}::jsonb`

export type FenceStore = ReturnType<typeof fenceStore>

/** The fences of apps, in SQL. */
export function fenceStore(db: Kysely<AnyTables>, audit: AuditLog) {
  return {
    /** Oldest first. @param listed only those that clients can read */
    async page(appId: string, listed: boolean, { limit, cursor }: PageQuery): Promise<Page<FenceRecord>> {
      const after = afterTime(cursor)
      const matching = sql`f.app_id = ${appId} ${listed ? sql`and f.listed` : sql``}`
      const later = after ? sql`and (f.created_at, f.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
      const [{ rows }, counted] = await Promise.all([
        sql<FenceRecord & { cursorAt: string }>`
          select ${shown}, f.created_at::text as "cursorAt" from fences f where ${matching} ${later}
           order by f.created_at, f.id limit ${limit + 1}`.execute(db),
        sql<{ total: number }>`select count(*) as total from fences f where ${matching}`.execute(db),
      ])
      return pageByTime(rows, limit, counted.rows[0]!.total)
    },

    async get(appId: string, id: string): Promise<FenceRecord | undefined> {
      const { rows } = await sql<FenceRecord>`
        select ${shown} from fences f where f.app_id = ${appId} and f.id = ${id}`.execute(db)
      return rows[0]
    },

    /** @param most the app's quota @returns `full` if it is used up, or which of zone and pin does not exist for the app */
    insert: (
      appId: string,
      id: string,
      { name, zoneId, pinId, radius, maxAccuracy, dwellSeconds, listed, checkIn }: NewFence,
      most: number,
    ): Promise<FenceRecord | 'full' | 'no_zone' | 'no_pin'> =>
      db.transaction().execute(async (trx) => {
        // Serializes the writers of an app, for the quota.
        await sql`select from apps where id = ${appId} for no key update`.execute(trx)
        const { rows: found } = await sql<{ fences: number; zone: boolean; pin: boolean }>`
          select (select count(*) from fences where app_id = ${appId}) as fences,
                 exists (select from zones where id = ${zoneId ?? null}::bigint) as zone,
                 exists (select from pins p where p.id = ${pinId ?? null}::bigint
                    and (p.visibility <> 'private' or p.user_id = (select owner_id from apps where id = ${appId}))) as pin`.execute(
          trx,
        )
        const { fences, zone, pin } = found[0]!
        if (fences >= most) return 'full'
        if (zoneId != null && !zone) return 'no_zone'
        if (pinId != null && !pin) return 'no_pin'
        const { rows } = await sql<FenceRecord>`
          insert into fences as f (app_id, id, name, zone_id, pin_id, radius, max_accuracy, dwell_seconds, listed, check_in)
          values (${appId}, ${id}, ${name}, ${zoneId ?? null}::bigint, ${pinId ?? null}::bigint, ${radius ?? null},
                  ${maxAccuracy}, ${dwellSeconds}, ${listed}, ${asJson(checkIn)})
          returning ${shown}`.execute(trx)
        return rows[0]!
      }),

    /** Absent members stay. */
    async update(appId: string, id: string, change: FenceChange): Promise<FenceRecord | undefined> {
      const { name, radius, maxAccuracy, dwellSeconds, listed, checkIn } = change
      const { rows } = await sql<FenceRecord>`
        update fences f
           set name = coalesce(${name ?? null}, f.name), radius = coalesce(${radius ?? null}, f.radius),
               max_accuracy = coalesce(${maxAccuracy ?? null}, f.max_accuracy), listed = coalesce(${listed ?? null}, f.listed),
               dwell_seconds = ${dwellSeconds === undefined ? sql`f.dwell_seconds` : dwellSeconds},
               check_in = ${checkIn === undefined ? sql`f.check_in` : asJson(checkIn)}, updated_at = clock_timestamp()
         where f.app_id = ${appId} and f.id = ${id}
        returning ${shown}`.execute(db)
      return rows[0]
    },

    async remove(appId: string, id: string): Promise<boolean> {
      const { rows } = await sql`delete from fences where app_id = ${appId} and id = ${id} returning id`.execute(db)
      return rows.length > 0
    },

    async settings(appId: string): Promise<PositionSettings> {
      const { rows } = await sql<PositionSettings>`
        select coalesce(max(retain_seconds), 600) as "retainSeconds", max(check_in_days) as "retainCheckInDays"
          from fence_settings where app_id = ${appId}`.execute(db)
      return rows[0]!
    },

    /** An absent member stays. With an audit entry. */
    setSettings: (
      appId: string,
      { retainSeconds, retainCheckInDays: days }: NewPositionSettings,
      actor: Actor,
    ): Promise<PositionSettings> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql<PositionSettings>`
          insert into fence_settings as s (app_id, retain_seconds, check_in_days)
          values (${appId}, ${retainSeconds}, ${days ?? null}::int)
          on conflict (app_id) do update set retain_seconds = excluded.retain_seconds,
            check_in_days = ${days === undefined ? sql`s.check_in_days` : sql`excluded.check_in_days`}
          returning retain_seconds as "retainSeconds", check_in_days as "retainCheckInDays"`.execute(trx)
        await audit.record([{ ...actor, action: 'position_settings.updated', subject: appId }], trx)
        return rows[0]!
      }),

    /** Increments with each change of a fence; 0 without any. */
    async version(appId: string): Promise<number> {
      const { rows } = await sql<{ version: number }>`
        select coalesce(max(version), 0)::float8 as version from fence_settings where app_id = ${appId}`.execute(db)
      return rows[0]!.version
    },

    /** All fences of an app, and their version, from one snapshot. */
    async all(appId: string): Promise<{ version: number; rows: FenceRow[] }> {
      const { rows } = await sql<{ version: number; fences: FenceRow[] }>`
        select coalesce((select version from fence_settings where app_id = ${appId}), 0)::float8 as version,
               coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'zoneId', f.zone_id, 'pinId', f.pin_id,
                   'radius', f.radius, 'maxAccuracy', f.max_accuracy, 'dwellSeconds', f.dwell_seconds, 'checkIn', ${sql.raw(RULE)},
                   'latitude', p.latitude, 'longitude', p.longitude) order by f.created_at, f.id)
                 from fences f
                 left join pins p on p.id = f.pin_id
                  and (p.visibility <> 'private' or p.user_id = (select owner_id from apps where id = f.app_id))
                where f.app_id = ${appId}), '[]') as fences`.execute(db)
      return { version: rows[0]!.version, rows: rows[0]!.fences }
    },
  }
}
