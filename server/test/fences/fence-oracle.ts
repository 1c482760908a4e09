import geodesic from 'geographiclib-geodesic'
import type { Fix } from '../../modules/fences/matching/fix.ts'
import type { Place } from './fence-world.ts'

const { WGS84 } = geodesic.Geodesic

/** A fence as the oracle sees it. */
export type OracleFence = {
  id: string
  maxAccuracy: number
  dwellSeconds: number
  isInside: (place: Place) => boolean
  /** Of a place that is not inside: how far the fence is, in metres. */
  metresOutside: (place: Place) => number
}

/** What the rules say for fixes in order, fence by fence: `<time> <type> <fence>`, sorted. */
export function expectedEvents(fences: OracleFence[], fixes: Fix[]): string[] {
  const events: string[] = []
  for (const { id, maxAccuracy, dwellSeconds, isInside, metresOutside } of fences) {
    let since: number | undefined
    let hasDwelled = false
    for (const fix of fixes) {
      if (fix.accuracy > maxAccuracy) continue
      const inside = isInside(fix)
      if (since === undefined && inside) {
        since = fix.at
        hasDwelled = false
        events.push(`${fix.at} enter ${id}`)
      } else if (since !== undefined && !inside && metresOutside(fix) > fix.accuracy) {
        since = undefined
        events.push(`${fix.at} exit ${id}`)
      } else if (since !== undefined && fix.at - since >= dwellSeconds * 1000 && !hasDwelled) {
        hasDwelled = true
        events.push(`${since + dwellSeconds * 1000} dwell ${id}`)
      }
    }
  }
  return events.toSorted()
}

/** Along the geodesic. */
export const geodesicMetres = (a: Place, b: Place): number =>
  (WGS84.Inverse(a.lat, a.lon, b.lat, b.lon) as { s12: number }).s12

/** From longitude and latitude to longitude and latitude, straight in degrees. */
export type OracleSide = readonly [from: readonly [number, number], to: readonly [number, number]]

const SAMPLES = 8
const STEPS = 30

/** The least distance of a place to sides, by geodesics to places of them. */
export function metresToSides(sides: readonly OracleSide[], place: Place): number {
  let least = Number.POSITIVE_INFINITY
  for (const [[ax, ay], [bx, by]] of sides) {
    const at = (part: number) => geodesicMetres(place, { lon: ax + part * (bx - ax), lat: ay + part * (by - ay) })
    const sampled = Array.from({ length: SAMPLES + 1 }, (_, i) => at(i / SAMPLES))
    const best = sampled.indexOf(Math.min(...sampled))
    let [from, to] = [Math.max(0, best - 1) / SAMPLES, Math.min(SAMPLES, best + 1) / SAMPLES]
    for (let step = 0; step < STEPS; step++) {
      const [near, far] = [from + (to - from) / 3, to - (to - from) / 3]
      if (at(near) <= at(far)) to = far
      else from = near
    }
    least = Math.min(least, at((from + to) / 2))
  }
  return least
}
