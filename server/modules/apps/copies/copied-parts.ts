import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import { quotaExceeded } from '../../../platform/quotas.ts'
import type { CopyQuotas } from './copy-store.ts'

type Parts = { trx: Kysely<AnyTables>; from: string; id: string; newId: () => string; quotas: CopyQuotas }
/** IDs in the app and in its copy, by position. */
type NewIds = { old: string[]; made: string[] }

const DEFAULT_GAME = '00000000-0000-0000-0000-000000000000'

/** Copies the visible mini game types. @returns their IDs, with the default game, which is the same in every app */
export async function copyTypes({ trx, from, id, newId, quotas }: Parts): Promise<NewIds> {
  const { rows } = await sql<{ id: string }>`
    select id from mini_game_types where app_id = ${from} and hidden_at is null order by name_key`.execute(trx)
  if (rows.length > quotas.gameTypes) throw quotaExceeded('gameTypes', quotas.gameTypes)
  const old = rows.map((type) => type.id)
  const made = old.map(newId)
  await sql`
    insert into mini_game_types (app_id, id, name, name_key, description, image_url, ascending, min_score, max_score,
                                 submitted_by, time_zone, history_days, rules, segments, score_mode)
    select ${id}::uuid, n.made, t.name, t.name_key, t.description, t.image_url, t.ascending, t.min_score, t.max_score,
           t.submitted_by, t.time_zone, t.history_days, t.rules, t.segments,
           t.score_mode
      from unnest(${old}::uuid[], ${made}::uuid[]) n(old, made)
      join mini_game_types t on t.app_id = ${from} and t.id = n.old`.execute(trx)
  return { old: [...old, DEFAULT_GAME], made: [...made, DEFAULT_GAME] }
}

/** Copies the seasons that have not ended, and the last one of each series that goes on. */
export async function copySeasons({ trx, from, id, newId, quotas }: Parts, types: NewIds): Promise<void> {
  const { rows } = await sql<{ id: string; series: string }>`
    select id, series_id as series from seasons
     where app_id = ${from} and type_key = any (${types.old}::uuid[])
       and (ends_at is null or ends_at > clock_timestamp() or (repeat_every is not null and not has_next))`.execute(trx)
  if (rows.length > quotas.seasons) throw quotaExceeded('seasons', quotas.seasons)
  const series = new Map(rows.map((season) => [season.series, newId()]))
  const old = rows.map((season) => season.id)
  const made = old.map(newId)
  await sql`
    insert into seasons (app_id, id, type_key, name, starts_at, ends_at, repeat_every, repeat_time_zone, series_id,
                         series_number, series_starts_at, series_ends_at, has_next)
    select ${id}::uuid, n.made, t.made, s.name, s.starts_at, s.ends_at, s.repeat_every, s.repeat_time_zone, n.series,
           s.series_number, s.series_starts_at, s.series_ends_at, s.has_next
      from unnest(${old}::uuid[], ${made}::uuid[], ${rows.map((season) => series.get(season.series))}::uuid[])
             n(old, made, series)
      join seasons s on s.app_id = ${from} and s.id = n.old
      join unnest(${types.old}::uuid[], ${types.made}::uuid[]) t(old, made) on t.old = s.type_key`.execute(trx)
  // Nothing was scored in the copy, so its boards are ready.
  await sql`
    insert into period_boards (app_id, board_key, type_key, starts_at, ends_at)
    select app_id, id, type_key, starts_at, ends_at from seasons where app_id = ${id}`.execute(trx)
}

/** Copies the fences at places that the owner of the copy may use. An award of a hidden type is left out. */
export async function copyFences({ trx, from, id, quotas }: Parts, types: NewIds): Promise<void> {
  const { rows } = await sql`
    insert into fences (app_id, id, name, zone_id, pin_id, radius, max_accuracy, dwell_seconds, listed, check_in, created_at)
    select ${id}::uuid, gen_random_uuid(), f.name, f.zone_id, f.pin_id, f.radius, f.max_accuracy, f.dwell_seconds, f.listed,
           case when f.check_in #>> '{award,miniGameTypeId}' is null then f.check_in
                when t.made is null then f.check_in - 'award'
                else jsonb_set(f.check_in, '{award,miniGameTypeId}', to_jsonb(t.made)) end,
           f.created_at
      from fences f
      left join pins p on p.id = f.pin_id
      left join unnest(${types.old}::uuid[], ${types.made}::uuid[]) t(old, made)
        on t.old = (f.check_in #>> '{award,miniGameTypeId}')::uuid
     where f.app_id = ${from}
       and (f.pin_id is null or p.visibility <> 'private'
            or p.user_id = (select owner_id from apps where id = ${id}))
    returning id`.execute(trx)
  if (rows.length > quotas.fences) throw quotaExceeded('fences', quotas.fences)
  await sql`
    insert into fence_settings as s (app_id, retain_seconds)
    select ${id}::uuid, retain_seconds from fence_settings where app_id = ${from}
    on conflict (app_id) do update set retain_seconds = excluded.retain_seconds`.execute(trx)
}

/** Copies the score hooks of the copied types and of all types, disabled and each with a new secret. */
export async function copyScoreHooks(
  { trx, from, id, newId }: Parts,
  types: NewIds,
  secret: () => string,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from score_hooks where app_id = ${from}
       and (type_key is null or type_key = any (${types.old}::uuid[]))`.execute(trx)
  await sql`
    insert into score_hooks (app_id, id, type_key, url, on_failure, enabled, secret)
    select ${id}::uuid, n.made, t.made, h.url, h.on_failure, false, n.secret
      from unnest(${rows.map((one) => one.id)}::uuid[], ${rows.map(newId)}::uuid[], ${rows.map(secret)}::text[])
             n(old, made, secret)
      join score_hooks h on h.app_id = ${from} and h.id = n.old
      left join unnest(${types.old}::uuid[], ${types.made}::uuid[]) t(old, made) on t.old = h.type_key`.execute(trx)
}

/** Copies the webhooks, disabled and each with a new secret. */
export async function copyWebhooks({ trx, from, id, newId, quotas }: Parts, secret: () => string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoints where app_id = ${from} and deleted_at is null order by created_at, id`.execute(trx)
  if (rows.length > quotas.webhooks) throw quotaExceeded('webhooks', quotas.webhooks)
  await sql`
    insert into webhook_endpoints (app_id, id, url, description, event_types, enabled, disabled_at, secret)
    select ${id}::uuid, n.made, w.url, w.description, w.event_types, false, clock_timestamp(), n.secret
      from unnest(${rows.map((one) => one.id)}::uuid[], ${rows.map(newId)}::uuid[], ${rows.map(secret)}::text[])
             n(old, made, secret)
      join webhook_endpoints w on w.app_id = ${from} and w.id = n.old`.execute(trx)
}
