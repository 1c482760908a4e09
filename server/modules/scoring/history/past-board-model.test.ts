import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { type PastEntry, PastModel, type ScoreEvent, type TypeRules } from '../../../test/scoring/past-model.ts'
import { makeWorld, type World } from '../../../test/scoring/score-world.ts'
import { boardQueries } from '../computed/board-queries.ts'
import type { ComputedRow } from '../computed/ranked-board.ts'
import { defaultGame } from '../types/store.ts'
import { pastBoards } from './past-boards.ts'

const writers = 24
let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ url: database.url, applicationName: 'cairn-test', max: writers + 4 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)]!
const someScore = () => pick([0, 1, 1, 2, 3, 5, -1, 0.5])
const micros = (column: string) => `(extract(epoch from ${column}) * 1e6)::float8`
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await db.pool.query<Row & object>(text, values)).rows as Row[]
const now = async () => (await query<{ at: number }>(`select ${micros('clock_timestamp()')} as at`))[0]!.at

let counter = 0
type Written = { outcome: string; n?: number; at: number }
type Item = { sessionId: string; playerId: string; score: number; n: number }
const someItem = ({ sessions, players }: World): Item => ({
  sessionId: pick(sessions),
  playerId: pick(players),
  score: someScore(),
  n: ++counter,
})
const metadata = ({ n }: Item) => JSON.stringify({ n })

/** One write or one group of writes. @returns what was accepted */
async function write(world: World, typeOf: Map<string, string>): Promise<ScoreEvent[]> {
  const items = Array.from({ length: Math.random() < 0.7 ? 1 : 8 }, () => someItem(world))
  const [one] = items as [Item]
  const rows =
    items.length === 1
      ? await query<Written>(
          `select outcome, 1 as n, ${micros('updated_at')} as at from save_score($1, $2, $3, $4, $5)`,
          [...[world.app, one.sessionId, one.playerId, one.score], metadata(one)],
        )
      : await query<Written>(
          `select outcome, n, ${micros('updated_at')} as at from save_scores_group($1, $2, $3, $4, $5) order by n`,
          [
            items.map(() => world.app),
            items.map(({ sessionId }) => sessionId),
            items.map(({ playerId }) => playerId),
            items.map(({ score }) => score),
            items.map(metadata),
          ],
        )
  return rows
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ n, at }) => {
      const item = items[n! - 1]!
      return { ...item, at, type: typeOf.get(item.sessionId)! }
    })
}

/** Removes something while nothing is written, at a known time. */
async function remove(world: World, model: PastModel, typeOf: Map<string, string>): Promise<void> {
  await sleep(2)
  const from = await now()
  const sessionId = pick(world.sessions)
  const playerId = pick(world.players)
  const what = Math.random()
  const at = from + 1
  const type = typeOf.get(sessionId)!
  if (what < 0.6) {
    await query('select remove_player_from_session($1, $2, $3)', [world.app, sessionId, playerId])
    model.add({ sessionId, playerId, type, at, score: null })
    if (what < 0.4) await query('select register_player($1, $2, $3)', [world.app, sessionId, playerId])
  } else if (what < 0.85 && world.sessions.length > 4) {
    await query('select delete_session($1, $2)', [world.app, sessionId])
    world.sessions.splice(world.sessions.indexOf(sessionId), 1)
    model.add(...model.placesOf(sessionId).map((place) => ({ ...place, at, score: null })))
  } else if (world.players.length > 20) {
    await query('select delete_player($1, $2)', [world.app, playerId])
    world.players.splice(world.players.indexOf(playerId), 1)
    model.forget(playerId)
  }
  model.removals.push([from / 1000 - 1, (await now()) / 1000 + 1])
  await sleep(2)
}

const shown = (rows: ComputedRow[]): PastEntry[] =>
  rows.map(({ playerId, playerScore, gameSessionId, ranking, metadata }) => ({
    ...{ playerId, playerScore, gameSessionId, ranking },
    n: metadata?.n as number | undefined,
  }))

/** Writes and removes at random, and compares boards at any moments with the model, also while writers continue. */
async function play({ writes, moments }: { writes: number; moments: number }) {
  const world = await makeWorld(db.pool, { players: 40, sessions: 15 })
  const past = pastBoards({ pool: db.pool, query: boardQueries(db.pool), written: (address) => address })
  const typeOf = new Map(
    (
      await query<{ id: string; type: string }>('select id, type_key as type from game_sessions where app_id = $1', [
        world.app,
      ])
    ).map(({ id, type }) => [id, type]),
  )
  const rules = new Map<string, TypeRules>([[defaultGame, { ascending: false, mode: 'best' }]])
  for (const { id, ...rule } of await query<TypeRules & { id: string }>(
    'select id, ascending, score_mode as mode from mini_game_types where app_id = $1',
    [world.app],
  ))
    rules.set(id, rule)
  const model = new PastModel((type) => rules.get(type)!)
  const initial = await query<ScoreEvent>(
    `select session_id as "sessionId", player_id as "playerId", type_key as type, score, ${micros('updated_at')} as at
       from session_players where app_id = $1 and scored_at is not null`,
    [world.app],
  )
  model.add(...initial)
  const start = Math.ceil((await now()) / 1000)

  const compare = async (until: number) => {
    let ms = 0
    do ms = start + Math.floor(Math.random() * (until - start))
    while (model.removals.some(([from, to]) => ms >= from && ms <= to))
    const type = pick(world.types)
    const board = { appId: world.app, key: type }
    const at = new Date(ms).toISOString()
    const expected = model.board(type, ms)
    const { rows, total } = await past(board, at).page(100, undefined)
    expect(total).toBe(expected.length)
    expect(shown(rows)).toEqual(expected)
    const place = Math.floor(Math.random() * rows.length)
    if (rows.length > 0) {
      const { playerId } = rows[place]!
      expect(shown((await past(board, at).page(5, rows[place])).rows)).toEqual(expected.slice(place + 1, place + 6))
      const first = Math.max(0, Math.min(place - 2, expected.length - 5))
      expect(shown((await past(board, at).around(playerId, 5)).rows)).toEqual(expected.slice(first, first + 5))
    }
    const one = pick(world.players)
    const entry = expected.find(({ playerId }) => playerId === one)
    expect(await past(board, at).one(one)).toMatchObject({
      score: entry?.playerScore ?? null,
      ranking: entry?.ranking ?? null,
      total: expected.length,
    })
  }

  let done = 0
  let compared = 0
  while (done < writes) {
    const settled = Math.floor((await now()) / 1000) - 1
    const burst: ScoreEvent[] = []
    const checks = settled > start ? Math.ceil((moments * 100) / writes) : 0
    await Promise.all([
      ...Array.from({ length: writers }, async () => {
        for (let i = 0; i < 3; i++) burst.push(...(await write(world, typeOf)))
      }),
      // Of what was settled before: the model gets the writes of this burst when all are there.
      (async () => {
        for (let i = 0; i < checks; i++, compared++) await compare(settled)
      })(),
    ])
    model.add(...burst)
    done += burst.length
    for (let i = 0; i < 3; i++) await remove(world, model, typeOf)
  }
  const end = Math.floor((await now()) / 1000) - 1
  for (; compared < moments * 2; compared++) await compare(end)
  expect(world.types).toContain(defaultGame)
}

test('a board at any moment is what counting all writes says, under writers and removals', async () => {
  await play({ writes: 400, moments: 10 })
})

test('the same of ten thousand writes', { tags: ['long'], timeout: 120_000 }, async () => {
  await play({ writes: 10_000, moments: 150 })
})
