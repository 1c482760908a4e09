import pg from 'pg'
import { segmentKey } from '../../../server/modules/scoring/segments/segment.ts'
import { runSql } from '../../databases/temporary-database.ts'
import { bestOfTwo, closedLoop } from '../../load/closed-loop.ts'
import { ask } from '../../load/http-client.ts'
import { untilMetric } from '../../measure/metric.ts'
import { withAppService } from '../../processes/board-service.ts'
import type { Comparison } from '../../record/comparison.ts'

const BEST = 1e9
const SEGMENT = { name: 'country', value: 'DE' }
const MS = 2000
const places = ['top', 'middle', 'bottom'] as const

/**
 * A player's rank among the players of a segment over HTTP, at the top, in the middle and at the bottom. Beside it,
 * PostgreSQL counts the better players of the segment.
 * @param url a PostgreSQL that may create databases @param size players in the segment
 */
export function benchSegments(url: string, size = 1_000_000): Promise<Comparison[]> {
  return withAppService(url, async ({ service, databaseUrl, app: { id: app, apiKey } }) => {
    await runSql(databaseUrl, seed(app, size))
    await runSql(databaseUrl, 'vacuum analyze segment_best')
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      const compared: Comparison[] = []
      for (const place of places) {
        const { rows } = await client.query<{ id: string; key: number }>(
          'select p.id, b.rank_key as key from players p join player_best b on b.player_id = p.id where display_name = $1',
          [place],
        )
        const { id, key } = rows[0]!
        const address = `${service.url}/api/v1/apps/players/${id}/global-ranking?miniGameTypeId=${app}&segment=country:DE`
        const rank = () => ask(address, { headers: { 'x-app-api-key': apiKey } })
        const count = () =>
          client.query<{ above: number }>({
            name: 'count',
            text: 'select count(*)::int as above from segment_best where app_id = $1 and board_key = $2 and rank_key > $3',
            values: [app, segmentKey(app, SEGMENT), key],
          })
        const counted = 1 + (await count()).rows[0]!.above
        if (JSON.parse(await rank()).ranking !== counted) throw new Error('the rank is not that of counting')
        await untilMetric(service.url, 'cairn_rank_bytes', (bytes) => bytes > size)
        if (JSON.parse(await rank()).ranking !== counted) throw new Error('the rank in memory is not that of counting')
        const { ours, peer } = await bestOfTwo({
          ours: () => closedLoop(1, MS, rank),
          peer: () => closedLoop(1, MS, count),
        })
        compared.push({
          name: `rank over HTTP at the ${place} of a segment of ${size.toLocaleString('en')} / count(*)`,
          ours,
          peer,
          ratio: ours.p50Ms / peer.p50Ms,
          target: place === 'top' ? 'none: there is little to count' : '≤ 0.1',
        })
      }
      return compared
    } finally {
      await client.end()
    }
  })
}

/** A type of the app's own ID with three players, named by their places, and others that are only on the board. */
const seed = (app: string, size: number) => `
  insert into mini_game_types (app_id, id, name, name_key, description, scored, segments)
    values ('${app}', '${app}', 'Bench', 'bench', '', true, '{${SEGMENT.name}}');
  insert into game_sessions (app_id, id, type_key) values ('${app}', '${app}', '${app}');
  insert into players (app_id, id, display_name, name_key)
    select '${app}', gen_random_uuid(), place, place from unnest('{${places}}'::text[]) place;
  insert into player_attributes (app_id, player_id, attributes)
    select app_id, id, '{"${SEGMENT.name}": "${SEGMENT.value}"}' from players;
  insert into session_players (app_id, session_id, player_id, type_key, score, scored_at)
    select app_id, '${app}', id, '${app}', case display_name when 'top' then ${BEST * (1 - 10 / size)}
             when 'middle' then ${BEST / 2} else ${(BEST * 10) / size} end, now() from players;
  insert into player_best (app_id, type_key, player_id) select app_id, type_key, player_id from session_players;
  update player_best b set score = p.score, rank_key = p.score, session_id = p.session_id, achieved_at = p.scored_at
    from session_players p where p.player_id = b.player_id;
  insert into segment_best (app_id, board_key, player_id, score, rank_key, session_id, achieved_at, version)
    select '${app}', segment_key('${app}', '${SEGMENT.name}:${SEGMENT.value}'), gen_random_uuid(), k, k, '${app}', now(), 1
      from (select random() * ${BEST} as k from generate_series(1, ${size - places.length})) q;`
