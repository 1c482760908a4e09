// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, rankOf } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

const PLAYERS = 300
const segments = ['country', 'team', 'platform', 'level']

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService({ CAIRN_LIMIT_KEY_PER_MINUTE: '100000' })
  given = buildersOn(service)
})
afterAll(() => service.stop())

test('a request with hundreds of scores moves every player in every segment and window, as counting would', async () => {
  const app = await given.app()
  const { id: miniGameTypeId } = await makeType(app, 'Hunt', { segments })
  const { id: session } = await makeSession(app, { miniGameTypeId })
  const attributes = Object.fromEntries(segments.map((name) => [name, 'a']))
  const ids: string[] = []
  for (let n = 0; n < PLAYERS; n++) {
    const { body } = await app.post(appUrl('players'), { displayName: `Player ${n}`, attributes })
    await app.post(appUrl(`game-sessions/${session}/players`), { playerId: body.id })
    ids.push(body.id)
  }
  const write = async (scores: number[]) => {
    const items = ids.map((playerId, n) => ({ playerId, score: scores[n]! }))
    expect(await app.post(appUrl(`game-sessions/${session}/scores`), { scores: items })).toMatchObject({ status: 200 })
  }
  const boards = ['', '&window=day', '&window=week', '&window=month'].flatMap((window) =>
    segments.map((name) => `?miniGameTypeId=${miniGameTypeId}${window}&segment=${name}:a`),
  )
  await write(ids.map((_, n) => n))
  // Loads the indexes of the boards, which the next request must then move.
  for (let round = 0; round < 2; round++)
    for (const board of boards) await expect.poll(() => rankOf(app, ids[0]!, board)).toBe(PLAYERS)

  await write(ids.map((_, n) => PLAYERS + ((n * 7) % PLAYERS)))
  for (const board of boards)
    for (const n of [0, 1, 42, 150, PLAYERS - 1])
      expect(await rankOf(app, ids[n]!, board)).toBe(PLAYERS - ((n * 7) % PLAYERS))
})
