import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { createCairn, type MiniGameLeaderboard } from '../index.ts'
import { answer, breakingWay } from './breaking-way.ts'

let service: Service
let way: Awaited<ReturnType<typeof breakingWay>>
let appKey: string
beforeAll(async () => {
  service = await startService()
  appKey = (await buildersOn(service).app()).key
})
afterAll(() => service.stop())
beforeEach(async () => {
  way = await breakingWay(service.url)
})
afterEach(() => way.close())

const retry = { firstWait: 1, longestWait: 50 }
const game = () => createCairn({ baseUrl: service.url, appKey })

async function round() {
  const { gameSessions, players } = game()
  const { id } = await gameSessions.create()
  const names = ['Ada', 'Grace', 'Edsger'].map((name) => `${name} ${id}`)
  const made = await Promise.all(names.map((displayName) => players.create({ displayName })))
  for (const player of made) await gameSessions.join(id, player.id)
  return { players: made, score: (index: number, score: number) => gameSessions.setScore(id, made[index]!.id, score) }
}

/** Reads on until the board is the one that GET answers. */
async function untilUpToDate(boards: AsyncIterator<MiniGameLeaderboard>) {
  const goal = await game().leaderboards.get()
  for (;;) {
    const { value, done } = await boards.next()
    if (done) throw new Error('The stream has ended')
    if (JSON.stringify(value) === JSON.stringify(goal)) return value as MiniGameLeaderboard
  }
}

test('a board is followed through changes and breaks, and is then the one that GET answers', async () => {
  const { score } = await round()
  await score(0, 5)
  const boards = createCairn({ baseUrl: way.url, appKey, retry }).leaderboards.follow()
  await untilUpToDate(boards)
  await score(1, 9)
  await score(2, 5)
  const { leaderboard } = await untilUpToDate(boards)
  expect(leaderboard.map(({ ranking }) => ranking)).toEqual([1, 2, 2])

  way.faults.push(answer(503))
  way.breakAll()
  await score(2, 12)
  await untilUpToDate(boards)
  expect(way.seen.at(-1)!.headers['last-event-id']).toBeTruthy()
  await boards.return(undefined)
})

test('with tokens: a fresh one for each connection, no app key, and another when one is refused', async () => {
  const { score } = await round()
  let asked = 0
  const token = async () => {
    asked++
    return (await game().leaderboards.streamToken()).token
  }
  way.faults.push(answer(401))
  const boards = createCairn({ baseUrl: way.url, retry }).leaderboards.follow({ token })
  await untilUpToDate(boards)
  expect(asked).toBe(2)
  way.breakAll()
  await score(0, 100)
  await untilUpToDate(boards)
  expect(asked).toBe(3)
  for (const { headers } of way.seen) expect(headers).not.toHaveProperty('x-app-api-key')
  await boards.return(undefined)
})

test('a survey file is followed across a break until its last state, and then the stream is over', {
  tags: ['long'],
}, async () => {
  const owner = await buildersOn(service).user()
  const session = owner.headers.authorization!.slice('Bearer '.length)
  const { files, zones, csvUploads } = createCairn({ baseUrl: way.url, session, retry })
  const zone = await zones.create({ title: 'Park' })
  const rows = Array.from({ length: 5_000 }, (_, i) => `P${i},${51 + i / 1e5},0`)
  const { url } = await files.upload(new File([['title,lat,lon', ...rows].join('\n')], 'points.csv'))
  const { id } = await csvUploads.create({ fileName: 'points.csv', fileUrl: url, zoneId: zone.id })
  const states: string[] = []
  for await (const { status, processedRows } of csvUploads.follow(id)) {
    if (states.length === 0) way.breakAll()
    states.push(`${status} ${processedRows}`)
  }
  expect(states.at(-1)).toBe('COMPLETED 5000')
  expect(new Set(states).size).toBe(states.length)
})

test('a refusal is thrown, and who leaves gets the reason that was given', async () => {
  const refused = createCairn({ baseUrl: way.url, appKey: 'cairn_wrong', retry }).leaderboards.follow()
  await expect(refused.next()).rejects.toMatchObject({ status: 401 })
  const leaving = new AbortController()
  const boards = createCairn({ baseUrl: way.url, appKey }).leaderboards.follow({}, { signal: leaving.signal })
  await boards.next()
  const waiting = boards.next()
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
})
