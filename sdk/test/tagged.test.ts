import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { type Cairn, createCairn } from '../index.ts'

let service: Service
let cairn: Cairn
let playerId: string
beforeAll(async () => {
  service = await startService()
  const app = await buildersOn(service).app()
  cairn = createCairn({ baseUrl: service.url, appKey: app.key })
  playerId = (await cairn.players.create({ displayName: 'Ada' })).id
})
afterAll(() => service.stop())

test('a value is written with the ETag it was read with, also if it came compressed', async () => {
  const text = 'x'.repeat(5000)
  const stored = await cairn.playerData.set(playerId, 'save', { text, level: 1 }, { ifNoneMatch: '*' })
  const { value, etag } = await cairn.playerData.get<{ text: string; level: number }>(playerId, 'save')
  expect([value.level, etag]).toEqual([1, stored.etag])
  await cairn.playerData.set(playerId, 'save', { ...value, level: 2 }, { ifMatch: etag })
  const again = cairn.playerData.set(playerId, 'save', { level: 3 }, { ifMatch: etag })
  await expect(again).rejects.toMatchObject({ status: 412 })
  const keys = await Array.fromAsync(cairn.playerData.keys(playerId), ({ key }) => key)
  expect(keys).toEqual(['save'])
  await cairn.playerData.delete(playerId, 'save')
  await expect(cairn.playerData.get(playerId, 'save')).rejects.toMatchObject({ status: 404 })
})

test('a configuration is followed, and an earlier version restored', async () => {
  await cairn.appConfig.set({ event: 'winter' })
  const seen: string[] = []
  for await (const { event } of cairn.appConfig.follow<{ event: string }>()) {
    seen.push(event)
    if (seen.length === 1) await cairn.appConfig.set({ event: 'spring' }, { ifMatch: '"1"' })
    else if (seen.length === 2) await cairn.appConfig.set((await cairn.appConfig.version(1)).value)
    else break
  }
  expect(seen).toEqual(['winter', 'spring', 'winter'])
  const versions = await Array.fromAsync(cairn.appConfig.versions(), ({ version }) => version)
  expect(versions).toEqual([3, 2, 1])
})
