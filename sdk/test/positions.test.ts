import { afterAll, beforeAll, expect, test } from 'vitest'
import { away, fenceWorldOn } from '../../server/test/fences/fence-world.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { createCairn } from '../index.ts'
import type { DeviceLocation, WatchOptions } from '../positions/watch.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const WELL = { lat: 48.1, lon: 11.5 }

/** A device that is moved by hand. */
function device() {
  let hear: Parameters<DeviceLocation['watchPosition']>[0] | undefined
  const geolocation: DeviceLocation = {
    watchPosition: (onPosition) => {
      hear = onPosition
      return 1
    },
    clearWatch: () => {},
  }
  const stand = ({ lat, lon }: { lat: number; lon: number }, { accuracy = 5, ago = 0 } = {}) =>
    hear!({ coords: { latitude: lat, longitude: lon, accuracy, altitude: null }, timestamp: Date.now() - ago * 1000 })
  return { geolocation, stand }
}

const storageOf = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
})

/** A watch of a new player at a well, which reports only when it is asked to. */
async function watchAtWell(kept: Pick<WatchOptions, 'storage' | 'storageKey'> = {}) {
  const world = await fenceWorldOn(service)
  await world.circle(WELL, 20)
  const { headers } = await world.player()
  const { fences } = createCairn({
    baseUrl: service.url,
    appKey: headers['x-app-api-key']!,
    session: headers.authorization!.slice(7),
  })
  const { geolocation, stand } = device()
  const events: string[] = []
  const errors: unknown[] = []
  const watch = fences.watch({
    geolocation,
    every: 3_600_000,
    ...kept,
    onEvent: ({ type }) => events.push(type),
    onError: (error) => errors.push(error),
  })
  return { watch, stand, events, errors }
}

test('a position that the service refuses does not take the others of its batch with it', async () => {
  const { watch, stand, events, errors } = await watchAtWell()
  stand(WELL, { ago: 40 })
  stand(WELL, { ago: 30, accuracy: 150_000 })
  stand(WELL, { ago: -90 })
  stand(away(WELL, 100), { ago: 20 })
  await watch.report()
  watch.stop()
  expect(events).toEqual(['enter', 'exit'])
  expect(errors).toHaveLength(2)
})

test('positions of a device whose clock is ahead are refused in one request', async () => {
  const { watch, stand, events, errors } = await watchAtWell()
  for (let i = 0; i < 30; i++) stand(WELL, { ago: -90 - i })
  await watch.report()
  watch.stop()
  expect(events).toEqual([])
  expect(errors).toHaveLength(1)
})

test('what is no position in the storage is dropped', async () => {
  const kept = new Map([['cairn.positions', '[null, 7, {"lat": 1}]']])
  const { watch, stand, events } = await watchAtWell({ storage: storageOf(kept) })
  stand(WELL)
  await watch.report()
  watch.stop()
  expect(events).toEqual(['enter'])
  expect(kept.size).toBe(0)
})

test('positions that one player has not reported are not those of the next player on the device', async () => {
  const storage = storageOf(new Map())
  const first = await watchAtWell({ storage, storageKey: 'first' })
  first.stand(WELL, { ago: 10 })
  first.watch.stop()
  const second = await watchAtWell({ storage, storageKey: 'second' })
  await second.watch.report()
  second.watch.stop()
  expect(second.events).toEqual([])
  const again = await watchAtWell({ storage, storageKey: 'first' })
  await again.watch.report()
  again.watch.stop()
  expect(again.events).toEqual(['enter'])
})
