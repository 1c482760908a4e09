import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../../../platform/credentials/secrets.ts'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { eventStreams } from '../../../test/network/event-stream.ts'
import { appUrl, makeSession, makeType, playSession, setScore } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'
import { defaultGame } from '../types/store.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
const { open, closeAll } = eventStreams()
afterEach(closeAll)
afterAll(() => service.stop())

const path = appUrl('leaderboards/stream')
/** As startService has it. */
const secretOfTests = 'a secret of the tests, long enough'
const listen = (headers: Record<string, string>, query = '') => open(service.url + path + query, headers)

describe('stream tokens', () => {
  const tokenFor = async (app: Caller, choice?: object) => {
    const { status, body, headers } = await app.post(appUrl('leaderboards/stream-token'), choice)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    return body as { token: string; expiryTime: string }
  }

  test('open the stream of the one board they were made for, without an app key', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const { id } = await makeSession(app, { miniGameTypeId: hunt.id })
    const [player] = await playSession(given, app, id, [7])
    const { token, expiryTime } = await tokenFor(app, { miniGameTypeName: 'HUNT' })
    expect(expiryTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(token).not.toContain(app.id)
    const stream = await listen({}, `?token=${token}&limit=10`)
    const first = await stream.next()
    expect(first.data).toMatchObject({
      miniGameTypeId: hunt.id,
      miniGameTypeName: 'Hunt',
      leaderboard: [{ playerScore: 7 }],
    })
    await setScore(app, id, player!.id, 8)
    expect((await stream.next()).data).toMatchObject({ changed: [{ playerScore: 8 }] })
    const ofDefault = await listen({}, `?token=${(await tokenFor(app)).token}&miniGameTypeName=Hunt`)
    expect((await ofDefault.next()).data).toMatchObject({ miniGameTypeId: null, leaderboard: [] })
    expect(await app.post(appUrl('leaderboards/stream-token'), { miniGameTypeName: 'None' })).toMatchObject({
      status: 404,
    })
    expect(await service.anonymous.post(appUrl('leaderboards/stream-token'))).toMatchObject({ status: 401 })
  })

  test('are 401 once their minute is over, when changed, and once their app key ended', async () => {
    const app = await given.app()
    const { token } = await tokenFor(app)
    const changed = token.replace(/(?<=.{40})./, (one) => (one === 'A' ? 'B' : 'A'))
    const seal = (purpose: string, until: string) =>
      createSecrets(secretOfTests).seal(purpose, JSON.stringify([app.id, app.key.slice(6, 14), defaultGame, until]))
    const [past, future] = ['2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']
    const ofUs = seal('leaderboard-stream-tokens', future)
    expect((await listen({}, `?token=${ofUs}`)).status).toBe(200) // so that the next ones fail for what they differ in
    const others = [seal('leaderboard-stream-tokens', past), seal('app-keys', future)]
    for (const bad of ['', 'x', changed, `${token}&token=${token}`, ...others]) {
      expect(await service.anonymous.get(`${path}?token=${bad}`), bad).toMatchObject({ status: 401 })
    }
    expect(await service.anonymous.get(path)).toMatchObject({ status: 401 })
    await sql('delete from app_keys where app_id = $1', [app.id])
    expect(await service.anonymous.get(`${path}?token=${token}`)).toMatchObject({ status: 401 })
  })
})
