import { expect } from 'vitest'
import type { Caller } from '../service.ts'
import type { Sql } from '../sql.ts'
import { appUrl, nextOf } from './scoring-steps.ts'

const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The board of a type, from all scores. */
const fromScores = `
  with bests as (
    select distinct on (sp.player_id) sp.*, case when t.ascending then 0 - sp.score else sp.score end as key
      from session_players sp
      join mini_game_types t on t.app_id = sp.app_id and t.id = sp.type_key
     where sp.app_id = $1 and sp.type_key = $2 and sp.scored_at is not null
     order by sp.player_id, key desc, sp.scored_at, sp.session_id)
  select p.id as "playerId", p.display_name as "playerDisplayName", b.score as "playerScore",
         ${time('b.created_at')} as "createdAt", ${time('b.updated_at')} as "updatedAt", b.session_id as "gameSessionId",
         $3 || p.image_url as "playerImageUrl", p.user_id as "userId", (rank() over (order by b.key desc))::int as ranking, b.metadata
    from bests b join players p on p.app_id = b.app_id and p.id = b.player_id
   where p.standing = 'normal'
   order by b.key desc, b.scored_at, p.id`

type Shown = { playerId: string } & Record<string, unknown>

/** Checks that the top of a board, its total, its next page and the ranks of its players are those of counting all scores. */
export async function expectShown(
  { app, sql, url }: { app: Caller & { id: string }; sql: Sql; url: string },
  typeId: string,
  limits: number[],
): Promise<void> {
  const rows = await sql<Shown>(fromScores, [app.id, typeId, url])
  const expected = rows.map(({ metadata, ...entry }) => (metadata ? { ...entry, metadata } : entry))
  for (const limit of limits) {
    const path = `leaderboards/mini-game?miniGameTypeId=${typeId}&limit=${limit}`
    const { status, body, headers } = await app.get(appUrl(path))
    expect(status).toBe(200)
    expect({ limit, leaderboard: body.leaderboard }).toEqual({ limit, leaderboard: expected.slice(0, limit) })
    expect(headers.get('x-total-count')).toBe(String(expected.length))
    const next = nextOf(headers)
    expect(next !== undefined).toBe(expected.length > limit)
    if (next) expect((await app.get(next)).body.leaderboard[0]).toEqual(expected[limit])
  }
  for (const { playerId, playerDisplayName, playerScore, ranking } of expected) {
    const path = appUrl(`players/${playerId}`)
    const { body } = await app.get(`${path}/global-ranking?miniGameTypeId=${typeId}`)
    expect(body).toMatchObject({ highestScore: playerScore, ranking })
    expect((await app.get(path)).body).toMatchObject({ displayName: playerDisplayName })
  }
}
