import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { appUrl } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

async function imported(app: Caller, file: string | object, query = '') {
  const bytes = typeof file === 'string' ? file : JSON.stringify(file)
  const { status, body } = await app.post(appUrl(`leaderboards/import?${query}`), formOf({ bytes }))
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

const boardOf = async (app: Caller) => {
  const { body } = await app.get(appUrl('leaderboards/mini-game?limit=1000'))
  return body.leaderboard.map((entry: { ranking: number; playerDisplayName: string; playerScore: number }) => [
    entry.ranking,
    entry.playerDisplayName,
    entry.playerScore,
  ])
}

const expected = [
  [1, 'Grace', 300],
  [2, 'Ada', 120],
  [2, 'Edsger', 120],
  [4, 'Alan', 0],
]

const nakamaRecord = (username: string, score: number, minute: number, more = {}) => ({
  leaderboard_id: 'weekly',
  owner_id: `00000000-0000-4000-8000-0000000000${minute}`,
  username,
  // The API leaves out a score of 0.
  ...(score === 0 ? {} : { score: String(score) }),
  num_score: 1,
  metadata: '{}',
  create_time: '2026-04-01T00:00:00Z',
  update_time: `2026-05-01T10:${minute}:00Z`,
  expiry_time: '1970-01-01T00:00:00Z',
  rank: '1',
  ...more,
})

const nakamaHeader =
  'leaderboard_id,owner_id,username,score,subscore,num_score,metadata,create_time,update_time,expiry_time,max_num_score'
const nakamaRow = (username: string, score: number, minute: number) =>
  `weekly,00000000-0000-4000-8000-0000000000${minute},${username},${score},0,1,"{""a"": ""b, c""}",2026-04-01 00:00:00+00,2026-05-01 10:${minute}:00.5+00,1970-01-01 00:00:00+00,1000000`

const taloEntry = (identifier: string, score: number, minute: number, more = {}) => ({
  id: minute,
  score,
  leaderboardName: 'Weekly',
  leaderboardInternalName: 'weekly',
  leaderboardSortMode: 'desc',
  playerAlias: { id: minute, service: 'username', identifier, player: { id: 'x' } },
  hidden: false,
  props: [],
  createdAt: `2026-05-01T10:${minute}:00.000Z`,
  updatedAt: '2026-05-03T00:00:00.000Z',
  deletedAt: null,
  ...more,
})

const taloHeader =
  'id,score,leaderboard.id,leaderboard.internalName,playerAlias.id,playerAlias.service,playerAlias.identifier,playerAlias.player.id,createdAt,updatedAt,props.team'
const taloRow = (identifier: string, score: number, minute: number) =>
  `${minute},${score},1,weekly,${minute},username,${identifier},x,2026-05-01T10:${minute}:00.000Z,2026-05-03T00:00:00.000Z,`

const playfabEntry = (DisplayName: string, StatValue: number, Position: number) => ({
  PlayFabId: `A${Position}`,
  DisplayName,
  StatValue,
  Position,
  Profile: { PlayerId: `A${Position}` },
})

const playfabRanking = (DisplayName: string, score: number, minute: number) => ({
  Entity: { Id: `E${minute}`, Type: 'title_player_account' },
  DisplayName,
  Scores: [String(score)],
  Rank: 1,
  LastUpdated: `2026-05-01T10:${minute}:00.000Z`,
})

/** Ada is before Edsger in time, and after him in the file where the file has times. */
const byTime = <One>(make: (name: string, score: number, minute: number) => One): One[] => [
  make('Grace', 300, 30),
  make('Edsger', 120, 20),
  make('Ada', 120, 10),
  make('Alan', 0, 40),
]
const byPlace = [
  playfabEntry('Grace', 300, 0),
  playfabEntry('Ada', 120, 1),
  playfabEntry('Edsger', 120, 2),
  playfabEntry('Alan', 0, 3),
]

test.each([
  ['nakama', 'records of the API', { records: byTime(nakamaRecord), owner_records: [], next_cursor: 'x' }],
  ['nakama', 'a CSV of the table', [nakamaHeader, ...byTime(nakamaRow)].join('\n')],
  ['talo', 'entries of the API', { entries: byTime(taloEntry), count: 4, itemsPerPage: 50, isLastPage: true }],
  ['talo', 'a CSV of a data export', [taloHeader, ...byTime(taloRow)].join('\n')],
  ['playfab', 'a leaderboard', { code: 200, status: 'OK', data: { Leaderboard: byPlace, Version: 0 } }],
  ['playfab', 'rankings', { data: { Rankings: byTime(playfabRanking), EntryCount: 4 } }],
  [
    'playfab',
    'a CSV',
    ['PlayFabId,DisplayName,StatValue', ...byPlace.map((e) => `${e.PlayFabId},${e.DisplayName},${e.StatValue}`)].join(
      '\n',
    ),
  ],
])('%s: %s is recognized, and equal scores keep their order and share a rank', async (format, _, file) => {
  const app = await given.app()
  const report = await imported(app, file)
  expect(report).toMatchObject({ format, notices: [], rows: [], summary: { rows: 4, applied: 4, playersCreated: 4 } })
  expect(await boardOf(app)).toEqual(expected)
  expect((await imported(app, file)).summary).toMatchObject({ applied: 0, skipped: 4 })
})

test('a player without a name gets the ID of the other service as its name', async () => {
  const app = await given.app()
  const { PlayFabId, StatValue } = playfabEntry('', 5, 1)
  await imported(app, { Leaderboard: [{ PlayFabId, StatValue, Position: 0 }] })
  await imported(app, { records: [nakamaRecord('', 3, 10)] })
  expect(await boardOf(app)).toEqual([
    [1, 'A1', 5],
    [2, '00000000-0000-4000-8000-000000000010', 3],
  ])
})

test('two players of the other service with one name are not mixed: the rows of the second fail', async () => {
  const app = await given.app()
  const entries = [playfabEntry('Ada', 5, 0), playfabEntry('ada', 4, 1), playfabEntry('Ada', 3, 0)]
  const report = await imported(app, { Leaderboard: entries })
  expect(report.rows).toMatchObject([
    {
      row: 2,
      status: 'failed',
      code: 'name_shared',
      message: 'Row 1 has another player of this name: rename one of them',
    },
    { row: 3, status: 'skipped', code: 'other_row' },
  ])
  expect(await boardOf(app)).toEqual([[1, 'Ada', 5]])
})

test('of a file with several boards one must be chosen, and rows of others are skipped', async () => {
  const app = await given.app()
  const file = [taloHeader, taloRow('Ada', 5, 10), taloRow('Ada', 7, 11).replace('weekly', 'daily')].join('\n')
  const form = formOf({ bytes: file })
  expect(await app.post(appUrl('leaderboards/import'), form)).toMatchObject({
    status: 400,
    body: {
      error: [
        { code: 'board_required', path: ['board'], message: 'The file has 2 boards: choose one of "weekly", "daily"' },
      ],
    },
  })
  const report = await imported(app, file, 'board=weekly')
  expect(report.rows).toMatchObject([{ row: 2, status: 'skipped', code: 'other_board' }])
  expect(await boardOf(app)).toEqual([[1, 'Ada', 5]])
})

test('entries that Talo hides are skipped', async () => {
  const app = await given.app()
  const entries = [taloEntry('Ada', 5, 10, { hidden: true }), taloEntry('Grace', 4, 11)]
  const report = await imported(app, { entries })
  expect(report.rows).toMatchObject([{ row: 1, player: 'Ada', code: 'hidden' }])
  expect(await boardOf(app)).toEqual([[1, 'Grace', 4]])
})

test('subscores, which have no place here, are noticed', async () => {
  const app = await given.app()
  const report = await imported(app, {
    records: [nakamaRecord('Ada', 5, 10, { subscore: '2' }), nakamaRecord('Alan', 5, 11)],
  })
  expect(report.notices).toEqual(['1 row has subscores, which break ties in Nakama: equal scores share a rank here'])
})

test('a format that the file does not have is refused: 400', async () => {
  const app = await given.app()
  const answer = await app.post(
    appUrl('leaderboards/import?format=nakama'),
    formOf({ bytes: 'player_name,score\nA,1\n' }),
  )
  expect(answer).toMatchObject({ status: 400, body: { error: [{ message: expect.stringContaining('nakama') }] } })
})

test('a name that is no text is refused in its row, and the others are imported', async () => {
  const app = await given.app()
  const rows = ['\ud800', { a: 1 }, 'a\0', null, 'Ada'].map((name) => ({ name, score: 1 }))
  const report = await imported(app, rows)
  expect(report.rows.map(({ row, code }: { row: number; code: string }) => [row, code])).toEqual([
    [1, 'name_invalid'],
    [2, 'player_missing'],
    [3, 'name_invalid'],
    [4, 'player_missing'],
  ])
  expect(await boardOf(app)).toEqual([[1, 'Ada', 1]])
})
