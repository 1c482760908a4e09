import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, expectStatus } from '../load/client.ts'
import type { Game } from '../load/game.ts'
import type { Findings } from '../row.ts'
import type { Sql } from '../sites/sql.ts'

type Best = Map<string, number>

/** Computes each player's best score on a board from the sessions. */
async function bestsOf(sql: Sql, game: Game, board: Game['boards'][number]): Promise<Best> {
  const sessions = game.sessions.filter(({ typeId }) => typeId === board.typeId).map(({ id }) => id)
  const rows = await sql<{ player_id: string; best: number }>(
    `select player_id, ${board.ascending ? 'min' : 'max'}(score) as best from session_players
      where app_id = $1 and session_id = any($2::uuid[]) and scored_at is not null group by player_id`,
    [game.appId, sessions],
  )
  return new Map(rows.map(({ player_id, best }) => [player_id, best]))
}

/** Waits until no score has changed for two seconds, at most 90 seconds: abandoned requests may still be running. */
export async function waitUntilQuiet(sql: Sql, { appId }: Game): Promise<void> {
  const text = `select count(*) as many, sum(hashtextextended(player_id::text || session_id::text || score, 0)) as sum,
    (select count(*) from players) as players from session_players where app_id = $1`
  let before = ''
  for (let [quiet, i] = [0, 0]; quiet < 4 && i < 180; i++) {
    const now = JSON.stringify(await sql(text, [appId]))
    quiet = now === before ? quiet + 1 : 0
    before = now
    await sleep(500)
  }
}

/**
 * Requests ranks of every board from every process, so that rank indexes load while writers run and must follow their
 * changes.
 */
export async function loadRanks(processes: Client[], { boards, players, key }: Game): Promise<void> {
  const headers = { 'x-app-api-key': key }
  // Players without a score have no rank, so several are requested.
  const asked = boards.flatMap(({ typeId }) =>
    players.slice(0, 4).map((player) => `${player}/global-ranking${typeId ? `?miniGameTypeId=${typeId}` : ''}`),
  )
  const get = (client: Client, path: string) =>
    client.send({ method: 'GET', path: `/api/v1/apps/players/${path}`, headers })
  await Promise.all(processes.flatMap((client) => asked.map((path) => get(client, path))))
}

/**
 * Compares leaderboards and ranks of every process with the scores in SQL. No writes may run. Checked twice: the first
 * responses may come from SQL while an index loads.
 */
export async function checkRanks(processes: Client[], sql: Sql, game: Game, wrong: Findings): Promise<void> {
  const headers = { 'x-app-api-key': game.key }
  for (const board of game.boards) {
    const bests = await bestsOf(sql, game, board)
    const isBetter = (a: number, b: number) => (board.ascending ? a < b : a > b)
    const ordered = [...bests.values()].sort((a, b) => (board.ascending ? a - b : b - a))
    const query = board.typeId ? `?miniGameTypeId=${board.typeId}` : ''
    for (const round of ['first', 'later']) {
      for (const [at, client] of processes.entries()) {
        const where = `process ${at}, ${round}, ${board.typeId ? 'less is better' : 'default'}`
        const get = (path: string) => client.send({ method: 'GET', path: `/api/v1/apps/${path}`, headers })
        const { body } = await expectStatus(get(`leaderboards/mini-game${query}`))
        const entries = body.leaderboard as { playerId: string; playerScore: number; ranking: number }[]
        const shown = JSON.stringify(entries.map(({ playerScore }) => playerScore))
        if (shown !== JSON.stringify(ordered.slice(0, 100)))
          wrong.add('leaderboard does not match the scores', `${where}: ${shown} for ${JSON.stringify(ordered)}`)
        for (const { playerId, playerScore } of entries)
          if (bests.get(playerId) !== playerScore) wrong.add('leaderboard has a wrong score', `${where}: ${playerId}`)
        await Promise.all(
          [...bests].map(async ([player, best]) => {
            const ranking = 1 + ordered.filter((other) => isBetter(other, best)).length
            const answer = await expectStatus(get(`players/${player}/global-ranking${query}`))
            if (answer.body.ranking !== ranking || answer.body.highestScore !== best)
              wrong.add(
                'rank does not match the scores',
                `${where}: ${JSON.stringify(answer.body)}, not ${ranking} with ${best}`,
              )
          }),
        )
      }
      if (round === 'first') await sleep(700)
    }
  }
}

/**
 * Returns the number of ranks these processes have read from Redis. If it is zero, a comparison does not cover Redis.
 */
export async function ranksFoundInRedis(processes: Client[]): Promise<number> {
  const counts = processes.map(async (client) => {
    const { body } = await expectStatus(client.send({ method: 'GET', path: '/metrics' }))
    return Number(/^cairn_rank_found (\d+)/m.exec(body)?.[1] ?? 0)
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
