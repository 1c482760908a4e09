// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { unzip } from '../../test/content/zip.ts'
import { appUrl, makeSession, makeType } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const me = '/api/v1/user'
const metadata = { email: 'anna@example.com' }

/** A player of a user, in a session whose scores are held without `replay` in their metadata. */
async function playerOfUser() {
  const user = await given.user()
  const owner = await given.user()
  const app = await given.app({ owner })
  const { id: type } = await makeType(app, 'Judged', { rules: { requireMetadata: ['replay'] } })
  const { id: session } = await makeSession(app, { miniGameTypeId: type })
  const { id: player } = (await app.post(appUrl('players'), { displayName: 'Anna', userId: user.id })).body
  await app.post(appUrl(`game-sessions/${session}/players`), { playerId: player })
  const path = appUrl(`game-sessions/${session}/players/${player}`)
  const board = async (query = '') =>
    (await app.get(appUrl(`leaderboards/mini-game?miniGameTypeId=${type}${query}`))).body.leaderboard
  return { user, owner, app, type, player, path, board }
}

test('metadata and notes of held scores go with the user; an accepted score then has none', async () => {
  const { user, app, path, board } = await playerOfUser()
  const review = async (score: number) =>
    appUrl(`reviews/${(await app.patch(path, { score, metadata })).body.reviewId}`)
  const [held, rejected] = [await review(500), await review(600)]
  await app.post(rejected, { decision: 'reject', note: 'asked anna@example.com' })
  await user.delete(me)
  expect((await app.get(held)).body).toMatchObject({ state: 'held', score: 500, metadata: null })
  expect((await app.get(rejected)).body).toMatchObject({ state: 'rejected', metadata: null, note: null })
  expect((await app.post(held, { decision: 'accept' })).status).toBe(200)
  expect(await board()).toEqual([expect.objectContaining({ playerScore: 500 })])
  expect(JSON.stringify(await board())).not.toContain('anna@')
})

test('the note on the standing of a player goes with the user; the standing stays', async () => {
  const { user, app, player } = await playerOfUser()
  const standing = { standing: 'hidden', standingNote: 'anna@example.com wrote a script' }
  expect((await app.patch(appUrl(`players/${player}`), standing)).status).toBe(200)
  await user.delete(me)
  expect((await app.get(appUrl(`players/${player}`))).body).toMatchObject({ standing: 'hidden', standingNote: null })
})

test('a repeated request about a player of the user is 409 after the erasure, and does not show the first response', async () => {
  const { user, app, path } = await playerOfUser()
  const repeat = () =>
    service.request(
      'PATCH',
      path,
      { score: 5, metadata: { ...metadata, replay: 1 } },
      {
        ...app.headers,
        'idempotency-key': 'once',
      },
    )
  expect((await repeat()).body).toMatchObject({ score: 5 })
  await user.delete(me)
  expect(await repeat()).toMatchObject({ status: 409, body: { error: expect.stringContaining('unknown') } })
})

/** Ends a season whose first of two scores is the user's. */
async function endedSeason() {
  const all = await playerOfUser()
  const { app, owner, type, path } = all
  await owner.post(`/api/v1/apps/${app.id}/webhooks`, {
    url: 'https://hooks.invalid/cairn',
    eventTypes: ['season.ended'],
  })
  const startsAt = new Date(Date.now() - 3_600_000).toISOString()
  const { id: season } = (await app.post(appUrl('seasons'), { name: 'Spring', miniGameTypeId: type, startsAt })).body
  await app.patch(path, { score: 9, metadata: { ...metadata, replay: 1 } })
  const other = await given.player(app)
  const session = path.split('/').at(-3)
  await app.post(appUrl(`game-sessions/${session}/players`), { playerId: other.id })
  await app.patch(appUrl(`game-sessions/${session}/players/${other.id}`), { score: 7, metadata: { replay: 2 } })
  await all.board(`&season=${season}`)
  const ended = `ends_at = clock_timestamp() - interval '20 seconds'`
  await sql(`update period_boards set ${ended} where board_key = $1`, [season])
  await sql(`update seasons set ${ended} where id = $1`, [season])
  const payload = async () =>
    (await sql<{ data: { leaderboard: object[] } }>('select data from webhook_events where subject = $1', [season]))[0]
      ?.data
  await expect.poll(payload).toBeDefined()
  return { ...all, season, payload }
}

test('the payload of season.ended keeps the place of the player, without the user and the metadata', async () => {
  const { user, player, payload } = await endedSeason()
  expect((await payload())!.leaderboard[0]).toMatchObject({ playerId: player, userId: user.id, metadata })
  await user.delete(me)
  const [first, second] = (await payload())!.leaderboard
  expect(first).toMatchObject({ playerId: player, playerScore: 9, userId: null })
  expect(first).not.toHaveProperty('metadata')
  expect(second).toMatchObject({ playerScore: 7, metadata: { replay: 2 } })
})

test('the export has the scores in seasons, also after they were replaced, and those held for a review', async () => {
  const { user, app, path, season } = await endedSeason()
  await app.patch(path, { score: 8, metadata: { replay: 3 } })
  await app.patch(path, { score: 500, metadata })
  const response = await fetch(`${service.url}${me}/export`, { headers: user.headers })
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  const json = (name: string) => JSON.parse(files.get(name)!.toString('utf8'))
  expect(json('season-scores.json')).toEqual([
    expect.objectContaining({ boardKey: season, seasonName: 'Spring', score: 9, metadata: { ...metadata, replay: 1 } }),
  ])
  expect(json('held-scores.json')).toEqual([
    expect.objectContaining({ score: 500, state: 'held', metadata, miniGameTypeName: 'Judged' }),
  ])
})
