import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { appUrl, makeSession, makeType, rankOf } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
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

type Entry = { playerId: string; playerDisplayName: string; playerScore: number; ranking: number }
const boardOf = async (app: Caller, query: string): Promise<Entry[]> =>
  (await app.get(appUrl(`leaderboards/mini-game?limit=1000&${query}`))).body.leaderboard
const linesOf = async (app: Caller, query: string) =>
  (await boardOf(app, query)).map(({ ranking, playerDisplayName, playerScore }) => [
    ranking,
    playerDisplayName,
    playerScore,
  ])

async function imported(app: Caller, text: string, query = '') {
  const { status, body } = await app.post(appUrl(`leaderboards/import?${query}`), formOf({ bytes: text }))
  expect({ status, body }).toMatchObject({ status: 200 })
  const { rows, applied, skipped, failed } = body.summary
  expect(applied + skipped + failed).toBe(rows)
  return body
}

type Row = { name: string; score: number; at: string }
const row = fc.record({
  name: fc.constantFrom('Ada', 'ADA', 'Grace', 'Alan', 'Edsger', 'Barbara', '"B, C"', 'Straße', 'STRASSE'),
  score: fc.constantFrom(-2, 0, 1, 1.5, 3),
  at: fc.constantFrom('', '', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000001Z', '2026-01-02T01:00:00+01:00'),
})
const files = fc.array(fc.array(row, { maxLength: 25 }), { minLength: 1, maxLength: 3 })

const folded = (name: string) => name.replaceAll('"', '').toLowerCase().replace('ß', 'ss')
/** Sorts as the time of the row does; rows without one are later than all others, in order. */
const timeOf = ({ at }: Row, file: number, place: number) =>
  at === ''
    ? `3${file}${String(place).padStart(3, '0')}`
    : at.includes('000001')
      ? '1a'
      : at.includes('-02T')
        ? '2'
        : '1'

test('after any files with any ties, the board is what counting says', { tags: ['long'] }, async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (all, ascending) => {
      const app = await given.app()
      const type = await makeType(app, 'Model', { sortOrder: ascending ? 'asc' : 'desc' })
      const query = `miniGameTypeId=${type.id}`
      await boardOf(app, `${query}&window=day`)
      const bests = new Map<string, { key: number; at: string }>()
      for (const [file, rows] of all.entries()) {
        await imported(
          app,
          ['player_name,score,achieved_at', ...rows.map((r) => `${r.name},${r.score},${r.at}`)].join('\n'),
          query,
        )
        // Loads the rank index, which the next file must move.
        for (const { playerId } of (await boardOf(app, query)).slice(0, 1)) await rankOf(app, playerId, `?${query}`)
        rows.forEach((one, place) => {
          const [key, at] = [ascending ? -one.score : one.score, timeOf(one, file, place)]
          const best = bests.get(folded(one.name))
          if (!best || key > best.key || (key === best.key && at < best.at)) bests.set(folded(one.name), { key, at })
        })
      }
      const { players } = (await app.get(appUrl('players'))).body
      const ids = new Map<string, string>(
        players.map((player: { id: string; displayName: string }) => [folded(player.displayName), player.id]),
      )
      const keys = [...bests.values()].map(({ key }) => key)
      const counted = [...bests]
        .map(([name, best]) => ({ id: ids.get(name)!, ...best }))
        .sort((a, b) => b.key - a.key || (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1))
        .map(({ id, key }) => [id, ascending ? 0 - key : key, 1 + keys.filter((other) => other > key).length])
      for (const window of ['all', 'day']) {
        const shown = await boardOf(app, `${query}&window=${window}`)
        expect(shown.map((entry) => [entry.playerId, entry.playerScore, entry.ranking])).toEqual(counted)
      }
      for (const [id, , rank] of counted) expect(await rankOf(app, String(id), `?${query}`)).toBe(rank)
    }),
    { numRuns: 25 },
  )
})

test('the CSV of a season, imported into another app, gives the same board', async () => {
  const [app, other] = [await given.app(), await given.app()]
  const names = ['=1+1', '@home', '-5', "'=quoted", 'A "B", C', 'Zoë', 'Ada', 'Two, parts', 'Grace']
  const rows = names.map((name, i) => ({ playerName: name, score: [-1.5, 7, 7, -1.5][i % 4] }))
  const startsAt = new Date(Date.now() - 60_000).toISOString()
  const { body: season } = await app.post(appUrl('seasons'), { name: 'Spring', startsAt })
  await imported(app, JSON.stringify(rows))
  const { body: csv } = await app.get(appUrl(`seasons/${season.id}/export`))
  const report = await imported(other, csv)
  expect(report).toMatchObject({ format: 'cairn', rows: [], summary: { applied: names.length } })
  const lines = await linesOf(app, `season=${season.id}`)
  expect(lines.filter(([, name]) => name !== "'=quoted")).toHaveLength(names.length - 1)
  expect((await linesOf(other, '')).map(([rank, name, score]) => [rank, name, score])).toEqual(
    lines.map(([rank, name, score]) => [rank, name === "'=quoted" ? '=quoted' : name, score]),
  )
})

test('the JSON of a leaderboard, imported into another app, gives the same board', async () => {
  const [app, other] = [await given.app(), await given.app()]
  await imported(app, 'player_name,score\nB,2\nA,2\nC,3\n')
  const { body } = await app.get(appUrl('leaderboards/mini-game'))
  await imported(other, JSON.stringify(body))
  expect(await linesOf(other, '')).toEqual(await linesOf(app, ''))
})

test('what was written before the database failed stays, the report says what, and the same file completes it', async () => {
  const app = await given.app()
  const text = ['player_name,score', ...Array.from({ length: 1300 }, (_, i) => `P${i},${i === 700 ? 666 : 1}`)].join(
    '\n',
  )
  await sql(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refused before update on session_players for each row when (new.score = 666) execute function refuse()`)
  const report = await imported(app, text)
  expect(report.summary).toMatchObject({ applied: 500, skipped: 0, failed: 800 })
  expect(new Set(report.rows.map(({ code }: { code: string }) => code))).toEqual(new Set(['not_written']))
  const board = await boardOf(app, '')
  expect(board.map(({ playerDisplayName }) => playerDisplayName)).toEqual(
    Array.from({ length: 500 }, (_, i) => `P${i}`),
  )
  await sql('drop trigger refused on session_players')
  expect((await imported(app, text)).summary).toMatchObject({ applied: 800, skipped: 500, playersCreated: 0 })
  expect(await boardOf(app, '')).toHaveLength(1000)
})

test('an import waits for players that another transaction has locked for longer than a request waits', async () => {
  const app = await given.app()
  await imported(app, 'player_name,score\nP1,5\n')
  const other = new pg.Client({ connectionString: service.databaseUrl })
  await other.connect()
  await other.query('begin')
  await other.query(`select from players where app_id = $1 and display_name = 'P1' for update`, [app.id])
  const report = imported(app, 'player_name,score\nP0,1\nP1,9\nP2,2\n')
  await setTimeout(1_300)
  await other.end()
  expect((await report).summary).toMatchObject({ applied: 3, failed: 0 })
})

test('two imports of one file at the same time, while scores are played, give the same board as one', async () => {
  const app = await given.app()
  const text = ['player_name,score', ...Array.from({ length: 200 }, (_, i) => `P${i},${i % 7}`)].join('\n')
  await imported(app, 'player_name,score\nP0,50\n')
  const { id } = await makeSession(app)
  const [p0] = (await app.get(appUrl('players'))).body.players
  await app.post(appUrl(`game-sessions/${id}/players`), { playerId: p0.id })
  const played = Array.from({ length: 20 }, () =>
    app.patch(appUrl(`game-sessions/${id}/players/${p0.id}`), { score: 60 }),
  )
  const [one, two] = await Promise.all([imported(app, text), imported(app, text), ...played])
  expect(one.summary.applied + two.summary.applied).toBe(199)
  expect(one.summary.failed + two.summary.failed).toBe(0)
  const shown = await boardOf(app, '')
  expect(shown.map(({ playerScore }) => playerScore)).toEqual(
    [60, ...Array.from({ length: 199 }, (_, i) => (i + 1) % 7)].sort((a, b) => b - a),
  )
})

test('a file of 20,000 rows is applied whole by a service that has few scores', { tags: ['long'] }, async () => {
  const app = await given.app()
  const rows = Array.from({ length: 20_000 }, (_, i) => `Player ${i},${i % 100},`)
  const report = await imported(app, ['player_name,score,achieved_at', ...rows].join('\n'))
  expect(report.rows.slice(0, 1)).toEqual([])
  expect(report.summary).toEqual({ rows: 20_000, applied: 20_000, skipped: 0, failed: 0, playersCreated: 20_000 })
  const top = await boardOf(app, '')
  expect(top.slice(0, 3).map(({ playerDisplayName }) => playerDisplayName)).toEqual([
    'Player 99',
    'Player 199',
    'Player 299',
  ])
})
