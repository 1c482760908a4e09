import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession, rankOf } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const WRITERS = 8
const WRITES = 30

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

test('every rank is that of counting the scores of normal players, after writers and changes of standing at once', {
  tags: ['long'],
}, async () => {
  const app = await given.app()
  for (const sortOrder of ['asc', 'desc']) {
    const type = await makeType(app, `In ${sortOrder}`, { sortOrder })
    const sessions = [await makeSession(app, { miniGameTypeId: type.id })]
    const players = await playSession(given, app, sessions[0]!.id, [1, 2, 3, 4, 5, 6, undefined, undefined])
    sessions.push(await makeSession(app, { miniGameTypeId: type.id }))
    for (const { id } of players) await app.post(appUrl(`game-sessions/${sessions[1]!.id}/players`), { playerId: id })
    const boards = ['', '&window=day'].map((more) => `?miniGameTypeId=${type.id}${more}`)
    for (const one of boards) await rankOf(app, players[0]!.id, one)

    const write = async () => {
      const { id } = pick(players)
      if (Math.random() < 0.2) {
        const standing = pick(['normal', 'normal', 'hidden', 'banned'])
        expect(await app.patch(appUrl(`players/${id}`), { standing })).toMatchObject({ status: 200 })
      } else {
        const score = Math.floor(Math.random() * 9)
        const { status } = await app.patch(appUrl(`game-sessions/${pick(sessions).id}/players/${id}`), { score })
        expect([200, 403]).toContain(status)
      }
    }
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        for (let i = 0; i < WRITES; i++) await write()
      }),
    )

    const best = sortOrder === 'asc' ? 'min' : 'max'
    const rows = (await sql(
      `select sp.player_id as id, rank() over (order by ${best}(sp.score) ${sortOrder})::int as rank
         from session_players sp join players p on p.app_id = sp.app_id and p.id = sp.player_id
        where sp.type_key = $1 and sp.scored_at is not null and p.standing = 'normal' group by 1`,
      [type.id],
    )) as { id: string; rank: number }[]
    const ranks = new Map(rows.map(({ id, rank }) => [id, rank]))
    for (const one of boards)
      for (const { id } of players) expect([id, await rankOf(app, id, one)]).toEqual([id, ranks.get(id)])
  }
})
