import pg from 'pg'

/** The actual rows of each scope of each counted table, with the maintained count. */
const DIFFERENCES = `
  with gone_through as (
    select 'players' as relation, app_id::text as scope, count(*) as rows from players group by app_id
    union all select 'game_sessions', app_id::text, count(*) from game_sessions group by app_id
    union all select 'game_sessions', app_id || ' open', count(*) from game_sessions where status <> 'completed' group by app_id
    union all select 'webhook_deliveries', endpoint_id::text, count(*) from webhook_deliveries group by endpoint_id
    union all select 'player_storage_bytes', app_id::text, sum(bytes) from player_storage group by app_id
    union all select 'gcps', '', count(*) from gcps
    union all select 'gcps', zone_id::text, count(*) from gcps where zone_id is not null group by zone_id
    union all select 'zones', '', count(*) from zones
    union all select 'users', '', count(*) from users
    union all select 'audit_log', '', count(*) from audit_log
    union all select 'scans', (extract(epoch from date_trunc('day', captured_at at time zone 'UTC')) / 86400)::bigint::text, count(*)
      from scans where visibility = 'public' and status = 'COMPLETED' group by 2),
  noted as (
    select relation, scope, sum(rows)::bigint as rows
      from (select relation, scope, rows from row_counts union all select relation, scope, change from row_count_changes) as n
     group by relation, scope)
  select relation, scope, coalesce(g.rows, 0)::int as "goneThrough", coalesce(n.rows, 0)::int as counted
    from gone_through g full join noted n using (relation, scope)
   where coalesce(g.rows, 0) <> coalesce(n.rows, 0)`

/** Scopes with a wrong count; must be empty. */
export async function wrongRowCounts(url: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(DIFFERENCES)).rows
  } finally {
    await client.end()
  }
}
