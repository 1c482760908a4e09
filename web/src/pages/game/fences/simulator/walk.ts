import type { PositionFixInput } from '@cairn/sdk'
import { besideEachOther } from '../../../../map/bounds.ts'
import { distanceOf, type Place } from '../../../../map/geodesic.ts'

export type Pace = {
  /** Kilometres an hour. */
  speed: number
  /** Metres. */
  accuracy: number
  /** Seconds at each place of the path. */
  wait: number
}

/** Fixes that one simulation takes. */
const MOST = 1000

/** The places of a text with a latitude and a longitude on each line. @throws Error with the number of the first line that has none */
export function pathOf(text: string): Place[] {
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      const [lat, lon, ...rest] = line.split(/[\s,;]+/).map(Number)
      if (lat === undefined || lon === undefined || rest.length > 0 || !(Math.abs(lat) <= 90 && Math.abs(lon) <= 180))
        throw new Error(String(number))
      return { lat, lon }
    })
}

/** The path with longitudes that go on beyond 180°, so that it is drawn and walked the short way. */
export function unwrapped(path: Place[]): Place[] {
  const longitudes = besideEachOther(path.map(({ lon }) => lon))
  return path.map(({ lat }, i) => ({ lat, lon: longitudes[i]! }))
}

/** The walk along a path, measured every second, or less often if that were more than a simulation takes. */
export function fixesOf(path: Place[], { speed, accuracy, wait }: Pace, startAt: number): PositionFixInput[] {
  const places = unwrapped(path)
  /** When the walk is where, in seconds from its start. */
  const stops: { at: number; place: Place }[] = []
  let at = 0
  for (const [i, place] of places.entries()) {
    if (i > 0) at += (distanceOf(places[i - 1]!, place) * 3.6) / speed
    stops.push({ at, place })
    if (wait > 0) {
      at += wait
      stops.push({ at, place })
    }
  }
  const step = Math.max(1, at / (MOST - 2))
  const times = Array.from({ length: Math.floor(at / step) + 1 }, (_, i) => i * step)
  if (at - times.at(-1)! > 0.001) times.push(at)
  return times.map((time) => {
    const next = Math.max(
      1,
      stops.findIndex((stop) => stop.at >= time),
    )
    const [from, to] = [stops[next - 1]!, stops[next] ?? stops[next - 1]!]
    const share = to.at > from.at ? (time - from.at) / (to.at - from.at) : 1
    return { ...between(from.place, to.place, share), accuracy, at: new Date(startAt + time * 1000).toISOString() }
  })
}

const between = (from: Place, to: Place, share: number): Place => ({
  lat: from.lat + (to.lat - from.lat) * share,
  lon: wrapped(from.lon + (to.lon - from.lon) * share),
})

const wrapped = (longitude: number) => (longitude > 180 ? longitude - 360 : longitude)
