import type { Ecef } from './geodesy.ts'

/** Semi-major and semi-minor axis of WGS84 in metres, its flattening and the square of its eccentricity, as in 0016_places.sql. */
const A = 6_378_137
const B = 6_356_752.314245179
const F = 0.0033528106647474805
const E2 = 0.0066943799901413165
const FAR_METRES = 100_000

/**
 * The WGS84 geodesic in metres between two points of the ellipsoid, rounded to a micrometre. Repeats the SQL function of the
 * same name (0016_places.sql) step by step, so that both give the same result. Up to 100 km by the chord and the radius of
 * curvature along it (Euler's theorem on normal sections), correct to a hundredth of a millimetre.
 */
export function metresBetween(x1: number, y1: number, z1: number, [x, y, z]: Ecef): number {
  const dx = x1 - x
  const dy = y1 - y
  const dz = z1 - z
  const chord = Math.sqrt(dx * dx + dy * dy + dz * dz)
  if (chord < 1e-7) return 0
  if (chord > FAR_METRES) return rounded(metresFar(x1, y1, z1, x, y, z))
  const mx = x1 + x
  const my = y1 + y
  const t = (z1 + z) / (1 - E2)
  const p2 = mx * mx + my * my
  // Antipodes have no midpoint: do not divide by a length of 0.
  const length2 = Math.max(p2 + t * t, 1)
  const w = 1 - (E2 * t * t) / length2
  const east = dy * mx - dx * my
  const east2 = p2 === 0 ? dy * dy : (east * east) / p2
  const outward = p2 === 0 ? dx : (dx * mx + dy * my) / Math.sqrt(p2)
  const north = dz * Math.sqrt(p2 / length2) - (outward * t) / Math.sqrt(length2)
  const north2 = north * north
  const r = (A * (east2 + north2)) / ((north2 * w * Math.sqrt(w)) / (1 - E2) + east2 * Math.sqrt(w))
  return rounded(2 * r * Math.asin(Math.min(1, chord / (2 * r))))
}

const rounded = (metres: number) => Math.round(metres * 1e6) / 1e6

/**
 * Any distance, by T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid", Survey Review 23 (1975):
 * correct to a tenth of a millimetre until the iteration fails near the antipode. There it is the angle between the
 * reduced latitudes on a sphere whose meridian is as long as the ellipsoid's.
 */
function metresFar(x1: number, y1: number, z1: number, x2: number, y2: number, z2: number): number {
  // Reduced latitudes: z = b sin U, and a cos U is the distance from the axis.
  const sin1 = z1 / B
  const cos1 = Math.sqrt(x1 * x1 + y1 * y1) / A
  const sin2 = z2 / B
  const cos2 = Math.sqrt(x2 * x2 + y2 * y2) / A
  const l = Math.atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2)
  let lambda = l
  for (let step = 0; step < 60; step++) {
    const east = cos2 * Math.sin(lambda)
    const north = cos1 * sin2 - sin1 * cos2 * Math.cos(lambda)
    const sinS = Math.sqrt(east * east + north * north)
    const cosS = sin1 * sin2 + cos1 * cos2 * Math.cos(lambda)
    if (sinS < 1e-9) break
    const s = Math.atan2(sinS, cosS)
    const sinA = (cos1 * cos2 * Math.sin(lambda)) / sinS
    const cos2A = 1 - sinA * sinA
    const cosM = cos2A < 1e-12 ? 0 : cosS - (2 * sin1 * sin2) / cos2A
    const c = (F / 16) * cos2A * (4 + F * (4 - 3 * cos2A))
    const before = lambda
    lambda = l + (1 - c) * F * sinA * (s + c * sinS * (cosM + c * cosS * (2 * cosM * cosM - 1)))
    if (Math.abs(lambda) > Math.PI) break
    if (Math.abs(lambda - before) >= 1e-12) continue
    const u2 = (cos2A * (A * A - B * B)) / (B * B)
    const k = (Math.sqrt(1 + u2) - 1) / (Math.sqrt(1 + u2) + 1)
    const bigA = (1 + (k * k) / 4) / (1 - k)
    const bigB = k * (1 - (3 * k * k) / 8)
    const last = (bigB / 6) * cosM * (4 * sinS * sinS - 3) * (4 * cosM * cosM - 3)
    return B * bigA * (s - bigB * sinS * (cosM + (bigB / 4) * (cosS * (2 * cosM * cosM - 1) - last)))
  }
  const east = cos2 * Math.sin(l)
  const north = cos1 * sin2 - sin1 * cos2 * Math.cos(l)
  return 6_367_449 * Math.atan2(Math.sqrt(east * east + north * north), sin1 * sin2 + cos1 * cos2 * Math.cos(l))
}
