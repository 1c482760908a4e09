import { expect } from 'vitest'
import type { Builders } from '../builders.ts'
import type { Caller, Service } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { appUrl, makeSession, makeType } from './scoring-steps.ts'

const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)]!

/** The rank of each player of an app on each of its boards by counting: `type key`, `player` → rank. */
export async function ranksInSql(service: Service, appId: string): Promise<Map<string, number>> {
  const rows = await sqlOn(service)<{ type: string; player: string; rank: number }>(
    `select b.type_key as type, b.player_id as player, 1 + count(o.player_id) as rank
       from player_best b left join player_best o on o.app_id = b.app_id and o.type_key = b.type_key and o.rank_key > b.rank_key
      where b.app_id = $1 and b.rank_key is not null group by 1, 2`,
    [appId],
  )
  return new Map(rows.map(({ type, player, rank }) => [`${type} ${player}`, rank]))
}

/** The ranks according to a service, in the same form. */
export async function ranksOf(app: Caller, players: string[]): Promise<Map<string, number>> {
  const ranks = new Map<string, number>()
  for (const id of players) {
    const { status, body } = await app.get(appUrl(`players/${id}?includeGlobalRankings=true`))
    if (status === 404) continue
    expect(status).toBe(200)
    for (const { miniGameTypeId, ranking } of body.globalRankings)
      ranks.set(`${miniGameTypeId ?? '00000000-0000-0000-0000-000000000000'} ${id}`, ranking)
  }
  return ranks
}

/** An app with three boards, sessions and players, and writers through any service. */
export async function crowd(given: Builders, size = 10) {
  const app = await given.app()
  const race = await makeType(app, 'Race', { sortOrder: 'asc' })
  const hunt = await makeType(app, 'Hunt')
  const sessions: { id: string; type?: string }[] = []
  const players: string[] = []

  async function addSession(type?: string): Promise<{ id: string; type?: string }> {
    const { id } = await makeSession(app, type === undefined ? {} : { miniGameTypeId: type })
    for (const player of players) await app.post(appUrl(`game-sessions/${id}/players`), { playerId: player })
    return type === undefined ? { id } : { id, type }
  }

  async function addPlayer(): Promise<string> {
    const { id } = await given.player(app)
    for (const session of sessions) await app.post(appUrl(`game-sessions/${session.id}/players`), { playerId: id })
    return id
  }

  for (const type of [undefined, undefined, race.id, hunt.id, hunt.id]) sessions.push(await addSession(type))
  for (let n = 0; n < size; n++) players.push(await addPlayer())

  return {
    app,
    players,
    sessions,
    /** One change through a caller of any service: usually a score, sometimes a standing or a removal. @returns the response */
    async change(through: Caller): Promise<number> {
      const draw = Math.random()
      const session = pick(sessions)
      const player = pick(players)
      const score = Math.floor(Math.random() * 9) - 4
      if (draw < 0.06) {
        const standing = pick(['normal', 'hidden'])
        return (await through.patch(appUrl(`players/${player}`), { standing })).status
      }
      if (draw < 0.8)
        return (await through.patch(appUrl(`game-sessions/${session.id}/players/${player}`), { score })).status
      if (draw < 0.88) {
        const scores = players.slice(0, 4).map((playerId) => ({ playerId, score }))
        return (await through.post(appUrl(`game-sessions/${session.id}/scores`), { scores })).status
      }
      if (draw < 0.96) {
        const { status } = await through.delete(appUrl(`game-sessions/${session.id}/players/${player}`))
        await through.post(appUrl(`game-sessions/${session.id}/players`), { playerId: player })
        return status
      }
      if (draw < 0.98 && players.length > 3) {
        // Removed from the list first, so that only one of two concurrent callers replaces it.
        players.splice(players.indexOf(player), 1)
        const { status } = await through.delete(appUrl(`players/${player}`))
        players.push(await addPlayer())
        return status
      }
      sessions[sessions.indexOf(session)] = await addSession(session.type)
      return (await through.delete(appUrl(`game-sessions/${session.id}`))).status
    },
  }
}

/** Changes per writer. More find rarer faults. */
const changes = Number(process.env.CAIRN_TEST_ROUNDS || 12)
/** Acknowledged, or refused because another writer was faster; 503 while the database is partitioned. */
const answers = [200, 201, 204, 404, 400]

export type Crowd = Awaited<ReturnType<typeof crowd>>

/** Concurrent writers through all services. @returns once all writes are answered */
export async function writeThrough(some: Crowd, through: Caller[], meanwhile: () => Promise<unknown> = async () => {}) {
  const writers = through.flatMap((caller) =>
    Array.from({ length: 3 }, async () => {
      for (let n = 0; n < changes; n++) {
        const began = performance.now()
        const status = await some.change(caller)
        // A process that cannot publish for ten seconds answers 503: possible on a stalled machine.
        if (status !== 503 || performance.now() - began < 9000) expect(answers).toContain(status)
      }
    }),
  )
  await Promise.all([...writers, meanwhile()])
}

/** Number of boards with a ranked player: random writes may leave some empty, and those are never loaded. */
export const boardsOf = (truth: Awaited<ReturnType<typeof ranksInSql>>) =>
  new Set([...truth.keys()].map((name) => name.split(' ')[0])).size
