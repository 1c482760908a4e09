import { type RawBuilder, sql } from 'kysely'

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** A part of a subject such as `<session>/<player>`, as an ID; null if it is none. */
const uuidAt = (part: 1 | 2) => {
  const text = sql`split_part(audit_log.subject, '/', ${sql.lit(part)})`
  return sql`case when ${text} ~ ${sql.lit(UUID)} then ${text}::uuid end`
}
const number = sql`case when audit_log.subject ~ '^[0-9]{1,18}(/|$)' then split_part(audit_log.subject, '/', 1)::bigint end`
const [first, second] = [uuidAt(1), uuidAt(2)]
const host = sql`substring(h.url from '^[a-z]+://([^/?#]+)')`
const userName = sql`coalesce(u.username, u.email)`
const ofApp = (table: string, name: string, id = first) =>
  sql`select t.${sql.ref(name)} from ${sql.table(table)} t where t.app_id = audit_log.app_id and t.id = ${id}`
const playerOf = (table: string) => sql`
  select p.display_name from ${sql.table(table)} t join players p on p.app_id = t.app_id and p.id = t.player_id
   where t.app_id = audit_log.app_id and t.id = ${first}`

/** How the affected record is looked up, by the things that actions begin with. */
const LOOKED_UP: Record<string, RawBuilder<unknown>> = {
  'app|app_key|app_config|app_invitation|app_owner|position_settings|alert_settings': sql`select a.name from apps a where a.id = ${first}`,
  'user|account|session|apps|app_keys': sql`select ${userName} from users u where u.id = ${first}`,
  app_member: sql`select ${userName} from users u where u.id = ${second}`,
  player: ofApp('players', 'display_name'),
  score: ofApp('players', 'display_name', second),
  held_score: playerOf('held_scores'),
  check_in: playerOf('check_ins'),
  'game_session|leaderboard': ofApp('game_sessions', 'name'),
  season: ofApp('seasons', 'name'),
  mini_game_type: ofApp('mini_game_types', 'name'),
  fence: ofApp('fences', 'name'),
  score_hook: sql`select ${host} from score_hooks h where h.app_id = audit_log.app_id and h.id = ${first}`,
  'webhook|webhook_secret': sql`select ${host} from webhook_endpoints h where h.id = ${first}`,
  pin: sql`select p.title from pins p where p.id = ${number}`,
  'gcp|gcp_photo': sql`select g.title from gcps g where g.id = ${number}`,
  'zone|zone_editor': sql`select z.title from zones z where z.id = ${number}`,
  file: sql`select f.file_name from files f where f.id = ${number}`,
  scan: sql`select coalesce(s.title, f.file_name) from scans s join files f on f.id = s.file_id where s.id = ${first}`,
  import: sql`select i.file_name from csv_uploads i where i.id = ${first}`,
  shared_map: sql`select m.title from shared_maps m where m.id = ${first}`,
  personal_token: sql`select k.name from personal_tokens k where k.id = ${first}`,
}

/** The name of the affected record; of hooks, the host that they call; of what was reviewed, the player. */
export const subjectName = sql<string | null>`case split_part(audit_log.action, '.', 1) ${sql.join(
  Object.entries(LOOKED_UP).flatMap(([things, name]) =>
    things.split('|').map((thing) => sql`when ${sql.lit(thing)} then (${name})`),
  ),
  sql` `,
)} end`

/** The app that the affected record belongs to. */
export const subjectApp = sql<string | null>`coalesce(audit_log.app_id, case
  when audit_log.action ~ '^webhook' then (select h.app_id from webhook_endpoints h where h.id = ${first}) end)`
