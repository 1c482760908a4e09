import type { Service } from '../service.ts'
import { sqlOn } from '../sql.ts'

/** Statements that find inconsistent rows; they must return none. */
const finders: Record<string, string> = {
  'a registration of another kind of game than its session': `select 1 from session_players p join game_sessions s on s.app_id = p.app_id and s.id = p.session_id
      where p.type_key <> s.type_key`,
  'a best that is not the best of the scores': `select 1 from (
       select app_id, type_key, player_id, array_agg(score) scores from session_players
        where scored_at is not null
          and not exists (select from players h where h.app_id = session_players.app_id and h.id = player_id
                             and h.standing <> 'normal')
        group by 1, 2, 3) written
       full join (select * from player_best where rank_key is not null) best using (app_id, type_key, player_id)
      where best.score is null or written.scores is null
         or best.score <> (select case when best.rank_key = best.score then max(score) else min(score) end
                             from unnest(written.scores) score)`,
  'a point without a pin, or with two': `select 1 from gcps g where (select count(*) from pins where gcp_id = g.id) <> 1`,
  'a pin of a point that says it is something else': `select 1 from pins where (gcp_id is not null) <> (content_type = 'GCP') and gcp_id is not null`,
  'a photo of a point that belongs to nobody who could have sent it': `select 1 from gcp_photos p left join files f on f.id = p.file_id where f.id is null`,
  'a request that was taken and never answered': `select 1 from idempotency_keys where state = 'running'`,
  'a reference that the database does not watch': `select 1 from pg_constraint where contype = 'f' and not convalidated`,
}

/** Unexpected or missing rows and objects. */
export async function inconsistencies(service: Service): Promise<string[]> {
  const sql = sqlOn(service)
  const found: string[] = []
  for (const [what, statement] of Object.entries(finders)) {
    const rows = await sql(statement)
    if (rows.length > 0) found.push(`${what} (${rows.length})`)
  }
  await service.app.checkStorage({ hashes: true }, ({ fault, key, says }) => {
    // Uploads to a presigned URL that were never used are swept later.
    if (fault !== 'unknown') found.push(`${fault} ${key}: ${says}`)
  })
  return found
}
