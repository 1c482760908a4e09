import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type EventStream, openEventStream } from '../../test/network/event-stream.ts'
import { appUrl } from '../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startSecondService, startService } from '../../test/service.ts'

/** Streams are opened at one process, and the configuration is written through the other. */
let service: Service
let other: Service
let owner: Caller & { id: string }
let app: Caller & { id: string }
const open: EventStream[] = []
const config = appUrl('config')
beforeAll(async () => {
  service = await startService()
  other = await startSecondService(service, { CAIRN_ROLE: 'api' })
  owner = await buildersOn(service).user()
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const newApp = async () => {
  app = await buildersOn(service).app({ owner })
  await app.put(config, { event: 'winter' })
}
const follow = async (query = '', headers: Record<string, string> = app.headers) => {
  const stream = await openEventStream(`${other.url}${config}/stream${query}`, headers)
  open.push(stream)
  return stream
}

describe('the stream of a configuration', () => {
  test('sends it as it is, then each change by any process; not what a client has seen already', async () => {
    await newApp()
    const stream = await follow()
    const first = await stream.next()
    expect(first).toMatchObject({ event: '', data: { event: 'winter' } })
    await app.put(config, { event: 'spring' })
    const second = await stream.next()
    expect(second.data).toEqual({ event: 'spring' })
    const again = await follow('', { ...app.headers, 'last-event-id': second.id })
    await app.put(config, { event: 'summer' })
    expect((await again.next()).data).toEqual({ event: 'summer' })
  })

  test('is open to the owner’s session, and ends with that session', async () => {
    await newApp()
    const user = await buildersOn(service).user()
    expect((await follow(`?appId=${app.id}`, user.headers)).status).toBe(404)
    const stream = await follow(`?appId=${app.id}`, owner.headers)
    expect((await stream.next()).data).toEqual({ event: 'winter' })
    await owner.post('/auth/sign-out')
    await stream.ended
    owner = await buildersOn(service).user()
  })

  test('opens with a client key, alone and with a player token beside it', async () => {
    await newApp()
    const { body } = await owner.post(`/api/v1/apps/${app.id}/api-keys`, { kind: 'client', name: 'Game' })
    const player = await buildersOn(service).player(app)
    const { playerToken } = (await app.post('/auth/player-token', { playerId: player.id })).body
    const client = { 'x-app-api-key': body.apiKey as string }
    for (const headers of [client, { ...client, authorization: `Bearer ${playerToken}` }])
      expect(await (await follow('', headers)).next()).toMatchObject({ data: { event: 'winter' } })
  })

  test('ends with the app key that opened it', async () => {
    await newApp()
    const stream = await follow()
    await stream.next()
    expect((await owner.post(`/api/v1/apps/${app.id}/api-key/rotate`, {})).status).toBe(200)
    await stream.ended
  })

  test('is 404 before the first configuration', async () => {
    app = await buildersOn(service).app({ owner })
    expect((await follow()).status).toBe(404)
  })
})
