import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { withDatabase } from '../../../test/database.ts'
import { appUrl, makeSession, makeType, playSession } from '../../../test/scoring/scoring-steps.ts'
import { type Answer, type Caller, type Service, startService } from '../../../test/service.ts'
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

/** Runs a statement in a transaction that stays open while `during` runs, then commits it. */
async function inOpenTransaction<T>(url: string, statement: string, values: unknown[], during: () => Promise<T>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(statement, values)
    const result = await during()
    await client.query('commit')
    return result
  } finally {
    await client.end()
  }
}

/** A board once it is made: until then it is read from scores. */
async function madeBoard(app: Caller & { id: string }, query: string): Promise<Answer> {
  const unmade = `
    select from period_boards where app_id = $1 and not is_ready
    union all select from mini_game_types where app_id = $1 and not are_segments_ready`
  await expect.poll(async () => (await sql(unmade, [app.id])).length).toBe(0)
  return getBoard(app, query)
}

const getBoard = (app: Caller, query: string) => app.get(appUrl(`leaderboards/mini-game?${query}`))
const scoresOf = ({ body }: Answer) => body.leaderboard.map(({ playerScore }: { playerScore: number }) => playerScore)

/** Asks for a board, and returns the request once it waits for a transaction, or has been answered without. */
async function waitingFor(app: Caller, query: string): Promise<{ answer: Promise<Answer> }> {
  let isAnswered = false
  const answer = getBoard(app, query).finally(() => {
    isAnswered = true
  })
  const isWaiting = () =>
    sql(`select from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'`)
  while (!isAnswered && (await isWaiting()).length === 0) await sleep(10)
  return { answer }
}

test('a new board has the score of a transaction that was open when it was made', async () => {
  const app = await given.app()
  const { id } = await makeSession(app)
  const [player] = await playSession(given, app, id, [undefined])
  const { answer } = await inOpenTransaction(
    service.databaseUrl,
    'select * from save_score($1, $2, $3, 7)',
    [app.id, id, player!.id],
    () => waitingFor(app, 'window=day'),
  )
  expect((await answer).status).toBe(200)
  expect(scoresOf(await madeBoard(app, 'window=day'))).toEqual([7])
})

test('a new segment has the player whose attributes were being set when it was declared', async () => {
  const app = await given.app()
  const type = await makeType(app, 'Hunt')
  const of = `miniGameTypeId=${type.id}&segment=country:DE`
  const { id } = await makeSession(app, { miniGameTypeId: type.id })
  const [player] = await playSession(given, app, id, [7])
  const { answer } = await inOpenTransaction(
    service.databaseUrl,
    `select set_attributes($1, $2, '{"country": "DE"}')`,
    [app.id, player!.id],
    async () => {
      await app.patch(appUrl(`mini-game-types/${type.id}`), { segments: ['country'] })
      return await waitingFor(app, of)
    },
  )
  expect((await answer).status).toBe(200)
  expect(scoresOf(await madeBoard(app, of))).toEqual([7])
})

test.each([
  ['that writes something else', (url: string) => url],
  ['of another database', (url: string) => withDatabase(url, 'postgres')],
])('a new board does not wait for a transaction %s', async (_, databaseOf) => {
  const app = await given.app()
  const { id } = await makeSession(app)
  await playSession(given, app, id, [7])
  const answer = await inOpenTransaction(
    databaseOf(service.databaseUrl),
    'select pg_current_xact_id(), pg_advisory_xact_lock(1, 1)',
    [],
    async () => {
      await getBoard(app, 'window=day')
      return madeBoard(app, 'window=day')
    },
  )
  expect(answer.status).toBe(200)
  expect(scoresOf(answer)).toEqual([7])
})
