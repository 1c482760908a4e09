import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { appUrl, makeSession, playSession } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

type Listed = {
  displayName: string
  bestScore?: number | null
  lastPlayedAt?: string | null
  sessionCount?: number
}

/** The names of a list, all pages. */
async function namesOf(app: Caller, query: string): Promise<string[]> {
  const names: string[] = []
  let path: string | undefined = appUrl(`players?limit=2&${query}`)
  while (path) {
    const { status, body, headers } = await app.get(path)
    expect(status).toBe(200)
    names.push(...body.players.map(({ displayName }: Listed) => displayName))
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return names
}

/** An app in which Cleo has the best score, then Anna; Ben has none. */
async function playedApp() {
  const app = await given.app()
  const session = await makeSession(app)
  const [anna, cleo] = await playSession(given, app, session.id, [10, 30])
  await app.patch(appUrl(`players/${anna!.id}`), { displayName: 'Anna' })
  await app.patch(appUrl(`players/${cleo!.id}`), { displayName: 'cleo' })
  const ben = await given.player(app, 'Ben')
  return { app, anna: anna!, cleo: cleo!, ben }
}

test('players are sorted by name, age and best score, in both directions, over pages', async () => {
  const { app } = await playedApp()
  expect(await namesOf(app, '')).toEqual(['Anna', 'cleo', 'Ben'])
  expect(await namesOf(app, 'sort=-createdAt')).toEqual(['Ben', 'cleo', 'Anna'])
  expect(await namesOf(app, 'sort=displayName')).toEqual(['Anna', 'Ben', 'cleo'])
  expect(await namesOf(app, 'sort=-displayName')).toEqual(['cleo', 'Ben', 'Anna'])
  expect(await namesOf(app, 'sort=-bestScore')).toEqual(['cleo', 'Anna', 'Ben'])
  expect(await namesOf(app, 'sort=bestScore')).toEqual(['Ben', 'Anna', 'cleo'])
})

test('a list shows the best score in a mini game, when each player last played and in how many sessions, on request', async () => {
  const { app } = await playedApp()
  const scores = async (query: string) =>
    (await app.get(appUrl(`players?${query}`))).body.players.map(
      ({ bestScore, lastPlayedAt, sessionCount }: Listed) => [bestScore, lastPlayedAt, sessionCount],
    )
  expect(await scores('includeScores=true')).toEqual([
    [10, expect.stringMatching(/Z$/), 1],
    [30, expect.stringMatching(/Z$/), 1],
    [null, null, 0],
  ])
  expect((await scores('includeScores=true&miniGameTypeId=unknown')).map(([best]: unknown[]) => best)).toEqual(
    Array(3).fill(null),
  )
  expect(await scores('')).toEqual(Array(3).fill([undefined, undefined, undefined]))
})

test('players are filtered by standing, for those who see it', async () => {
  const { app, cleo } = await playedApp()
  await app.patch(appUrl(`players/${cleo.id}`), { standing: 'hidden' })
  expect(await namesOf(app, 'standing=hidden')).toEqual(['cleo'])
  expect(await namesOf(app, 'standing=banned')).toEqual([])
  expect(await namesOf(app, 'standing=normal')).toEqual(['Anna', 'Ben'])
})

test('a client key cannot filter by standing', async () => {
  const owner = await given.user()
  const app = await given.app({ owner })
  const { apiKey } = (await owner.post(`/api/v1/apps/${app.id}/api-keys`, { kind: 'client', name: 'Build 7' })).body
  const client = service.as({ 'x-app-api-key': apiKey })
  expect(await client.get(appUrl('players?standing=hidden'))).toMatchObject({ status: 403 })
  expect(await client.get(appUrl('players'))).toMatchObject({ status: 200 })
})

test('a cursor of another order is refused', async () => {
  const { app } = await playedApp()
  const { headers } = await app.get(appUrl('players?limit=1&sort=displayName'))
  const cursor = /cursor=([^&>]+)/.exec(headers.get('link')!)![1]
  expect(await app.get(appUrl(`players?cursor=${cursor}&sort=bestScore`))).toMatchObject({ status: 400 })
})
