import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { appUrl, makeSession, makeType, playSession, rankOf, setScore } from '../../../test/scoring/scoring-steps.ts'
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

const send = (app: Caller, text: string, query = '') =>
  app.post(appUrl(`leaderboards/import?${query}`), formOf({ name: 'scores.csv', bytes: text }))

async function imported(app: Caller, text: string, query = '') {
  const { status, body } = await send(app, text, query)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

const boardOf = async (app: Caller, query = '') =>
  (await app.get(appUrl(`leaderboards/mini-game?limit=1000&${query}`))).body.leaderboard as {
    playerDisplayName: string
    playerScore: number
    ranking: number
    gameSessionId: string
  }[]
const linesOf = async (app: Caller, query = '') =>
  (await boardOf(app, query)).map(({ ranking, playerDisplayName, playerScore }) => [
    ranking,
    playerDisplayName,
    playerScore,
  ])

describe('an import', () => {
  test('creates the players of new names, finds the others ignoring case, and fills the board', async () => {
    const app = await given.app()
    const { body: ada } = await app.post(appUrl('players'), { displayName: 'Ada' })
    const report = await imported(app, 'player_name,score\nADA,30\nGrace,20.5\n')
    expect(report).toMatchObject({
      dryRun: false,
      format: 'cairn',
      miniGameTypeId: null,
      summary: { rows: 2, applied: 2, skipped: 0, failed: 0, playersCreated: 1 },
      rows: [],
    })
    expect(await linesOf(app)).toEqual([
      [1, 'Ada', 30],
      [2, 'Grace', 20.5],
    ])
    expect(await rankOf(app, ada.id)).toBe(1)
    const { body: session } = await app.get(appUrl(`game-sessions/${report.gameSessionId}`))
    expect(session).toMatchObject({ name: 'Import of scores.csv', status: 'COMPLETED', playerCount: 2 })
  })

  test('orders equal scores by achieved_at, and they share a rank', async () => {
    const app = await given.app()
    const rows = [
      'Late,10,2026-05-01T10:00:00.000002Z',
      'Early,10,2026-05-01T10:00:00.000001Z',
      'First,20,2026-05-02 12:30+02:00',
      'Earliest,10,2025-12-31 23:59:59',
    ]
    await imported(app, ['player_name,score,achieved_at', ...rows].join('\n'))
    expect(await linesOf(app)).toEqual([
      [1, 'First', 20],
      [2, 'Earliest', 10],
      [2, 'Early', 10],
      [2, 'Late', 10],
    ])
  })

  test('keeps the order of the file for equal scores without a time', async () => {
    const app = await given.app()
    const names = Array.from({ length: 30 }, (_, i) => `P${(i * 7) % 30}`)
    await imported(app, ['player_name,score', ...names.map((name) => `${name},5`)].join('\n'))
    expect(await linesOf(app)).toEqual(names.map((name) => [1, name, 5]))
  })

  test('orders equal scores by achieved_at on the board of a window too, among scores that were played', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [10])
    await boardOf(app, 'window=week')
    const { body } = await app.get(appUrl(`players/${player!.id}`))
    await imported(app, 'player_name,score,achieved_at\nB,10,2026-05-02\nA,10,2026-05-01T00:00Z\nC,12,\n')
    const expected = [
      [1, 'C', 12],
      [2, 'A', 10],
      [2, 'B', 10],
      [2, body.displayName, 10],
    ]
    expect(await linesOf(app, 'window=week')).toEqual(expected)
    expect(await linesOf(app)).toEqual(expected)
  })

  test('of the same file again changes nothing and makes no game session', async () => {
    const app = await given.app()
    const text = 'player_name,score,achieved_at\nA,10,2026-05-01T00:00:00Z\nB,10,\nC,3,\n'
    await imported(app, text)
    const before = await boardOf(app)
    const again = await imported(app, text)
    expect(again).toMatchObject({ gameSessionId: null, summary: { rows: 3, applied: 0, skipped: 3, failed: 0 } })
    expect(again.rows.map(({ code }: { code: string }) => code)).toEqual(['not_better', 'not_better', 'not_better'])
    expect(await boardOf(app)).toEqual(before)
    expect((await app.get(appUrl('game-sessions'))).body.gameSessions).toHaveLength(1)
  })

  test('never replaces a better score; an equal one that was reached earlier moves its player up', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [50, 40, 40])
    const names = players.map(({ displayName }) => displayName)
    const rows = [`${names[0]},45,`, `${names[2]},40,2020-01-01T00:00:00Z`]
    const report = await imported(app, ['player_name,score,achieved_at', ...rows].join('\n'))
    expect(report.summary).toMatchObject({ applied: 1, skipped: 1 })
    expect(await linesOf(app)).toEqual([
      [1, names[0], 50],
      [2, names[2], 40],
      [2, names[1], 40],
    ])
    // Deleting the import brings back what was played.
    await app.delete(appUrl(`game-sessions/${report.gameSessionId}`))
    expect(await linesOf(app)).toEqual([
      [1, names[0], 50],
      [2, names[1], 40],
      [2, names[2], 40],
    ])
  })

  test('takes the best of several rows of a player, by the sort order of the type', async () => {
    const app = await given.app()
    const type = await makeType(app, 'Laps', { sortOrder: 'asc', minScore: 1 })
    const report = await imported(
      app,
      'player_name,score\nA,30\nB,25\na,20\nA,0.5\nB,25\n',
      `miniGameTypeId=${type.id}`,
    )
    expect(report.summary).toEqual({ rows: 5, applied: 2, skipped: 2, failed: 1, playersCreated: 2 })
    expect(report.rows).toMatchObject([
      { row: 1, code: 'other_row', message: 'Row 3 has the best score of this player' },
      { row: 4, line: 5, player: 'A', status: 'failed', code: 'score_out_of_bounds' },
      { row: 5, code: 'other_row', message: 'Row 2 has the best score of this player' },
    ])
    expect(await linesOf(app, `miniGameTypeId=${type.id}`)).toEqual([
      [1, 'a', 20],
      [2, 'B', 25],
    ])
  })

  test('lists rows with a fault, each with its line, and imports the others', async () => {
    const app = await given.app()
    const rows = [
      '"A\nB",1,',
      ',2,',
      'C,,',
      'D,"1,5",',
      'E,9007199254740993,',
      'F,6,yesterday',
      'G,7,2999-01-01T00:00:00Z',
      'H,8,2026-02-30T00:00:00Z',
      'I',
      '',
      'J,10,,,,',
      'K\0,11,',
      'L,1e300,',
      `${'M'.repeat(256)},12,`,
    ]
    const report = await imported(app, ['player_name,score,achieved_at', ...rows].join('\r\n'))
    expect(report.rows.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([
      [2, 'name_invalid'],
      [4, 'player_missing'],
      [5, 'score_missing'],
      [6, 'score_invalid'],
      [7, 'score_inexact'],
      [8, 'time_invalid'],
      [9, 'time_in_future'],
      [10, 'time_invalid'],
      [11, 'score_missing'],
      [14, 'name_invalid'],
      [16, 'name_invalid'],
    ])
    expect(report.summary).toEqual({ rows: 13, applied: 2, skipped: 0, failed: 11, playersCreated: 2 })
  })

  test('matches player_id first, and the name if the app has no such player', async () => {
    const [app, other] = [await given.app(), await given.app()]
    const [mine, theirs] = [await given.player(app), await given.player(other)]
    const rows = [`${mine.id.toUpperCase()},Another name,5`, `${theirs.id},By name,4`, `${theirs.id},,3`, 'no-id,,2']
    const report = await imported(app, ['player_id,player_name,score', ...rows].join('\n'))
    expect(report.rows).toMatchObject([
      { row: 3, code: 'player_unknown', player: theirs.id },
      { row: 4, code: 'player_unknown', player: 'no-id' },
    ])
    expect(await linesOf(app)).toEqual([
      [1, mine.displayName, 5],
      [2, 'By name', 4],
    ])
  })

  test('with createPlayers=false fails rows of names that the app does not have', async () => {
    const app = await given.app()
    const { displayName } = await given.player(app)
    const report = await imported(app, `player_name,score\n${displayName},1\nStranger,2\n`, 'createPlayers=false')
    expect(report).toMatchObject({ summary: { applied: 1, failed: 1, playersCreated: 0 } })
    expect(report.rows).toMatchObject([{ row: 2, player: 'Stranger', code: 'player_unknown' }])
    expect((await app.get(appUrl('players'))).body.players).toHaveLength(1)
  })

  test('can be followed by scores of the game', async () => {
    const app = await given.app()
    await imported(app, 'player_name,score\nA,10\nB,20\n')
    const { id } = await makeSession(app)
    const [a] = (await app.get(appUrl('players?search=A'))).body.players
    await app.post(appUrl(`game-sessions/${id}/players`), { playerId: a.id })
    await setScore(app, id, a.id, 20)
    expect(await linesOf(app)).toEqual([
      [1, 'B', 20],
      [1, 'A', 20],
    ])
    await setScore(app, id, a.id, 5)
    expect(await linesOf(app)).toEqual([
      [1, 'B', 20],
      [2, 'A', 10],
    ])
  })
})

test('a dry run says the same as the import that follows it, and writes nothing', async () => {
  const app = await given.app()
  const text = 'player_name,score\nA,10\nA,11\nB,x\nC,5\n'
  const dry = await imported(app, text, 'dryRun=true')
  expect(dry).toMatchObject({ dryRun: true, gameSessionId: null, summary: { applied: 2, playersCreated: 2 } })
  expect((await app.get(appUrl('players'))).body.players).toEqual([])
  expect((await app.get(appUrl('game-sessions'))).body.gameSessions).toEqual([])
  const { gameSessionId: _, ...real } = await imported(app, text)
  expect({ ...real, dryRun: true, gameSessionId: null }).toEqual(dry)
})

test('a repeat with the same Idempotency-Key gets the first report', async () => {
  const app = await given.app()
  const path = appUrl('leaderboards/import')
  const form = () => formOf({ name: 'scores.csv', bytes: 'player_name,score\nA,10\n' })
  const headers = { ...app.headers, 'idempotency-key': 'import-1' }
  const first = await service.request('POST', path, form(), headers)
  const second = await service.request('POST', path, form(), headers)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(second.body).toEqual(first.body)
  expect(first.body.summary.applied).toBe(1)
})

const ENTRIES = `select actor from audit_log where action = 'leaderboard.imported' and subject = $1`
test('the audit log names the app and the game session of an import', async () => {
  const app = await given.app()
  const { gameSessionId } = await imported(app, 'player_name,score\nA,10\n')
  expect(await sql(ENTRIES, [gameSessionId])).toEqual([{ actor: `app:${app.id}` }])
})

describe('a file is refused', () => {
  test.each([
    ['without bytes', '', 'empty'],
    ['without a column of scores', 'player_name,points\nA,1\n', 'player_name and score'],
    ['if it is JSON of another form', '{"a":[1]}', 'player_name and score'],
    ['if its JSON is malformed', '[{"a":1]', 'malformed'],
    ['if a quote is not closed', 'player_name,score\nA,1\n"B,2\n', 'line 3'],
  ])('%s: 400', async (_, text, message) => {
    expect(await send(await given.app(), text)).toMatchObject({
      status: 400,
      body: { error: [{ message: expect.stringContaining(message) }] },
    })
  })

  test('that is not UTF-8: 400', async () => {
    const bytes = Buffer.from('player_name,score\nJos\xe9,1\n', 'latin1')
    const app = await given.app()
    expect(await app.post(appUrl('leaderboards/import'), formOf({ bytes }))).toMatchObject({
      status: 400,
      body: { error: [{ message: 'The file is not UTF-8: save it as UTF-8' }] },
    })
  })

  test('with more than 20,000 rows, or more than 8 MiB: 413', async () => {
    const app = await given.app()
    const row = 'A,1\n'
    expect((await send(app, `player_name,score\n${row.repeat(20_000)}`, 'dryRun=true')).status).toBe(200)
    expect((await send(app, `player_name,score\n${row.repeat(20_001)}`)).status).toBe(413)
    expect((await send(app, `player_name,score\n${'x'.repeat(8 * 1024 * 1024)}`)).status).toBe(413)
  })

  test('for an unknown mini game type: 404', async () => {
    expect((await send(await given.app(), 'player_name,score\nA,1\n', 'miniGameTypeName=None')).status).toBe(404)
  })
})
