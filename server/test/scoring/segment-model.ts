import { expect } from 'vitest'
import { buildersOn } from '../builders.ts'
import type { Service } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { appUrl, makeSession, makeType, playSession, rankOf } from './scoring-steps.ts'

const WRITERS = 8
const WRITES = 40
const COUNTRIES = ['DE', 'FR', 'IT']

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

/**
 * Changes scores, attributes, standings and declared segments at once, and compares every rank in a segment with counting.
 * @param others services beside the first one that the writers use
 */
export async function expectCountedSegments(service: Service, ...others: Service[]): Promise<void> {
  const given = buildersOn(service)
  const app = await given.app()
  const callers = [app, ...others.map((other) => other.as(app.headers))]
  for (const sortOrder of ['asc', 'desc']) {
    const type = await makeType(app, `In ${sortOrder}`, { sortOrder, segments: ['country', 'team'] })
    const sessions = [await makeSession(app, { miniGameTypeId: type.id })]
    const players = await playSession(given, app, sessions[0]!.id, [1, 2, 3, 4, 5, 6, undefined, undefined])
    sessions.push(await makeSession(app, { miniGameTypeId: type.id }))
    for (const { id } of players) await app.post(appUrl(`game-sessions/${sessions[1]!.id}/players`), { playerId: id })
    const boards = COUNTRIES.flatMap((country) =>
      ['', '&window=day'].map((more) => `?miniGameTypeId=${type.id}${more}&segment=country:${country}`),
    )
    // Loads their indexes, which the writes must then move.
    for (const caller of callers)
      for (const one of boards)
        expect(await caller.get(appUrl(`leaderboards/mini-game${one}`))).toMatchObject({ status: 200 })

    const write = async () => {
      const through = pick(callers)
      const { id } = pick(players)
      const draw = Math.random()
      const place = appUrl(`game-sessions/${pick(sessions).id}/players/${id}`)
      const change = (body: object) => through.patch(appUrl(`players/${id}`), body)
      const score = Math.floor(Math.random() * 9)
      const { status } =
        draw < 0.25
          ? await change({ attributes: pick([null, ...COUNTRIES.map((country) => ({ country, team: 'red' }))]) })
          : draw < 0.35
            ? await change({ standing: pick(['normal', 'hidden']) })
            : draw < 0.38
              ? await through.patch(appUrl(`mini-game-types/${type.id}`), {
                  segments: pick([['country'], ['country', 'team']]),
                })
              : draw < 0.5
                ? await through.post(place.replace(/players.*/, 'scores'), {
                    scores: players.slice(0, 5).map((player) => ({ playerId: player.id, score })),
                  })
                : await through.patch(place, { score })
      expect(status).toBe(200)
    }
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        for (let i = 0; i < WRITES; i++) await write()
      }),
    )

    const best = sortOrder === 'asc' ? 'min' : 'max'
    for (const one of boards) {
      const country = one.slice(-2)
      const rows = (await sqlOn(service)(
        `select sp.player_id as id, rank() over (order by ${best}(sp.score) ${sortOrder})::int as rank
           from session_players sp join players p on p.app_id = sp.app_id and p.id = sp.player_id
           join player_attributes a on a.app_id = p.app_id and a.player_id = p.id
          where sp.type_key = $1 and sp.scored_at is not null and p.standing = 'normal' and a.attributes ->> 'country' = $2
          group by 1`,
        [type.id, country],
      )) as { id: string; rank: number }[]
      const ranks = new Map(rows.map(({ id, rank }) => [id, rank]))
      for (const caller of callers) {
        const found = await Promise.all(players.map(async ({ id }) => [id, await rankOf(caller, id, one)]))
        expect([one, found]).toEqual([one, players.map(({ id }) => [id, ranks.get(id)])])
      }
    }
  }
}
