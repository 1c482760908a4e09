import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appUrl, makeSession, makeType, playSession, setScore } from '../../../test/scoring/scoring-steps.ts'
import type { Rules } from '../../../test/scoring/unmade/counted-board.ts'
import { expectCountedMeanwhile, holdFills } from '../../../test/scoring/unmade/unmade-model.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService({ CAIRN_LIMIT_KEY_PER_MINUTE: '100000' })
  given = buildersOn(service)
})
afterAll(() => service.stop())

const boardUrl = (query: string) => appUrl(`leaderboards/mini-game?${query}`)

describe('every read of a board that is being made is what counting would give', () => {
  test.each<Rules>([
    { sortOrder: 'desc', scoreMode: 'best', ties: 'first' },
    { sortOrder: 'asc', scoreMode: 'best', ties: 'none' },
    { sortOrder: 'desc', scoreMode: 'best', ties: 'last' },
    { sortOrder: 'asc', scoreMode: 'latest', ties: 'first' },
    { sortOrder: 'desc', scoreMode: 'latest', ties: 'none' },
    { sortOrder: 'desc', scoreMode: 'sum', ties: 'last' },
    { sortOrder: 'asc', scoreMode: 'sum', ties: 'first' },
  ])('$sortOrder, $scoreMode, ties $ties', { tags: ['long'] }, (rules) => expectCountedMeanwhile(rules, service))
})

test('a write is on a board that is being made before it is answered', async () => {
  const app = await given.app()
  const { id: miniGameTypeId } = await makeType(app, 'Hunt')
  const { id } = await makeSession(app, { miniGameTypeId })
  const [a, b] = await playSession(given, app, id, [1, 2])
  const release = await holdFills(service)
  try {
    const top = async () => (await app.get(boardUrl(`miniGameTypeId=${miniGameTypeId}&window=day`))).body.leaderboard[0]
    expect(await top()).toMatchObject({ playerId: b!.id, playerScore: 2 })
    for (const score of [3, 4, 5]) {
      await setScore(app, id, a!.id, score)
      expect(await top()).toMatchObject({ playerId: a!.id, playerScore: score })
    }
  } finally {
    await release()
  }
})

test('pages go on over the moment at which a board is made', async () => {
  const app = await given.app()
  const { id } = await makeSession(app)
  await playSession(given, app, id, [1, 2, 3])
  const release = await holdFills(service)
  const first = await app.get(boardUrl('window=day&limit=1')).finally(release)
  expect(first.status).toBe(200)
  const isReady = async () =>
    (await sqlOn(service)('select from period_boards where app_id = $1 and is_ready', [app.id])).length
  await expect.poll(isReady).toBe(1)
  const { body } = await app.get(/<([^>]+)>/.exec(first.headers.get('link')!)![1]!)
  expect(body.leaderboard).toMatchObject([{ playerScore: 2, ranking: 2 }])
})

test('a season that ends while its players are sorted into segments has all of them, then and afterwards', async () => {
  const app = await given.app()
  const { id: miniGameTypeId } = await makeType(app, 'Hunt')
  const { id } = await makeSession(app, { miniGameTypeId })
  const [first, second] = await playSession(given, app, id, [7, 9])
  for (const player of [first!, second!])
    await app.patch(appUrl(`players/${player.id}`), { attributes: { country: 'DE' } })
  const startsAt = new Date(Date.now() - 60_000).toISOString()
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  const season = (await app.post(appUrl('seasons'), { name: 'Spring', miniGameTypeId, startsAt, endsAt })).body
  const query = `season=${season.id}&segment=country:DE`
  await expect.poll(async () => (await app.get(boardUrl(`season=${season.id}`))).status).toBe(200)
  const isMade = async () =>
    (await sqlOn(service)('select from period_boards where board_key = $1 and is_ready', [season.id])).length
  await expect.poll(isMade).toBe(1)

  const release = await holdFills(service)
  const both = [{ playerScore: 9 }, { playerScore: 7 }]
  try {
    await app.patch(appUrl(`mini-game-types/${miniGameTypeId}`), { segments: ['country'] })
    expect((await app.get(boardUrl(query))).body.leaderboard).toMatchObject(both)
    for (const [table, key] of [
      ['period_boards', 'board_key'],
      ['seasons', 'id'],
    ])
      await sqlOn(service)(`update ${table} set ends_at = clock_timestamp() where ${key} = $1`, [season.id])
    expect((await app.get(boardUrl(query))).body.leaderboard).toMatchObject(both)
  } finally {
    await release()
  }
  const isSorted = async () =>
    (await sqlOn(service)('select from mini_game_types where id = $1 and are_segments_ready', [miniGameTypeId])).length
  await expect.poll(isSorted).toBe(1)
  expect((await app.get(boardUrl(query))).body.leaderboard).toMatchObject(both)
})

describe('503 with Retry-After', () => {
  const answer503 = { status: 503, body: { error: expect.stringContaining('is being made from scores') } }
  const tooMany = { status: 503, body: { error: expect.stringContaining('being computed') } }

  /** Makes the statement of a board take this long for each player it counts. @returns a function to undo it */
  async function slowed(seconds: number) {
    const sql = sqlOn(service)
    const counted = 'counted_score(text, boolean, session_score[])'
    const [found] = await sql<{ text: string }>(`select pg_get_functiondef('${counted}'::regprocedure) as text`)
    await sql(found!.text.replace('$function$', `$function$ select pg_sleep(${seconds});`))
    return () => sql(found!.text)
  }

  /** A type whose boards are counted by that function, and a session of it. */
  async function latestHunt(app: Caller) {
    const { id: miniGameTypeId } = await makeType(app, 'Hunt', { scoreMode: 'latest' })
    return { miniGameTypeId, ...(await makeSession(app, { miniGameTypeId })) }
  }

  test('for reads beyond three at once and twenty that wait, those of past times included', async () => {
    const app = await given.app()
    const { id, miniGameTypeId } = await latestHunt(app)
    const players = await playSession(
      given,
      app,
      id,
      Array.from({ length: 30 }, (_, i) => i),
    )
    const release = await holdFills(service)
    const undo = await slowed(3)
    const dayOf = (query: string) => app.get(boardUrl(`miniGameTypeId=${miniGameTypeId}&${query}`))
    try {
      const all = players.map((player) => dayOf(`window=day&playerIds=${player.id}`))
      const refused: Awaited<(typeof all)[number]>[] = []
      for (const one of all) one.then((answer) => answer.status === 503 && refused.push(answer))
      await expect.poll(() => refused.length).toBe(7)
      refused.push(await dayOf(`at=${new Date().toISOString()}`))
      await undo()
      expect((await Promise.all(all)).filter(({ status }) => status === 200)).toHaveLength(23)
      for (const answer of refused) {
        expect(answer).toMatchObject(tooMany)
        expect(answer.headers.get('retry-after')).toBe('3')
      }
    } finally {
      await undo()
      await release()
    }
  })

  test('for a read that takes longer than ten seconds', { tags: ['long'] }, async () => {
    const app = await given.app()
    const { id, miniGameTypeId } = await latestHunt(app)
    await playSession(given, app, id, [1])
    const release = await holdFills(service)
    const undo = await slowed(11)
    try {
      const answer = await app.get(boardUrl(`miniGameTypeId=${miniGameTypeId}&window=day`))
      expect(answer).toMatchObject(answer503)
      expect(answer.headers.get('retry-after')).toBe('15')
    } finally {
      await undo()
      await release()
    }
  })

  test('for the export of a season until it is made, and all of it if it ended before', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [7])
    const release = await holdFills(service)
    try {
      const startsAt = new Date(Date.now() - 60_000).toISOString()
      const endsAt = new Date(Date.now() + 3_600_000).toISOString()
      const season = (await app.post(appUrl('seasons'), { name: 'Spring', startsAt, endsAt })).body
      expect(await app.get(boardUrl(`season=${season.id}`))).toMatchObject({ status: 200 })
      expect(await app.get(appUrl(`seasons/${season.id}/export`))).toMatchObject(answer503)
      for (const [table, key] of [
        ['period_boards', 'board_key'],
        ['seasons', 'id'],
      ])
        await sqlOn(service)(`update ${table} set ends_at = clock_timestamp() where ${key} = $1`, [season.id])
      expect(await app.get(boardUrl(`season=${season.id}`))).toMatchObject(answer503)
      const rank = appUrl(`players/${player!.id}/global-ranking?season=${season.id}`)
      expect(await app.get(rank)).toMatchObject(answer503)
    } finally {
      await release()
    }
  })
})
